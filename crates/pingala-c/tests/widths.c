/* Rows of a declared width, moduli that are given with leading zeros, and lengths that cannot be. It is C99 and C++17. */
#include "check.h"

#define COUNT 9
#define WIDE 8 /* bytes of a row; the modulus takes 3 of them. A row of limbs has 4 */
#define M 16000057u

#define LONG(call) CHECK((call) == PINGALA_TOO_LONG)
#define BAD(call) CHECK((call) == PINGALA_BAD_ARGUMENT)

static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (base %= M; exponent > 0; exponent >>= 1, base = base * base % M)
        if (exponent & 1)
            result = result * base % M;
    return result;
}

static void put(uint8_t *row, size_t width, uint64_t value)
{
    size_t i;
    for (i = 0; i < width; i++)
        row[width - 1 - i] = i < 8 ? (uint8_t)(value >> (8 * i)) : 0;
}

/* The row is this number, with zeros on top. */
static int is(const uint8_t *row, size_t width, uint64_t value)
{
    uint8_t wanted[WIDE];
    put(wanted, width, value);
    return memcmp(row, wanted, width) == 0;
}

static uint8_t bases[COUNT * WIDE], exponents[COUNT * 2], out[COUNT * WIDE + 1], bits24[3] = {0, 1, 1};
static uint64_t limb_bases[COUNT * 2], limb_out[COUNT * 2 + 1];
static int32_t status[COUNT];

static uint64_t base_of(size_t i) { return 1000000 + 77 * i; }

static void fill(size_t width, size_t limbs)
{
    size_t i;
    memset(out, 0xee, sizeof out);
    memset(limb_out, 0xee, sizeof limb_out);
    memset(limb_bases, 0, sizeof limb_bases);
    for (i = 0; i < COUNT; i++) {
        put(bases + i * width, width, base_of(i));
        limb_bases[i * limbs] = base_of(i);
        put(exponents + 2 * i, 2, 3 + i);
    }
}

static void rows_are(size_t width, const char *what, uint64_t (*of)(size_t))
{
    size_t i;
    for (i = 0; i < COUNT; i++)
        if (!is(out + i * width, width, of(i)) || status[i] != PINGALA_OK) {
            fprintf(stderr, "%s: row %u of width %u\n", what, (unsigned)i, (unsigned)width);
            failed = 1;
        }
    CHECK(out[COUNT * width] == 0xee); /* nothing is written behind the rows */
    memset(out, 0xee, sizeof out);
}

static void limb_rows_are(size_t width, const char *what, uint64_t (*of)(size_t))
{
    size_t i;
    for (i = 0; i < COUNT; i++)
        if (limb_out[i * width] != of(i) || (width > 1 && limb_out[i * width + 1] != 0) || status[i] != PINGALA_OK) {
            fprintf(stderr, "%s: row %u of %u limbs\n", what, (unsigned)i, (unsigned)width);
            failed = 1;
        }
    CHECK(limb_out[COUNT * width] == UINT64_C(0xeeeeeeeeeeeeeeee));
    memset(limb_out, 0xee, sizeof limb_out);
}

static uint64_t each_power(size_t i) { return power(base_of(i), 3 + i); }
static uint64_t of_one_base(size_t i) { return power(5, 3 + i); }
static uint64_t of_one_exponent(size_t i) { return power(base_of(i), 257); }
static uint64_t inverse(size_t i) { return power(base_of(i), M - 2); }

/* Every list on this handle with rows of this width. */
static void all_lists(const pingala_modulus *m, size_t width, size_t limbs, pingala_options *options)
{
    const uint8_t five = 5, *const sec = bits24 + 1;
    const uint64_t limb_exponent = 257;
    uint64_t limb_exponents[COUNT], each[COUNT], product = 1;
    uint8_t wide[WIDE];
    pingala_fixed_base *fixed = NULL, *secret = NULL;
    pingala_fixed_exponent *chain = NULL;
    pingala_fixed_power *planned = NULL;
    size_t i;

    fill(width, limbs);
    for (i = 0; i < COUNT; i++) {
        limb_exponents[i] = 3 + i;
        product = product * each_power(i) % M;
    }
    if (options)
        OK(pingala_options_set_width(options, width));
    OK(pingala_modulus_pow_list_be(m, out, bases, exponents, 2, COUNT, status, NULL, options, WHY));
    rows_are(width, "pow_list", each_power);
    OK(pingala_modulus_pow_exp_list_be(m, out, &five, 1, 0, exponents, 2, COUNT, status, NULL, options, WHY));
    rows_are(width, "pow_exp_list", of_one_base);
    OK(pingala_modulus_pow_base_list_be(m, out, bases, sec, 2, 0, COUNT, status, NULL, options, WHY));
    rows_are(width, "pow_base_list", of_one_exponent);
    OK(pingala_modulus_invert_list_be(m, out, bases, COUNT, status, NULL, options, WHY));
    rows_are(width, "invert_list", inverse);
    OK(pingala_modulus_pow_sec_list_be(m, out, bases, sec, 2, 16, 1, COUNT, status, options, WHY));
    rows_are(width, "pow_sec_list", of_one_exponent);
    OK(pingala_modulus_pow_product_be(m, wide, WIDE, bases, exponents, 2, COUNT, NULL, options, WHY));
    CHECK(is(wide, WIDE, product));
    for (i = 0; i < COUNT; i++)
        each[i] = i + 1;
    OK(pingala_modulus_pow_product_list_be(m, out, bases, exponents, 2, COUNT, each, COUNT, status, NULL, options, WHY));
    rows_are(width, "pow_product_list", each_power);
    each[0] = 0, each[1] = COUNT;
    OK(pingala_modulus_pow_product_list_be(m, out, bases, exponents, 2, COUNT, each, 2, status, NULL, options, WHY));
    CHECK(is(out, width, 1) && is(out + width, width, product) && out[2 * width] == 0xee);
    memset(out, 0xee, sizeof out);
    OK(pingala_fixed_base_new_be(&fixed, m, &five, 1, 0, 16, 1 << 14, 0, 0, NULL, WHY));
    OK(pingala_fixed_base_new_be(&secret, m, &five, 1, 0, 16, 1 << 14, 0, PINGALA_FOR_SECRETS, NULL, WHY));
    OK(pingala_fixed_base_pow_list_be(fixed, out, exponents, 2, COUNT, status, NULL, options, WHY));
    rows_are(width, "fixed_base_pow_list", of_one_base);
    OK(pingala_fixed_base_pow_sec_list_be(secret, out, exponents, 2, 16, COUNT, status, options, WHY));
    rows_are(width, "fixed_base_pow_sec_list", of_one_base);
    OK(pingala_fixed_exponent_search_be(&chain, sec, 2, 1000, 0, 1, NULL, WHY));
    OK(pingala_fixed_exponent_modulo(chain, m, &planned, WHY));
    OK(pingala_fixed_power_pow_list_be(planned, out, bases, COUNT, status, NULL, options, WHY));
    rows_are(width, "fixed_power_pow_list", of_one_exponent);

    if (options)
        OK(pingala_options_set_width(options, limbs));
    OK(pingala_modulus_pow_list_limbs(m, limb_out, limb_bases, limb_exponents, 1, COUNT, status, NULL, options, WHY));
    limb_rows_are(limbs, "pow_list", each_power);
    OK(pingala_modulus_pow_exp_list_limbs(m, limb_out, limb_exponents + 2, 1, 0, limb_exponents, 1, COUNT, status, NULL, options, WHY));
    limb_rows_are(limbs, "pow_exp_list", of_one_base);
    OK(pingala_modulus_pow_base_list_limbs(m, limb_out, limb_bases, &limb_exponent, 1, 0, COUNT, status, NULL, options, WHY));
    limb_rows_are(limbs, "pow_base_list", of_one_exponent);
    OK(pingala_modulus_invert_list_limbs(m, limb_out, limb_bases, COUNT, status, NULL, options, WHY));
    limb_rows_are(limbs, "invert_list", inverse);
    OK(pingala_modulus_pow_sec_list_limbs(m, limb_out, limb_bases, &limb_exponent, 1, 16, 1, COUNT, status, options, WHY));
    limb_rows_are(limbs, "pow_sec_list", of_one_exponent);
    OK(pingala_modulus_pow_product_limbs(m, limb_out, 1, limb_bases, limb_exponents, 1, COUNT, NULL, options, WHY));
    CHECK(limb_out[0] == product);
    OK(pingala_modulus_pow_product_list_limbs(m, limb_out, limb_bases, limb_exponents, 1, COUNT, each, 2, status, NULL, options, WHY));
    CHECK(limb_out[0] == 1 && limb_out[limbs] == product && limb_out[2 * limbs] == UINT64_C(0xeeeeeeeeeeeeeeee));
    memset(limb_out, 0xee, sizeof limb_out);
    OK(pingala_fixed_base_pow_list_limbs(fixed, limb_out, limb_exponents, 1, COUNT, status, NULL, options, WHY));
    limb_rows_are(limbs, "fixed_base_pow_list", of_one_base);
    OK(pingala_fixed_base_pow_sec_list_limbs(secret, limb_out, limb_exponents, 1, 16, COUNT, status, options, WHY));
    limb_rows_are(limbs, "fixed_base_pow_sec_list", of_one_base);
    OK(pingala_fixed_power_pow_list_limbs(planned, limb_out, limb_bases, COUNT, status, NULL, options, WHY));
    limb_rows_are(limbs, "fixed_power_pow_list", of_one_exponent);
    pingala_fixed_base_free(fixed);
    pingala_fixed_base_free(secret);
    pingala_fixed_power_free(planned);
    pingala_fixed_exponent_free(chain);
}

static void widths(void)
{
    const uint8_t exact[3] = {0xf4, 0x24, 0x39}, padded[WIDE] = {0, 0, 0, 0, 0, 0xf4, 0x24, 0x39}, five = 5;
    const uint64_t limbs[2] = {M, 0}, ends[] = {1};
    pingala_modulus *m = NULL, *wide = NULL, *two_limbs = NULL, *of_table = NULL;
    pingala_fixed_base *fixed = NULL;
    pingala_options *options = NULL;
    size_t width;

    OK(pingala_options_new(&options, WHY));
    OK(pingala_modulus_new_be(&m, exact, 3, WHY));
    OK(pingala_modulus_new_be(&wide, padded, WIDE, WHY));
    OK(pingala_modulus_new_limbs(&two_limbs, limbs, 2, WHY));
    CHECK(pingala_modulus_width_be(m) == 3 && pingala_modulus_width_limbs(m) == 1);
    CHECK(pingala_modulus_width_be(wide) == 3 && pingala_modulus_width_limbs(two_limbs) == 1);
    CHECK(pingala_modulus_width_be(NULL) == 0 && pingala_modulus_width_limbs(NULL) == 0);
    all_lists(m, 3, 1, NULL);
    for (width = 3; width <= WIDE; width++) {
        all_lists(m, width, 1 + width % 2, options);
        all_lists(wide, width, 1 + width % 2, options);
        all_lists(two_limbs, width, 1 + width % 2, options);
    }
    /* Too small, for every kind of handle. */
    OK(pingala_options_set_width(options, 2));
    CHECK(pingala_modulus_pow_list_be(m, out, bases, exponents, 2, COUNT, status, NULL, options, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(strstr(why, "rows of 2 units are declared; the modulus takes 3") != NULL);
    OK(pingala_options_set_width(options, SIZE_MAX));
    CHECK(pingala_modulus_pow_list_be(m, out, bases, exponents, 2, COUNT, status, NULL, options, WHY) == PINGALA_BAD_ARGUMENT);
    OK(pingala_options_set_width(options, 0));
    CHECK(pingala_options_set_width(NULL, 3) == PINGALA_BAD_ARGUMENT);

    /* A modulus in a padded buffer has no rows before their width is declared: they would be read and written at wrong places. */
    OK(pingala_fixed_base_new_be(&fixed, wide, &five, 1, 0, 16, 1 << 14, 0, 0, NULL, WHY));
    OK(pingala_fixed_base_modulus(fixed, &of_table, WHY));
    memset(out, 0xee, sizeof out);
#define UNKNOWN(call) CHECK((call) == PINGALA_BAD_ARGUMENT && strstr(why, "pingala_options_set_width") != NULL && out[0] == 0xee)
    UNKNOWN(pingala_modulus_pow_list_be(wide, out, bases, exponents, 2, COUNT, status, NULL, NULL, WHY));
    UNKNOWN(pingala_modulus_pow_list_be(wide, out, bases, exponents, 2, COUNT, status, NULL, options, WHY));
    UNKNOWN(pingala_modulus_pow_list_be(of_table, out, bases, exponents, 2, COUNT, status, NULL, NULL, WHY));
    UNKNOWN(pingala_modulus_pow_exp_list_be(wide, out, &five, 1, 0, exponents, 2, COUNT, status, NULL, NULL, WHY));
    UNKNOWN(pingala_modulus_pow_base_list_be(wide, out, bases, &five, 1, 0, COUNT, status, NULL, NULL, WHY));
    UNKNOWN(pingala_modulus_invert_list_be(wide, out, bases, COUNT, status, NULL, NULL, WHY));
    UNKNOWN(pingala_modulus_pow_sec_list_be(wide, out, bases, &five, 1, 8, 1, COUNT, status, NULL, WHY));
    UNKNOWN(pingala_modulus_pow_product_be(wide, out, WIDE, bases, exponents, 2, COUNT, NULL, NULL, WHY));
    UNKNOWN(pingala_modulus_pow_product_list_be(wide, out, bases, exponents, 2, 1, ends, 1, status, NULL, NULL, WHY));
    UNKNOWN(pingala_fixed_base_pow_list_be(fixed, out, exponents, 2, COUNT, status, NULL, NULL, WHY));
    UNKNOWN(pingala_modulus_pow_list_limbs(two_limbs, limb_out, limb_bases, limb_bases, 1, COUNT, status, NULL, NULL, WHY));
    UNKNOWN(pingala_modulus_pow_list_be(two_limbs, out, bases, exponents, 2, COUNT, status, NULL, NULL, WHY));
    /* One number fills its buffer, and rows by limbs of these bytes are as wide as those of the modulus. */
    OK(pingala_modulus_pow_be(wide, out, WIDE, &five, 1, &five, 1, 0, NULL, WHY));
    CHECK(is(out, WIDE, 3125));
    limb_bases[0] = 7;
    OK(pingala_modulus_pow_base_list_limbs(wide, limb_out, limb_bases, limb_bases, 1, 0, 1, status, NULL, NULL, WHY));
    CHECK(limb_out[0] == power(7, 7));
    pingala_fixed_base_free(fixed);
    pingala_modulus_free(of_table);
    pingala_modulus_free(m);
    pingala_modulus_free(wide);
    pingala_modulus_free(two_limbs);
    pingala_options_free(options);
}

/* A megabyte of ones, which is more than every number below may have; and lengths that no memory has. */
static void lengths(void)
{
    const size_t half = SIZE_MAX / 2, megabyte = 1 << 20;
    const uint8_t seven = 7, three = 3, modulus[] = {0xf4, 0x24, 0x39};
    const uint64_t ends[] = {1, 2};
    const uint32_t both[] = {0, 0};
    uint8_t *const huge = (uint8_t *)malloc(megabyte), power_of[4], verdicts[2] = {9, 9}, digest[40] = {0};
    const char *pem = "no key";
    pingala_modulus *m = NULL, *none = NULL;
    pingala_options *options = NULL;
    pingala_fixed_exponent *chain = NULL;
    pingala_fixed_base *fixed = NULL;
    pingala_key *key = NULL;
    const pingala_modulus *moduli[1];
    const pingala_key *keys[1];

    if (huge == NULL)
        exit(2);
    memset(huge, 1, megabyte);
    OK(pingala_options_new(&options, WHY));
    OK(pingala_options_set_limits(options, 1 << 20, 1 << 20));
    OK(pingala_modulus_new_be(&m, modulus, 3, WHY));
    OK(pingala_fixed_base_new_be(&fixed, m, &seven, 1, 0, 16, 1 << 14, 0, 0, NULL, WHY));
    moduli[0] = m;

    LONG(pingala_powmod_be(power_of, 4, &seven, 1, huge, half, modulus, 3, 0, NULL, WHY));
    LONG(pingala_powmod_be(power_of, 4, &seven, 1, huge, megabyte, modulus, 3, 0, options, WHY));
    LONG(pingala_powmod_be(power_of, 4, &seven, 1, &three, 1, huge, half, 0, NULL, WHY));
    BAD(pingala_powmod_be(power_of, 4, huge, half, &three, 1, modulus, 3, 0, NULL, WHY));
    BAD(pingala_powmod_be(power_of, 4, huge, SIZE_MAX, &three, 1, modulus, 3, 0, NULL, WHY));
    LONG(pingala_modulus_new_be(&none, huge, half, WHY));
    LONG(pingala_modulus_new_factored_be(&none, huge, megabyte, NULL, 0, NULL, 0, options, WHY));
    LONG(pingala_modulus_new_factored_be(&none, modulus, 3, huge, megabyte, both, 1, options, WHY));
    LONG(pingala_modulus_new_secret_be(&none, modulus, 3, huge, megabyte, ends, both, 1, options, WHY));
    CHECK(none == NULL);
    LONG(pingala_modulus_pow_be(m, power_of, 4, &seven, 1, huge, half, 0, NULL, WHY));
    BAD(pingala_modulus_pow_be(m, power_of, 4, huge, half, &three, 1, 0, NULL, WHY));
    BAD(pingala_modulus_invert_be(m, power_of, 4, huge, half, 0, WHY));
    BAD(pingala_modulus_repeated_square_be(m, power_of, 4, huge, half, 5, 0, NULL, 0, NULL, WHY));
    LONG(pingala_modulus_pow_sec_be(m, power_of, 4, &seven, 1, huge, half, 24, NULL, WHY));
    BAD(pingala_modulus_pow_sec_be(m, power_of, 4, huge, half, &three, 1, 24, NULL, WHY));
    LONG(pingala_modulus_pow_sec_be(m, power_of, 4, &seven, 1, &three, 1, UINT64_MAX, NULL, WHY));
    LONG(pingala_modulus_pow_sec_list_be(m, power_of, modulus, huge, half, 24, 1, 1, status, NULL, WHY));
    BAD(pingala_modulus_pow_sec_list_be(m, power_of, modulus, huge, half, 24, 3, 3, status, NULL, WHY));
    /* In a list the element has the error. */
    OK(pingala_modulus_pow_list_be(m, power_of, modulus, huge, half, 1, status, NULL, NULL, WHY));
    CHECK(status[0] == PINGALA_TOO_LONG && is(power_of, 3, 0));
    LONG(pingala_modulus_pow_list_be(m, power_of, modulus, huge, half, 1, NULL, NULL, NULL, WHY));
    OK(pingala_modulus_pow_exp_list_be(m, power_of, &seven, 1, 0, huge, megabyte, 1, status, NULL, options, WHY));
    CHECK(status[0] == PINGALA_TOO_LONG);
    OK(pingala_modulus_pow_base_list_be(m, power_of, modulus, huge, half, 0, 1, status, NULL, NULL, WHY));
    CHECK(status[0] == PINGALA_TOO_LONG);
    OK(pingala_pow_list_be(power_of, 3, &seven, 1, huge, half, moduli, 1, NULL, 1, status, NULL, NULL, WHY));
    CHECK(status[0] == PINGALA_TOO_LONG);
    BAD(pingala_pow_list_be(power_of, 3, huge, half, &three, 1, moduli, 1, NULL, 1, status, NULL, NULL, WHY));
    BAD(pingala_pow_list_be(power_of, 3, huge, 1, &three, 1, moduli, half, NULL, 1, status, NULL, NULL, WHY));
    BAD(pingala_pow_list_be(power_of, half, huge, 1, &three, 1, moduli, 1, NULL, 3, status, NULL, NULL, WHY));
    LONG(pingala_modulus_pow_product_be(m, power_of, 3, modulus, huge, half, 1, NULL, NULL, WHY));
    {
        /* Two products of one factor each and one of none between: the second one's exponent is too long. */
        const uint64_t of[] = {1, 1, 2};
        const uint32_t place[] = {0, 0, 0};
        uint8_t *const rows = (uint8_t *)calloc(2, megabyte), products[9];
        if (rows == NULL)
            exit(2);
        rows[megabyte - 1] = 2;
        memset(rows + megabyte, 1, megabyte);
        OK(pingala_pow_product_list_be(products, 3, modulus + 1, 1, rows, megabyte, 2, of, moduli, 1, place, 3, status, NULL, options, WHY));
        CHECK(status[0] == PINGALA_OK && status[1] == PINGALA_OK && status[2] == PINGALA_TOO_LONG);
        CHECK(is(products, 3, 0x24 * 0x24) && is(products + 3, 3, 1) && is(products + 6, 3, 0));
        CHECK(strstr(why, "element 2: element 0: exponent of") != NULL);
        free(rows);
    }
    BAD(pingala_modulus_pow_product_list_be(m, power_of, modulus, &three, 1, half, ends, 1, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_product_list_be(m, power_of, modulus, &three, 1, 1, ends, half, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_product_list_be(m, power_of, modulus, &three, 1, 1, ends, 2, status, NULL, NULL, WHY)); /* ends at 2 */
    BAD(pingala_modulus_pow_product_list_be(NULL, power_of, modulus, &three, 1, 1, ends, 1, status, NULL, NULL, WHY));
    LONG(pingala_fixed_exponent_search_be(&chain, huge, half, 1000, 0, 1, NULL, WHY));
    pingala_fixed_base_free(fixed);
    BAD(pingala_fixed_base_new_be(&fixed, m, huge, half, 0, 16, 1 << 14, 0, 0, NULL, WHY));
    OK(pingala_fixed_base_new_be(&fixed, m, &seven, 1, 0, 16, 1 << 14, 0, 0, NULL, WHY));
    LONG(pingala_fixed_base_pow_be(fixed, power_of, 3, huge, half, 0, NULL, WHY));
    OK(pingala_fixed_base_pow_list_be(fixed, power_of, huge, half, 1, status, NULL, NULL, WHY));
    CHECK(status[0] == PINGALA_TOO_LONG);
    LONG(pingala_options_set_public_exponent_be(options, huge, half));
    LONG(pingala_modulus_explain_be(m, NULL, 0, NULL, PINGALA_PLAN, &seven, 1, huge, half, 0, NULL, WHY));
    LONG(pingala_key_new_rsa_be(&key, huge, half, &three, 1, WHY));
    LONG(pingala_key_new_rsa_be(&key, modulus, 3, huge, megabyte, WHY));
    LONG(pingala_key_new_dsa_be(&key, modulus, 3, &three, 1, huge, megabyte, &seven, 1, WHY));
    BAD(pingala_key_load(&key, (const uint8_t *)pem, 6, WHY));
    CHECK(key == NULL);
    /* An odd number; that it is no modulus of RSA does not matter here. */
    OK(pingala_key_new_rsa_be(&key, modulus, 3, &three, 1, WHY));
    keys[0] = key;
    BAD(pingala_verify_list(verdicts, status, keys, both, digest, 20, digest, ends, half, PINGALA_RSA_PKCS1 | PINGALA_SHA1, NULL, WHY));
    CHECK(verdicts[0] == 9);
    BAD(pingala_verify_list(verdicts, status, keys, both, digest, half, digest, ends, 2, PINGALA_RSA_PKCS1 | PINGALA_SHA1, NULL, WHY));
    CHECK(verdicts[0] == 0);
    pingala_key_free(key);
    pingala_fixed_base_free(fixed);
    pingala_modulus_free(m);
    pingala_options_free(options);
    free(huge);
}

/* Counts for which there is no memory, on a modulus of one byte and one limb. */
static void counts(void)
{
    const size_t many[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8, SIZE_MAX / 8 + 1, SIZE_MAX / 16, (size_t)1 << 50};
    const uint8_t modulus = 101, three = 3, *const some = bases;
    const uint64_t limb = 101, ends[] = {1}, *const limbs = limb_bases;
    pingala_modulus *m = NULL, *none = NULL;
    pingala_fixed_base *fixed = NULL, *secret = NULL;
    pingala_fixed_exponent *chain = NULL;
    pingala_fixed_power *planned = NULL;
    const pingala_modulus *moduli[1];
    size_t i;

    OK(pingala_modulus_new_be(&m, &modulus, 1, WHY));
    OK(pingala_fixed_base_new_be(&fixed, m, &three, 1, 0, 16, 1 << 14, 0, 0, NULL, WHY));
    OK(pingala_fixed_base_new_be(&secret, m, &three, 1, 0, 16, 1 << 14, 0, PINGALA_FOR_SECRETS, NULL, WHY));
    OK(pingala_fixed_exponent_search_be(&chain, &modulus, 1, 1000, 0, 1, NULL, WHY));
    OK(pingala_fixed_exponent_modulo(chain, m, &planned, WHY));
    moduli[0] = m;
    for (i = 0; i < sizeof many / sizeof *many; i++) {
        const size_t n = many[i];
        BAD(pingala_modulus_pow_list_be(m, out, some, some, 1, n, NULL, NULL, NULL, WHY));
        if (n > SIZE_MAX / 4) /* two rows are more than memory can be */
            BAD(pingala_modulus_pow_list_be(m, out, some, some, n, 2, NULL, NULL, NULL, WHY));
        BAD(pingala_modulus_pow_exp_list_be(m, out, &three, 1, 0, some, 1, n, NULL, NULL, NULL, WHY));
        BAD(pingala_modulus_pow_base_list_be(m, out, some, &three, 1, 0, n, NULL, NULL, NULL, WHY));
        BAD(pingala_modulus_invert_list_be(m, out, some, n, NULL, NULL, NULL, WHY));
        BAD(pingala_modulus_pow_product_be(m, out, 1, some, some, 1, n, NULL, NULL, WHY));
        BAD(pingala_modulus_pow_product_list_be(m, out, some, some, 1, n, ends, 1, NULL, NULL, NULL, WHY));
        BAD(pingala_pow_list_be(out, 1, some, 1, some, 1, moduli, 1, NULL, n, NULL, NULL, NULL, WHY));
        if (n > SIZE_MAX / 4)
            BAD(pingala_pow_list_be(out, n, some, 1, some, 1, moduli, 1, NULL, 3, NULL, NULL, NULL, WHY));
        BAD(pingala_modulus_pow_sec_list_be(m, out, some, some, 1, 8, n, n, NULL, NULL, WHY));
        BAD(pingala_modulus_pow_sec_list_be(m, out, some, some, 1, 8, 1, n, NULL, NULL, WHY));
        BAD(pingala_fixed_base_pow_list_be(fixed, out, some, 1, n, NULL, NULL, NULL, WHY));
        BAD(pingala_fixed_base_pow_sec_list_be(secret, out, some, 1, 8, n, NULL, NULL, WHY));
        BAD(pingala_fixed_power_pow_list_be(planned, out, some, n, NULL, NULL, NULL, WHY));
        BAD(pingala_modulus_pow_list_limbs(m, limb_out, limbs, limbs, 1, n, NULL, NULL, NULL, WHY));
        BAD(pingala_modulus_pow_base_list_limbs(m, limb_out, limbs, limbs, 1, 0, n, NULL, NULL, NULL, WHY));
        BAD(pingala_modulus_invert_list_limbs(m, limb_out, limbs, n, NULL, NULL, NULL, WHY));
        BAD(pingala_modulus_pow_sec_list_limbs(m, limb_out, limbs, limbs, 1, 8, 1, n, NULL, NULL, WHY));
        BAD(pingala_modulus_new_factored_be(&none, &modulus, 1, some, 1, NULL, n, NULL, WHY));
        BAD(pingala_modulus_new_factored_limbs(&none, &limb, 1, limbs, 1, NULL, n, NULL, WHY));
    }
    pingala_fixed_power_free(planned);
    pingala_fixed_exponent_free(chain);
    pingala_fixed_base_free(fixed);
    pingala_fixed_base_free(secret);
    pingala_modulus_free(m);
}

int main(void)
{
    widths();
    counts();
    lengths();
    return failed;
}
