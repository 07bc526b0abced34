/* The calls of primes, symbols, roots and proofs for generated.h, which includes it for each kind of units. */

/* Puts all moduli that the elements name, or the one that all have, into rows; gives their width and number. */
static size_t NAMED(fill_moduli)(UNIT *rows, size_t padding, size_t *count)
{
    size_t i, width = 1;
    *count = call.n_moduli == 1 && call.count > 0 ? 1 : call.count;
    for (i = 0; i < call.n_moduli; i++)
        width = larger(width, NAMED(units)(&call.moduli[i].value));
    width += padding;
    for (i = 0; i < *count; i++)
        NAMED(put)(rows + i * width, width, &call.moduli[call.elements[i].modulus].value);
    return width;
}

static void NAMED(tests_of_primes)(size_t padding)
{
    static UNIT n[MOST_BYTES];
    uint8_t answers[MOST];
    uint32_t answer = 99;
    int32_t status;
    size_t i, width = 1;
    if (call.count > 0)
        OK(pingala_options_set_prime_rounds(options, (uint32_t)(bits_of(one_exponent()) > 0 ? one_exponent()->bytes[0] : 0)));
    for (i = 0; i < call.count; i++) {
        const size_t n_len = NAMED(padded)(n, not_below_zero(&call.elements[i].bases[0]), padding);
        status = FUNCTION(is_prime)(&answer, n, n_len, options, WHY);
        compare_small("is_prime", i, status, (int)answer);
        width = larger(width, n_len);
    }
    for (i = 0; i < call.count; i++)
        NAMED(put)(NAMED(bases) + i * width, width, not_below_zero(&call.elements[i].bases[0]));
    status = FUNCTION(is_prime_list)(answers, NAMED(bases), width, call.count, options, WHY);
    if (!is_first(status))
        wrong("is_prime_list", 0, pingala_status_name(status));
    for (i = 0; i < call.count && status == PINGALA_OK; i++)
        compare_small("is_prime_list", i, status, answers[i]);
}

static void NAMED(searches)(size_t padding)
{
    static UNIT n[MOST_BYTES];
    const Number *number = not_below_zero(one_base());
    const size_t n_len = NAMED(padded)(n, number, padding), width = n_len + 1;
    int32_t status;
    NAMED(dirty)();
    status = is("next_prime") ? FUNCTION(next_prime)(NAMED(out), width, n, n_len, options, WHY)
                              : FUNCTION(previous_prime)(NAMED(out), width, n, n_len, options, WHY);
    NAMED(compare)(call.workload, 0, status, NAMED(out), width);
}

static void NAMED(interval)(size_t padding)
{
    static UNIT a[MOST_BYTES], b[MOST_BYTES];
    const size_t a_len = NAMED(padded)(a, not_below_zero(one_base()), padding), b_len = NAMED(padded)(b, not_below_zero(one_exponent()), padding);
    const size_t width = larger(b_len, 1), rooms[] = {0, 1, MOST};
    size_t i, j, needed;
    int32_t status;
    for (i = 0; i < 3; i++) {
        needed = 99;
        NAMED(dirty)();
        status = FUNCTION(primes_between)(rooms[i] > 0 ? NAMED(out) : NULL, rooms[i] * width, width, &needed, a, a_len, b, b_len, options, WHY);
        if (status == PINGALA_OK && needed + 1 != call.count)
            wrong("primes_between", 0, "another number of primes");
        if (!is_first(status))
            wrong("primes_between", 0, pingala_status_name(status));
        for (j = 0; status == PINGALA_OK && j < needed && j < rooms[i]; j++)
            NAMED(compare)("primes_between", j, status, NAMED(out) + j * width, width);
        compared++;
    }
}

static void NAMED(symbols)(size_t padding)
{
    static UNIT a[MOST_BYTES], n[MOST_BYTES];
    const size_t a_width = NAMED(fill)(NAMED(bases), 1, 1, padding);
    size_t i, n_count, n_width = NAMED(fill_moduli)(NAMED(exponents), padding, &n_count);
    int32_t status, symbol = 99, symbols[MOST];
    for (i = 0; i < call.count; i++) {
        const Number *number = &call.elements[i].bases[0];
        const size_t a_len = NAMED(padded)(a, number, padding);
        const size_t n_len = NAMED(padded)(n, &call.moduli[call.elements[i].modulus].value, padding);
        status = FUNCTION(jacobi)(&symbol, a, a_len, n, n_len, signs_of(number, NULL), options, WHY);
        compare_small("jacobi", i, status, symbol);
    }
    status = FUNCTION(jacobi_list)(symbols, NAMED(bases), a_width, NAMED(exponents), n_width, n_count, call.count, signs_of_bases,
                                   options, WHY);
    if (!is_first(status))
        wrong("jacobi_list", 0, pingala_status_name(status));
    for (i = 0; i < call.count && status == PINGALA_OK; i++)
        compare_small("jacobi_list", i, status, symbols[i]);
}

static void NAMED(roots)(size_t padding)
{
    static UNIT a[MOST_BYTES], p[MOST_BYTES];
    const size_t a_width = NAMED(fill)(NAMED(bases), 1, 1, padding);
    size_t i, p_count, p_width = NAMED(fill_moduli)(NAMED(exponents), padding, &p_count);
    int32_t statuses[MOST], status;
    for (i = 0; i < call.count; i++) {
        const Number *number = &call.elements[i].bases[0];
        const size_t a_len = NAMED(padded)(a, number, padding);
        const size_t p_len = NAMED(padded)(p, &call.moduli[call.elements[i].modulus].value, padding);
        NAMED(dirty)();
        status = FUNCTION(sqrt_mod)(NAMED(out), p_len, a, a_len, p, p_len, signs_of(number, NULL), options, WHY);
        NAMED(compare)("sqrt_mod", i, status, NAMED(out), p_len);
    }
    if (call.cap > 0) /* the lengths of a list are looked at before the statuses of its elements */
        return;
    LIST("sqrt_mod_list", p_width,
         FUNCTION(sqrt_mod_list)(NAMED(out), p_width, NAMED(bases), a_width, NAMED(exponents), p_width, p_count, call.count, each,
                                 signs_of_bases, options, WHY));
}

/* A Kronecker symbol of any two numbers. */
static void NAMED(kronecker)(size_t padding)
{
    static UNIT a[MOST_BYTES], n[MOST_BYTES];
    const size_t a_len = NAMED(padded)(a, one_base(), padding), n_len = NAMED(padded)(n, one_exponent(), padding);
    int32_t symbol = 99;
    const int32_t status = FUNCTION(kronecker)(&symbol, a, a_len, n, n_len, signs_of(one_base(), one_exponent()), options, WHY);
    compare_small("kronecker", 0, status, symbol);
}

/* All roots modulo a prime, or by a handle that has its factors, with room for none, one, and all; one root is one of them. */
static void NAMED(all_roots)(size_t padding)
{
    static UNIT a[MOST_BYTES], p[MOST_BYTES], root[MOST_BYTES];
    const size_t a_len = NAMED(padded)(a, one_base(), padding), width = NAMED(padded)(p, &call.moduli[0].value, padding);
    const size_t rooms[] = {0, 1, MOST};
    const uint32_t own_signs = signs_of(one_base(), NULL);
    const int by_handle = call.moduli[0].n_factors > 0;
    size_t i, j, needed;
    int32_t status;
    if (by_handle)
        NAMED(open_moduli)(padding);
    for (i = 0; i < 3; i++) {
        UNIT *out = rooms[i] > 0 ? NAMED(out) : NULL;
        int is_there = 0;
        needed = 99;
        NAMED(dirty)();
        status = by_handle ? FUNCTION(modulus_sqrt_all)(moduli[0], out, rooms[i] * width, width, &needed, a, a_len,
                                                        read_small(one_exponent()), own_signs, options, WHY)
                           : FUNCTION(sqrt_mod_all)(out, rooms[i] * width, width, &needed, a, a_len, p, width, own_signs, options, WHY);
        compared++;
        if (is_tolerated(status))
            continue;
        if (status == PINGALA_OK && needed + 1 != call.count)
            wrong("sqrt_mod_all", 0, "another number of roots");
        if (!is_first(status))
            wrong("sqrt_mod_all", 0, pingala_status_name(status));
        for (j = 0; status == PINGALA_OK && j < needed && j < rooms[i]; j++)
            NAMED(compare)("sqrt_mod_all", j, status, NAMED(out) + j * width, width);
        if (status != PINGALA_OK || rooms[i] < MOST)
            continue;
        status = by_handle ? FUNCTION(modulus_sqrt)(moduli[0], root, width, a, a_len, own_signs, options, WHY)
                           : FUNCTION(sqrt_mod)(root, width, a, a_len, p, width, own_signs, options, WHY);
        for (j = 0; j < needed; j++)
            is_there |= memcmp(root, NAMED(out) + j * width, width * UNIT_BYTES) == 0;
        if (!is_tolerated(status) && (needed > 0 ? status != PINGALA_OK || !is_there : status != PINGALA_BAD_ARGUMENT))
            wrong("one root of all", 0, pingala_status_name(status));
    }
}

static void NAMED(estimates)(size_t padding)
{
    static UNIT residue[MOST_BYTES], divisor[MOST_BYTES];
    const Element *e = &call.elements[0];
    const size_t divisor_len = NAMED(padded)(divisor, &e->exponents[1], padding), residue_len = NAMED(padded)(residue, &e->bases[1], padding);
    const uint32_t conditions = (e->bases[3].length > 0 ? PINGALA_SAFE_PRIME : 0u) |
                                (read_small(&e->bases[2]) == 2 ? PINGALA_TWO_TOP_BITS : 0u) |
                                (e->exponents[3].length > 0 ? PINGALA_UNIFORM_PRIME : 0u);
    double tests = 0, seconds = -1;
    int32_t status = PINGALA_OK;
    OK(pingala_options_set_prime_rounds(options, (uint32_t)read_small(&e->exponents[2])));
    if (e->exponents[1].length > 0)
        status = FUNCTION(options_set_prime_residue)(options, residue, residue_len, divisor, divisor_len);
    if (status == PINGALA_OK)
        status = pingala_estimate_random_prime(&tests, &seconds, read_small(&e->bases[0]), conditions, e->exponents[0].length > 0, options,
                                               WHY);
    compare_small("estimate_random_prime", 0, status, tests >= 1 && seconds >= 0);
    OK(FUNCTION(options_set_prime_residue)(options, NULL, 0, NULL, 0));
}

static void NAMED(primes)(size_t padding)
{
    if (is("is_prime") || is("is_prime_list"))
        NAMED(tests_of_primes)(padding);
    else if (is("next_prime") || is("previous_prime"))
        NAMED(searches)(padding);
    else if (is("primes_between"))
        NAMED(interval)(padding);
    else if (is("jacobi") || is("jacobi_list"))
        NAMED(symbols)(padding);
    else if (is("sqrt_mod") || is("sqrt_mod_list"))
        NAMED(roots)(padding);
    else if (is("kronecker"))
        NAMED(kronecker)(padding);
    else if (is("sqrt_mod_all"))
        NAMED(all_roots)(padding);
    else if (is("estimate_prime"))
        NAMED(estimates)(padding);
    else
        broken("this driver does not know the workload");
}

/* Squarings with a proof, at a stretch, and with a stop at the start, a file and little memory; and verdicts on proofs. */
static void NAMED(proofs)(size_t padding)
{
    static UNIT base[MOST_BYTES], result[MOST_BYTES], root[MOST_BYTES];
    const size_t base_len = NAMED(padded)(base, one_base(), padding), width = NAMED(width_of)(moduli[0]) + padding;
    const uint32_t stop = 1, base_signs = signs_of(one_base(), NULL);
    const uint64_t squarings = read_small(one_exponent());
    int32_t status;
    uint32_t valid = 99;
    size_t i;
    if (is("verify_squaring")) {
        const Element *e = &call.elements[0];
        const size_t result_len = NAMED(padded)(result, &e->bases[1], padding), root_len = NAMED(padded)(root, &e->exponents[1], padding);
        status = FUNCTION(modulus_verify_squaring)(moduli[0], &valid, base, base_len, squarings, base_signs, result, result_len, root,
                                                   root_len, options, WHY);
        compare_small("verify_squaring", 0, status, (int)valid);
        const uint8_t sign = (uint8_t)base_signs;
        uint8_t answer = 99;
        /* A row has one unit at least. */
        if (base_len == 0) base[0] = 0;
        if (result_len == 0) result[0] = 0;
        if (root_len == 0) root[0] = 0;
        status = FUNCTION(modulus_verify_squaring_list)(moduli[0], &answer, base, base_len + !base_len, squarings, result,
                                                        result_len + !result_len, root, root_len + !root_len, 1, &sign, options, WHY);
        compare_small("verify_squaring_list", 0, status, answer);
        return;
    }
    for (i = 0; i < 3; i++) {
        const char *checkpoint = i > 0 ? path : NULL;
        UNIT *proof = NAMED(out) + width;
        NAMED(dirty)();
        if (i == 1) {
            remove(path);
            OK(pingala_options_set_watch(options, &stop, NULL));
        }
        status = FUNCTION(modulus_prove_squaring)(moduli[0], NAMED(out), width, proof, width, base, base_len, squarings, base_signs,
                                                  checkpoint, 1000, i > 0 ? 1 : 0, options, WHY);
        if (i == 1) {
            OK(pingala_options_set_watch(options, NULL, NULL));
            if (status == PINGALA_INTERRUPTED)
                continue;
        }
        NAMED(compare)("prove_squaring", 0, status, NAMED(out), width);
        NAMED(compare)("prove_squaring", 1, status, proof, width);
    }
    remove(path);
}
