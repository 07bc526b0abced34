/* The calls of generated.c by one kind of units. It is included twice, with UNIT, the type of a unit; FUNCTION(name), the function of the
 * library for it; and NAMED(name), a name of this file. Rows have `padding` units more than their numbers need. */

#define UNIT_BYTES sizeof(UNIT)

static size_t NAMED(units)(const Number *number) { return (number->length + UNIT_BYTES - 1) / UNIT_BYTES; }

/* Writes a number to a row. */
static void NAMED(put)(UNIT *row, size_t width, const Number *number)
{
    size_t i;
    if (width < NAMED(units)(number) || width > MOST_BYTES)
        broken("a row does not suit its number");
    memset(row, 0, width * UNIT_BYTES);
    for (i = 0; i < number->length; i++) {
        const uint8_t byte = number->bytes[number->length - 1 - i];
        if (UNIT_BYTES == 1)
            row[width - 1 - i] = byte;
        else
            row[i / UNIT_BYTES] |= (UNIT)((UNIT)byte << (8 * (i % UNIT_BYTES)));
    }
}

/* A number with `padding` zeros in front; gives its length in units. */
static size_t NAMED(padded)(UNIT *row, const Number *number, size_t padding)
{
    const size_t length = NAMED(units)(number) + padding;
    NAMED(put)(row, length, number);
    return length;
}

static size_t NAMED(width_of)(const pingala_modulus *modulus)
{
    return UNIT_BYTES == 1 ? pingala_modulus_width_be(modulus) : pingala_modulus_width_limbs(modulus);
}

static UNIT NAMED(bases)[MOST_BYTES * MOST_ROWS], NAMED(exponents)[MOST_BYTES * MOST_ROWS], NAMED(out)[MOST_BYTES * MOST_ROWS];

/* What results are written over. */
static void NAMED(dirty)(void) { memset(NAMED(out), 0xaa, sizeof NAMED(out)); }

/* An answer is the expected one: a row of a number, or a status. */
static void NAMED(compare)(const char *way, size_t at, int32_t status, const UNIT *row, size_t width)
{
    static UNIT wanted[MOST_BYTES];
    const Answer *answer = &call.answers[at];
    compared++;
    if (is_tolerated(status))
        return;
    if (status != answer->status)
        wrong(way, at, pingala_status_name(status));
    if (status != PINGALA_OK || answer->status != PINGALA_OK)
        return;
    NAMED(put)(wanted, width, &answer->value);
    if (memcmp(wanted, row, width * UNIT_BYTES) != 0)
        wrong(way, at, "another number");
}

/* The answers of a list with statuses; and that of the call without them, which is the first error. */
static void NAMED(compare_list)(const char *way, const int32_t *statuses, const int32_t *whole, size_t width)
{
    static const UNIT zeros[MOST_BYTES] = {0};
    size_t i;
    compared++;
    if (is_tolerated(whole[1]))
        return;
    if (whole[1] != PINGALA_OK)
        wrong(way, 0, pingala_status_name(whole[1]));
    for (i = 0; i < call.count; i++) {
        NAMED(compare)(way, i, statuses[i], NAMED(out) + i * width, width);
        if (statuses[i] != PINGALA_OK && memcmp(NAMED(out) + i * width, zeros, width * UNIT_BYTES) != 0)
            wrong(way, i, "an element with an error is not 0");
    }
    if (!is_first(whole[0]))
        wrong(way, 0, "without statuses it is another error than the first");
}

/* Makes a call of a list, whose statuses are `each`, without and with statuses. */
#define LIST(way, width, ...)                                     \
    do {                                                          \
        int32_t whole[2];                                         \
        int round;                                                \
        for (round = 0; round < 2; round++) {                     \
            int32_t *each = round ? statuses : NULL;              \
            NAMED(dirty)();                                       \
            whole[round] = (__VA_ARGS__);                         \
        }                                                         \
        NAMED(compare_list)(way, statuses, whole, width);         \
    } while (0)

static void NAMED(open_moduli)(size_t padding)
{
    static UNIT value[MOST_BYTES], factors[MOST_BYTES * MOST];
    uint64_t factor_bits[MOST];
    size_t i, j, width, length;
    for (i = 0; i < call.n_moduli; i++) {
        const Modulus *m = &call.moduli[i];
        length = NAMED(padded)(value, &m->value, padding);
        for (width = 1, j = 0; j < m->n_factors; j++)
            width = larger(width, NAMED(units)(&m->factors[j]));
        for (j = 0; j < m->n_factors; j++) {
            NAMED(put)(factors + j * width, width, &m->factors[j]);
            factor_bits[j] = bits_of(&m->factors[j]);
        }
        if (m->secret)
            OK(FUNCTION(modulus_new_secret)(&moduli[i], value, length, factors, width, factor_bits, m->multiplicities, m->n_factors,
                                            plain, WHY));
        else if (m->n_factors > 0)
            OK(FUNCTION(modulus_new_factored)(&moduli[i], value, length, factors, width, m->multiplicities, m->n_factors, plain, WHY));
        else
            OK(FUNCTION(modulus_new)(&moduli[i], value, length, WHY));
    }
}

/* A power by the line that its plan prints. */
static void NAMED(by_its_line)(const pingala_modulus *handle, size_t i, size_t width, const UNIT *base, size_t base_len, const UNIT *exponent,
                               size_t exponent_len, uint32_t own_signs)
{
    static char line[MOST_LINE];
    if (FUNCTION(modulus_explain)(handle, line, sizeof line, NULL, PINGALA_PLAN, base, base_len, exponent, exponent_len, own_signs, options,
                                  WHY) != PINGALA_OK)
        return;
    OK(pingala_options_set_kernel(options, NULL));
    OK(pingala_options_set_plan(options, line));
    NAMED(dirty)();
    NAMED(compare)("pow by its line", i,
                   FUNCTION(modulus_pow)(handle, NAMED(out), width, base, base_len, exponent, exponent_len, own_signs, options, WHY),
                   NAMED(out), width);
    OK(pingala_options_set_plan(options, NULL));
    OK(pingala_options_set_kernel(options, forced_kernel()));
}

/* Each element by a call of its own: a power by a handle or by numbers, a secret power, an inverse. */
static void NAMED(single)(const char *way, size_t padding)
{
    static UNIT base[MOST_BYTES], exponent[MOST_BYTES], modulus[MOST_BYTES];
    size_t i;
    for (i = 0; i < call.count; i++) {
        const Element *e = &call.elements[i];
        const pingala_modulus *handle = moduli[e->modulus];
        const size_t base_len = NAMED(padded)(base, &e->bases[0], padding), exponent_len = NAMED(padded)(exponent, &e->exponents[0], padding);
        const size_t width = NAMED(padded)(modulus, &call.moduli[e->modulus].value, padding);
        const uint32_t own_signs = signs_of(&e->bases[0], &e->exponents[0]);
        UNIT *out = NAMED(out);
        int32_t status;
        NAMED(dirty)();
        if (strcmp(way, "pow") == 0)
            status = FUNCTION(modulus_pow)(handle, out, width, base, base_len, exponent, exponent_len, own_signs, options, WHY);
        else if (strcmp(way, "powmod") == 0)
            status = FUNCTION(powmod)(out, width, base, base_len, exponent, exponent_len, modulus, width, own_signs, options, WHY);
        else if (strcmp(way, "invert") == 0)
            status = FUNCTION(modulus_invert)(handle, out, width, base, base_len, own_signs & PINGALA_NEGATIVE_BASE, WHY);
        else
            status = FUNCTION(modulus_pow_sec)(handle, out, width, base, base_len, exponent, exponent_len, declared(i), options, WHY);
        NAMED(compare)(way, i, status, out, width);
        if (call.plan && strcmp(way, "pow") == 0)
            NAMED(by_its_line)(handle, i, width, base, base_len, exponent, exponent_len, own_signs);
    }
}

/* Puts all bases, or all exponents, into rows of at least `width` units; gives their width. */
static size_t NAMED(fill)(UNIT *rows, int of_bases, size_t width, size_t padding)
{
    size_t i, j, row = 0;
    for (i = 0; i < call.count; i++)
        for (j = 0; j < call.elements[i].n_powers; j++)
            width = larger(width, NAMED(units)(of_bases ? &call.elements[i].bases[j] : &call.elements[i].exponents[j]));
    width += padding;
    for (i = 0; i < call.count; i++)
        for (j = 0; j < call.elements[i].n_powers; j++)
            NAMED(put)(rows + row++ * width, width, of_bases ? &call.elements[i].bases[j] : &call.elements[i].exponents[j]);
    return width;
}

/* Lists modulo handles that each element names. */
static void NAMED(lists_of_moduli)(size_t padding)
{
    const size_t base_width = NAMED(fill)(NAMED(bases), 1, 1, padding), exponent_width = NAMED(fill)(NAMED(exponents), 0, 1, padding);
    const pingala_modulus *const *const handles = (const pingala_modulus *const *)moduli;
    int32_t statuses[MOST];
    size_t i, width = 1;
    for (i = 0; i < call.n_moduli; i++)
        width = larger(width, NAMED(width_of)(moduli[i]) + padding);
    if (is("product_list"))
        LIST("pow_product_list", width,
             FUNCTION(pow_product_list)(NAMED(out), width, NAMED(bases), base_width, NAMED(exponents), exponent_width, n_powers, ends, handles,
                                        call.n_moduli, modulus_of, call.count, each, signs, options, WHY));
    else
        LIST("pow_list of moduli", width,
             FUNCTION(pow_list)(NAMED(out), width, NAMED(bases), base_width, NAMED(exponents), exponent_width, handles, call.n_moduli,
                                modulus_of, call.count, each, signs, options, WHY));
}

/* Lists and products modulo one handle. Rows are as wide as the modulus if nothing is longer and nothing is padded. */
static void NAMED(lists_of_one_modulus)(size_t padding)
{
    static UNIT base[MOST_BYTES], exponent[MOST_BYTES];
    const size_t own = NAMED(width_of)(moduli[0]), width = NAMED(fill)(NAMED(bases), 1, own, padding);
    const size_t exponent_width = NAMED(fill)(NAMED(exponents), 0, 1, padding);
    const size_t base_len = NAMED(padded)(base, one_base(), padding), exponent_len = NAMED(padded)(exponent, one_exponent(), padding);
    const uint32_t base_signs = signs_of(one_base(), NULL), exponent_signs = signs_of(NULL, one_exponent());
    int32_t statuses[MOST];
    OK(pingala_options_set_width(options, width == own ? 0 : width));
    if (is("base_list"))
        LIST("pow_base_list", width,
             FUNCTION(modulus_pow_base_list)(moduli[0], NAMED(out), NAMED(bases), exponent, exponent_len, exponent_signs, call.count, each,
                                             signs_of_bases, options, WHY));
    else if (is("exponent_list"))
        LIST("pow_exp_list", width,
             FUNCTION(modulus_pow_exp_list)(moduli[0], NAMED(out), base, base_len, base_signs, NAMED(exponents), exponent_width, call.count,
                                            each, signs_of_exponents, options, WHY));
    else if (is("product_list"))
        LIST("pow_product_list of one modulus", width,
             FUNCTION(modulus_pow_product_list)(moduli[0], NAMED(out), NAMED(bases), NAMED(exponents), exponent_width, n_powers, ends,
                                                call.count, each, signs, options, WHY));
    else if (is("invert_list"))
        LIST("invert_list", width,
             FUNCTION(modulus_invert_list)(moduli[0], NAMED(out), NAMED(bases), call.count, each, signs_of_bases, options, WHY));
    if (is("product")) {
        int32_t status;
        NAMED(dirty)();
        status = FUNCTION(modulus_pow_product)(moduli[0], NAMED(out), width, NAMED(bases), NAMED(exponents), exponent_width, n_powers, signs,
                                               options, WHY);
        NAMED(compare)("pow_product", 0, status, NAMED(out), width);
    } else if (!is("product_list") && !is("invert_list")) {
        LIST("pow_list", width,
             FUNCTION(modulus_pow_list)(moduli[0], NAMED(out), NAMED(bases), NAMED(exponents), exponent_width, call.count, each, signs,
                                        options, WHY));
    }
    OK(pingala_options_set_width(options, 0));
}

/* Lists of products modulo one handle, and those of several moduli as lists of one element each. */
static void NAMED(multiplications)(size_t padding)
{
    size_t i, at, width;
    int32_t statuses[MOST], status;
    for (i = 0; i < call.n_moduli; i++) {
        const pingala_modulus *m = moduli[i];
        const size_t own = NAMED(width_of)(m), widest = NAMED(fill)(NAMED(exponents), 0, own, 0);
        width = NAMED(fill)(NAMED(bases), 1, widest, padding);
        NAMED(fill)(NAMED(exponents), 0, width, 0);
        OK(pingala_options_set_width(options, width == own ? 0 : width));
        if (is("mul_list")) {
            LIST("mul_list", width,
                 FUNCTION(modulus_mul_list)(m, NAMED(out), NAMED(bases), NAMED(exponents), call.count, each, signs, options, WHY));
        } else if (is("square_list")) {
            LIST("square_list", width,
                 FUNCTION(modulus_square_list)(m, NAMED(out), NAMED(bases), call.count, each, signs_of_bases, options, WHY));
        } else if (is("running_product")) {
            LIST("running_product", width,
                 FUNCTION(modulus_running_product)(m, NAMED(out), NAMED(bases), call.count, each, signs_of_bases, options, WHY));
        } else if (is("value_product")) {
            NAMED(dirty)();
            status = FUNCTION(modulus_product)(m, NAMED(out), width, NAMED(bases), n_powers, signs_of_bases, options, WHY);
            NAMED(compare)("product", 0, status, NAMED(out), width);
        } else {
            for (at = 0; at < call.count; at++)
                if (call.elements[at].modulus == i) {
                    NAMED(dirty)();
                    status = FUNCTION(modulus_mul_list)(m, NAMED(out), NAMED(bases) + at * width, NAMED(exponents) + at * width, 1,
                                                        statuses, signs + at, options, WHY);
                    NAMED(compare)("mul_list of one", at, status, NAMED(out), width);
                }
        }
        OK(pingala_options_set_width(options, 0));
    }
}

/* The table of the one base; also one that comes from a file. */
static pingala_fixed_base *NAMED(table)(size_t padding, int secret)
{
    static UNIT base[MOST_BYTES];
    const size_t base_len = NAMED(padded)(base, one_base(), padding);
    const uint32_t kind = (call.threads > 1 ? PINGALA_IN_LISTS : 0u) | (secret ? PINGALA_FOR_SECRETS : 0u);
    pingala_fixed_base *table = NULL, *loaded = NULL;
    OK(FUNCTION(fixed_base_new)(&table, moduli[0], base, base_len, signs_of(one_base(), NULL), table_bits(secret), TABLE_BYTES, 100, kind,
                                plain, WHY));
    if (!is("fixed_base_file"))
        return table;
    OK(pingala_fixed_base_save(table, path, WHY));
    pingala_fixed_base_free(table);
    OK(pingala_fixed_base_load(&loaded, path, moduli[0], plain, WHY));
    return loaded;
}

static void NAMED(fixed_base)(size_t padding)
{
    const size_t own = NAMED(width_of)(moduli[0]), width = own + padding;
    const size_t exponent_width = NAMED(fill)(NAMED(exponents), 0, 1, padding);
    pingala_fixed_base *table = NAMED(table)(padding, 0);
    int32_t statuses[MOST];
    size_t i;
    for (i = 0; i < call.count; i++) {
        int32_t status;
        NAMED(dirty)();
        status = FUNCTION(fixed_base_pow)(table, NAMED(out), width, NAMED(exponents) + i * exponent_width, exponent_width,
                                          signs_of_exponents[i], options, WHY);
        NAMED(compare)("fixed_base_pow", i, status, NAMED(out), width);
    }
    OK(pingala_options_set_width(options, width == own ? 0 : width));
    LIST("fixed_base_pow_list", width,
         FUNCTION(fixed_base_pow_list)(table, NAMED(out), NAMED(exponents), exponent_width, call.count, each, signs_of_exponents, options,
                                       WHY));
    OK(pingala_options_set_width(options, 0));
    pingala_fixed_base_free(table);
}

/* Secret powers in a list have one declared length: the elements of each length are a list. */
static void NAMED(secret_lists)(size_t padding)
{
    static UNIT some_bases[MOST_BYTES * MOST], some_exponents[MOST_BYTES * MOST];
    const int of_table = !is("secret_list");
    const size_t own = NAMED(width_of)(moduli[0]), width = of_table ? own + padding : NAMED(fill)(NAMED(bases), 1, own, padding);
    const size_t exponent_width = NAMED(fill)(NAMED(exponents), 0, 1, padding);
    pingala_fixed_base *table = of_table ? NAMED(table)(padding, 1) : NULL;
    int done[MOST] = {0};
    size_t i, j, count;
    OK(pingala_options_set_width(options, width == own ? 0 : width));
    for (i = 0; i < call.count; i++) {
        int32_t statuses[MOST], status;
        size_t places[MOST];
        if (done[i])
            continue;
        for (count = 0, j = i; j < call.count; j++)
            if (declared(j) == declared(i)) {
                memcpy(some_bases + count * width, NAMED(bases) + j * width, width * UNIT_BYTES);
                memcpy(some_exponents + count * exponent_width, NAMED(exponents) + j * exponent_width, exponent_width * UNIT_BYTES);
                places[count++] = j;
                done[j] = 1;
            }
        NAMED(dirty)();
        if (of_table)
            status = FUNCTION(fixed_base_pow_sec_list)(table, NAMED(out), some_exponents, exponent_width, declared(i), count, statuses,
                                                       options, WHY);
        else
            status = FUNCTION(modulus_pow_sec_list)(moduli[0], NAMED(out), some_bases, some_exponents, exponent_width, declared(i), count,
                                                    count, statuses, options, WHY);
        if (status != PINGALA_OK && !is_tolerated(status) && (call.cap == 0 || declared(i) <= call.cap))
            wrong("secret list", i, pingala_status_name(status));
        /* A declared length above the cap is an error of the call, and thereby of all its elements. */
        for (j = 0; j < count; j++)
            NAMED(compare)("secret list", places[j], status == PINGALA_OK ? statuses[j] : status, NAMED(out) + j * width, width);
    }
    OK(pingala_options_set_width(options, 0));
    pingala_fixed_base_free(table);
}

/* Squarings, at a stretch or with a stop at the start and a file. */
static void NAMED(squarings)(size_t padding)
{
    static UNIT base[MOST_BYTES];
    const size_t base_len = NAMED(padded)(base, one_base(), padding), width = NAMED(width_of)(moduli[0]) + padding;
    const uint32_t stop = 1, base_signs = signs_of(one_base(), NULL);
    const uint64_t squarings = bits_of(one_exponent()) - 1;
    const char *checkpoint = is("squaring") ? NULL : path;
    int32_t status;
    if (checkpoint) {
        remove(checkpoint);
        OK(pingala_options_set_watch(options, &stop, NULL));
        status = FUNCTION(modulus_repeated_square)(moduli[0], NAMED(out), width, base, base_len, squarings, base_signs, checkpoint, 1000,
                                                   options, WHY);
        if (status != PINGALA_INTERRUPTED && status != PINGALA_OK && !is_tolerated(status))
            wrong("stopped", 0, pingala_status_name(status));
        OK(pingala_options_set_watch(options, NULL, NULL));
    }
    NAMED(dirty)();
    status = FUNCTION(modulus_repeated_square)(moduli[0], NAMED(out), width, base, base_len, squarings, base_signs, checkpoint, 1000, options,
                                               WHY);
    NAMED(compare)("repeated_square", 0, status, NAMED(out), width);
}

#include "generated_primes.h"

/* Makes the call in every way that these units have. */
static void NAMED(make)(size_t padding)
{
    const int of_words = is("words"), by_numbers = is("powmod") || is("modexp") || of_words;
    if (!by_numbers && !is_of_primes() && !is_not_offered())
        NAMED(open_moduli)(padding);
    if (is_not_offered()) {
        return;
    } else if (is_of_primes()) {
        NAMED(primes)(padding);
    } else if (is("prove_squaring") || is("verify_squaring")) {
        NAMED(proofs)(padding);
    } else if (by_numbers) {
        NAMED(single)("powmod", padding);
    } else if (is("power")) {
        NAMED(single)("pow", padding);
        NAMED(single)("powmod", padding);
        NAMED(lists_of_one_modulus)(padding);
    } else if (is("list") || is("rows") || is("product_list")) {
        NAMED(lists_of_moduli)(padding);
        if (call.n_moduli == 1)
            NAMED(lists_of_one_modulus)(padding);
    } else if (is("base_list") || is("exponent_list")) {
        NAMED(lists_of_one_modulus)(padding);
        NAMED(lists_of_moduli)(padding);
    } else if (is("product") || is("invert_list")) {
        NAMED(lists_of_one_modulus)(padding);
    } else if (is("fixed_base") || is("fixed_base_list") || is("fixed_base_file")) {
        NAMED(fixed_base)(padding);
    } else if (is("squaring") || is("squaring_resumed")) {
        NAMED(squarings)(padding);
    } else if (is("invert")) {
        NAMED(single)("invert", padding);
    } else if (is("secret_power") || is("secret_bytes")) {
        NAMED(single)("pow_sec", padding);
    } else if (is("secret_list") || is("secret_fixed_base") || is("secret_fixed_base_list")) {
        NAMED(secret_lists)(padding);
    } else if (is("mul_list") || is("square_list") || is("value_product") || is("running_product") || is("mul_rows")) {
        NAMED(multiplications)(padding);
    } else {
        broken("this driver does not know the workload");
    }
    close_moduli();
}

#undef LIST
#undef UNIT_BYTES
