/* Arguments that no careful caller gives: NULL with a length, memory that is not aligned, operands that overlap results, places beyond the
 * end, plans of other workloads, lengths of 0. Each is an error that names what is wrong, or has its one right result; none writes beside
 * its result. widths.c has lengths and counts for which there is no memory. */
#include "check.h"

#define BAD(call) CHECK((call) == PINGALA_BAD_ARGUMENT && why[0] != 0)
#define PLAN_IS_BAD(call) CHECK((call) == PINGALA_BAD_PLAN && why[0] != 0)

enum { M = 1000003 };
static const uint64_t m_limb = M, three = 3, big[2] = {1, 1};
static const uint8_t m_bytes[3] = {0x0f, 0x42, 0x43}, three_bytes[1] = {3};
static pingala_modulus *m, *none;
static int32_t status[4];

static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    while (exponent-- > 0)
        result = result * base % M;
    return result;
}

/* NULL where the length says that there is something, and nowhere an access. */
static void nulls(void)
{
    uint64_t out[4] = {0}, ends[2] = {1, 2};
    const uint64_t rows[4] = {2, 3, 4, 5};
    uint8_t verdicts[2], digest[64] = {0};
    char text[64];
    pingala_fixed_base *fixed = NULL;
    pingala_fixed_exponent *chain = NULL;
    pingala_key *key = NULL;
    pingala_options *options = NULL;
    const pingala_modulus *moduli[2] = {m, NULL};
    const pingala_key *keys[1] = {NULL};
    const uint32_t first[2] = {0, 0};

    OK(pingala_options_new(&options, WHY));
    BAD(pingala_powmod_limbs(NULL, 1, &three, 1, &three, 1, &m_limb, 1, 0, NULL, WHY));
    BAD(pingala_powmod_limbs(out, 1, NULL, 1, &three, 1, &m_limb, 1, 0, NULL, WHY));
    BAD(pingala_powmod_limbs(out, 1, &three, 1, NULL, 1, &m_limb, 1, 0, NULL, WHY));
    BAD(pingala_powmod_limbs(out, 1, &three, 1, &three, 1, NULL, 1, 0, NULL, WHY));
    BAD(pingala_modulus_pow_be(m, NULL, 3, three_bytes, 1, three_bytes, 1, 0, NULL, WHY));
    BAD(pingala_modulus_pow_be(NULL, digest, 3, three_bytes, 1, three_bytes, 1, 0, NULL, WHY));
    BAD(pingala_modulus_pow_be(m, digest, 3, NULL, 1, three_bytes, 1, 0, NULL, WHY));
    BAD(pingala_modulus_pow_be(m, digest, 3, three_bytes, 1, NULL, 1, 0, NULL, WHY));
    BAD(pingala_modulus_new_be(&none, NULL, 3, WHY));
    BAD(pingala_modulus_new_be(NULL, m_bytes, 3, WHY));
    BAD(pingala_modulus_new_factored_limbs(&none, &m_limb, 1, NULL, 1, first, 1, NULL, WHY));
    BAD(pingala_modulus_new_factored_limbs(&none, &m_limb, 1, &m_limb, 1, NULL, 1, NULL, WHY));
    BAD(pingala_modulus_new_secret_limbs(&none, &m_limb, 1, rows, 1, NULL, first, 2, NULL, WHY));
    BAD(pingala_modulus_new_secret_limbs(&none, &m_limb, 1, rows, 1, ends, NULL, 2, NULL, WHY));
    BAD(pingala_modulus_value_limbs(m, NULL, 1, WHY));
    BAD(pingala_modulus_invert_limbs(m, out, 1, NULL, 1, 0, WHY));
    BAD(pingala_modulus_repeated_square_limbs(m, out, 1, NULL, 1, 5, 0, NULL, 0, NULL, WHY));
    BAD(pingala_modulus_pow_sec_limbs(m, out, 1, NULL, 1, &three, 1, 8, NULL, WHY));
    BAD(pingala_modulus_pow_sec_limbs(m, out, 1, &three, 1, NULL, 1, 8, NULL, WHY));
    BAD(pingala_modulus_pow_sec_limbs(m, NULL, 1, &three, 1, &three, 1, 8, NULL, WHY));
    BAD(pingala_modulus_pow_list_limbs(m, NULL, rows, rows, 1, 2, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_list_limbs(m, out, NULL, rows, 1, 2, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_list_limbs(m, out, rows, NULL, 1, 2, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_list_limbs(NULL, out, rows, rows, 1, 2, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_exp_list_limbs(m, out, NULL, 1, 0, rows, 1, 2, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_base_list_limbs(m, out, rows, NULL, 1, 0, 2, status, NULL, NULL, WHY));
    BAD(pingala_modulus_invert_list_limbs(m, out, NULL, 2, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_sec_list_limbs(m, out, NULL, rows, 1, 8, 2, 2, status, NULL, WHY));
    BAD(pingala_modulus_pow_sec_list_limbs(m, out, rows, NULL, 1, 8, 2, 2, status, NULL, WHY));
    BAD(pingala_pow_list_limbs(out, 1, rows, 1, rows, 1, NULL, 1, first, 2, status, NULL, NULL, WHY));
    BAD(pingala_pow_list_limbs(out, 1, rows, 1, rows, 1, moduli, 2, first, 2, status, NULL, NULL, WHY)); /* one of them is NULL */
    BAD(pingala_pow_list_limbs(out, 1, rows, 1, rows, 1, moduli, 0, first, 2, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_product_limbs(m, out, 1, NULL, rows, 1, 2, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_product_limbs(m, NULL, 1, rows, rows, 1, 2, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_product_list_limbs(m, out, rows, rows, 1, 2, NULL, 2, status, NULL, NULL, WHY));
    BAD(pingala_fixed_base_new_limbs(&fixed, m, NULL, 1, 0, 16, 1 << 14, 0, 0, NULL, WHY));
    BAD(pingala_fixed_base_new_limbs(&fixed, NULL, &three, 1, 0, 16, 1 << 14, 0, 0, NULL, WHY));
    BAD(pingala_fixed_base_new_limbs(&fixed, m, &three, 1, 0, 16, 1 << 14, 0, 8, NULL, WHY)); /* no such kind */
    BAD(pingala_fixed_base_load(&fixed, NULL, NULL, NULL, WHY));
    BAD(pingala_fixed_exponent_search_limbs(&chain, NULL, 1, 100, 0, 1, NULL, WHY));
    BAD(pingala_modulus_explain_limbs(m, text, 64, NULL, PINGALA_TEXT, NULL, 1, &three, 1, 0, NULL, WHY));
    BAD(pingala_modulus_explain_limbs(m, text, 64, NULL, 77, &three, 1, &three, 1, 0, NULL, WHY));
    BAD(pingala_options_set_public_exponent_limbs(NULL, &three, 1));
    CHECK(pingala_options_set_public_exponent_limbs(options, NULL, 1) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_options_set_watch(NULL, NULL, NULL) == PINGALA_BAD_ARGUMENT);
    BAD(pingala_key_new_rsa_be(&key, NULL, 3, three_bytes, 1, WHY));
    BAD(pingala_key_new_rsa_be(&key, m_bytes, 3, NULL, 1, WHY));
    BAD(pingala_key_load(&key, NULL, 9, WHY));
    BAD(pingala_key_load(&key, digest, 0, WHY));
    BAD(pingala_hash(digest, 64, NULL, PINGALA_SHA256, NULL, 5, WHY));
    BAD(pingala_hash(NULL, 64, NULL, PINGALA_SHA256, digest, 5, WHY));
    BAD(pingala_verify_list(NULL, NULL, keys, first, digest, 20, digest, ends, 2, PINGALA_RSA_PKCS1 | PINGALA_SHA1, NULL, WHY));
    BAD(pingala_verify_list(verdicts, NULL, NULL, first, digest, 20, digest, ends, 2, PINGALA_RSA_PKCS1 | PINGALA_SHA1, NULL, WHY));
    BAD(pingala_verify_list(verdicts, NULL, keys, first, digest, 20, digest, ends, 2, PINGALA_RSA_PKCS1 | PINGALA_SHA1, NULL, WHY));
    BAD(pingala_verify_list(verdicts, NULL, keys, first, NULL, 20, digest, ends, 2, PINGALA_RSA_PKCS1 | PINGALA_SHA1, NULL, WHY));
    BAD(pingala_verify_list(verdicts, NULL, keys, first, digest, 20, NULL, ends, 2, PINGALA_RSA_PKCS1 | PINGALA_SHA1, NULL, WHY));
    BAD(pingala_verify_list(verdicts, NULL, keys, first, digest, 20, digest, NULL, 2, PINGALA_RSA_PKCS1 | PINGALA_SHA1, NULL, WHY));
    CHECK(none == NULL && fixed == NULL && chain == NULL && key == NULL);
    /* A call without room for a message, and one with room for its end only. */
    CHECK(pingala_powmod_limbs(out, 1, NULL, 1, &three, 1, &m_limb, 1, 0, NULL, NULL, 99) == PINGALA_BAD_ARGUMENT);
    why[0] = why[1] = 'x';
    CHECK(pingala_powmod_limbs(out, 1, NULL, 1, &three, 1, &m_limb, 1, 0, NULL, why, 1) == PINGALA_BAD_ARGUMENT);
    CHECK(why[0] == 0 && why[1] == 'x');
    pingala_options_free(options);
}

/* A length of 0 is the number 0, whatever the pointer is. */
static void nothing(void)
{
    uint64_t out[2] = {9, 9};
    uint8_t row[1] = {9};
    OK(pingala_powmod_limbs(out, 1, NULL, 0, &three, 1, &m_limb, 1, 0, NULL, WHY));
    CHECK(out[0] == 0);
    OK(pingala_powmod_limbs(out, 2, NULL, 0, NULL, 0, &m_limb, 1, PINGALA_NEGATIVE_EXPONENT, NULL, WHY)); /* 0^-0 is 0^0 */
    CHECK(out[0] == 1 && out[1] == 0);
    CHECK(pingala_powmod_limbs(out, 1, NULL, 0, &three, 1, &m_limb, 1, PINGALA_NEGATIVE_EXPONENT, NULL, WHY) == PINGALA_NOT_INVERTIBLE);
    CHECK(pingala_powmod_limbs(out, 1, &three, 1, &three, 1, NULL, 0, 0, NULL, WHY) == PINGALA_ZERO_MODULUS);
    CHECK(pingala_modulus_new_be(&none, NULL, 0, WHY) == PINGALA_ZERO_MODULUS && none == NULL);
    CHECK(pingala_modulus_new_factored_be(&none, NULL, 0, NULL, 0, NULL, 0, NULL, WHY) == PINGALA_ZERO_MODULUS && none == NULL);
    OK(pingala_powmod_be(row, 1, three_bytes, 1, three_bytes, 1, three_bytes, 1, 0, NULL, WHY));
    CHECK(row[0] == 0);
    BAD(pingala_powmod_be(row, 0, three_bytes, 1, three_bytes, 1, m_bytes, 3, 0, NULL, WHY));
    BAD(pingala_powmod_be(row, 1, three_bytes, 1, three_bytes, 1, m_bytes, 3, 4, NULL, WHY)); /* no such sign */
    OK(pingala_modulus_pow_list_limbs(m, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, WHY));
    OK(pingala_modulus_pow_product_limbs(m, out, 1, NULL, NULL, 0, 0, NULL, NULL, WHY));
    CHECK(out[0] == 1);
    OK(pingala_modulus_invert_list_limbs(m, NULL, NULL, 0, NULL, NULL, NULL, WHY));
    OK(pingala_pow_list_limbs(NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, NULL, WHY));
    OK(pingala_modulus_pow_product_list_limbs(m, NULL, NULL, NULL, 0, 0, NULL, 0, NULL, NULL, NULL, WHY));
    OK(pingala_modulus_pow_sec_list_limbs(m, NULL, NULL, NULL, 0, 8, 0, 0, NULL, NULL, WHY));
    OK(pingala_verify_list(NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, PINGALA_DSA | PINGALA_SHA256, NULL, WHY));
    BAD(pingala_modulus_pow_list_limbs(m, out, &three, &three, 0, 1, status, NULL, NULL, WHY)); /* exponents without a width */
    BAD(pingala_modulus_pow_sec_list_limbs(m, out, &three, &three, 0, 8, 1, 1, status, NULL, WHY));
}

/* Limbs at an odd address, which the ABI refuses and never reads. */
static void not_aligned(void)
{
    uint64_t room[4] = {0};
    uint8_t *const odd = (uint8_t *)room + 1;
    uint64_t *const limbs = (uint64_t *)(void *)odd;
    uint64_t out = 0;
    pingala_options *options = NULL;
    OK(pingala_options_new(&options, WHY));
    BAD(pingala_powmod_limbs(limbs, 1, &three, 1, &three, 1, &m_limb, 1, 0, NULL, WHY));
    BAD(pingala_powmod_limbs(&out, 1, limbs, 1, &three, 1, &m_limb, 1, 0, NULL, WHY));
    BAD(pingala_modulus_pow_list_limbs(m, limbs, &three, &three, 1, 1, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_list_limbs(m, &out, limbs, &three, 1, 1, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_list_limbs(m, &out, &three, &three, 1, 1, (int32_t *)(void *)odd, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_product_list_limbs(m, &out, &three, &three, 1, 1, limbs, 1, status, NULL, NULL, WHY));
    CHECK(pingala_options_set_watch(options, (const uint32_t *)(void *)odd, NULL) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_options_set_watch(options, NULL, limbs) == PINGALA_BAD_ARGUMENT);
    pingala_options_free(options);
}

/* Results over operands, in place and shifted by a unit in both directions. */
static void overlaps(void)
{
    enum { N = 3 };
    const uint64_t values[N] = {5, 7, 11}, exponents[N] = {3, 4, 5};
    uint64_t room[N + 2], squares[2 * N];
    size_t from, to, i;
    for (from = 0; from < 3; from++)
        for (to = 0; to < 3; to++) {
            memcpy(room + from, values, sizeof values);
            OK(pingala_modulus_pow_list_limbs(m, room + to, room + from, exponents, 1, N, status, NULL, NULL, WHY));
            for (i = 0; i < N; i++)
                CHECK(room[to + i] == power(values[i], exponents[i]));
            memcpy(room + from, exponents, sizeof exponents);
            OK(pingala_modulus_pow_exp_list_limbs(m, room + to, values, 1, 0, room + from, 1, N, status, NULL, NULL, WHY));
            for (i = 0; i < N; i++)
                CHECK(room[to + i] == power(values[0], exponents[i]));
            memcpy(room + from, values, sizeof values);
            OK(pingala_modulus_invert_list_limbs(m, room + to, room + from, N, status, NULL, NULL, WHY));
            for (i = 0; i < N; i++)
                CHECK(room[to + i] * values[i] % M == 1);
            memcpy(room + from, values, sizeof values);
            OK(pingala_modulus_pow_sec_list_limbs(m, room + to, room + from, exponents, 1, 8, N, N, status, NULL, WHY));
            for (i = 0; i < N; i++)
                CHECK(room[to + i] == power(values[i], exponents[i]));
        }
    /* All operands and the result in the same memory. */
    room[0] = 97;
    OK(pingala_powmod_limbs(room, 1, room, 1, room, 1, &m_limb, 1, 0, NULL, WHY));
    CHECK(room[0] == power(97, 97));
    room[0] = M;
    OK(pingala_powmod_limbs(room, 1, room, 1, room, 1, room, 1, 0, NULL, WHY));
    CHECK(room[0] == 0);
    memset(squares, 0, sizeof squares);
    memcpy(squares, values, sizeof values);
    OK(pingala_modulus_pow_product_limbs(m, squares, 2 * N, squares, exponents, 1, N, NULL, NULL, WHY));
    CHECK(squares[0] == power(5, 3) * power(7, 4) % M * power(11, 5) % M && squares[1] == 0 && squares[2] == 0);
}

/* Places and ends that lead out of their lists, and signs that there are not. */
static void beyond(void)
{
    const uint64_t rows[2] = {2, 3}, falling[2] = {2, 1}, outside[2] = {1, 3}, short_of[2] = {1, 1}, far[2] = {1, UINT64_MAX};
    const uint32_t place[2] = {0, 1}, far_place[2] = {0, UINT32_MAX};
    const uint8_t signs[2] = {0, 4};
    const pingala_modulus *moduli[1] = {m};
    uint64_t out[2];
    uint8_t verdicts[2] = {1, 1}, digest[40] = {0};
    pingala_key *key = NULL;
    const pingala_key *keys[1];
    BAD(pingala_pow_list_limbs(out, 1, rows, 1, rows, 1, moduli, 1, place, 2, status, NULL, NULL, WHY));
    BAD(pingala_pow_list_limbs(out, 1, rows, 1, rows, 1, moduli, 1, far_place, 2, status, NULL, NULL, WHY));
    BAD(pingala_pow_list_limbs(out, 1, rows, 1, rows, 1, moduli, 1, NULL, 2, status, NULL, NULL, WHY));
    BAD(pingala_pow_list_limbs(out, 0, rows, 1, rows, 1, moduli, 1, NULL, 1, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_list_limbs(m, out, rows, rows, 1, 2, status, signs, NULL, WHY));
    BAD(pingala_modulus_pow_product_list_limbs(m, out, rows, rows, 1, 2, falling, 2, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_product_list_limbs(m, out, rows, rows, 1, 2, outside, 2, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_product_list_limbs(m, out, rows, rows, 1, 2, short_of, 2, status, NULL, NULL, WHY));
    BAD(pingala_modulus_pow_product_list_limbs(m, out, rows, rows, 1, 2, far, 2, status, NULL, NULL, WHY));
    OK(pingala_key_new_rsa_be(&key, m_bytes, 3, three_bytes, 1, WHY));
    keys[0] = key;
    BAD(pingala_verify_list(verdicts, NULL, keys, NULL, digest, 20, digest, falling, 2, PINGALA_RSA_PKCS1 | PINGALA_SHA1, NULL, WHY));
    BAD(pingala_verify_list(verdicts, NULL, keys, NULL, digest, 20, digest, rows, 1, 77, NULL, WHY));
    CHECK(verdicts[0] == 0);
    pingala_key_free(key);
}

/* Plans of other workloads, texts that are none, and options that are used again after an error. */
static void plans(void)
{
    static const char *const lines[] = {"batch(sliding_window x 8)", "over(binary, binary)", "straus(w=2)", "crt(binary)", "comb(h=8, v=4)",
                                        "", " ", "sliding_window(w=)", "sliding_window(w=99999999999999999999)", "((((((((((", "binary on"};
    char kernel[16] = "portable_r64", huge[1 << 12], text[2];
    const uint64_t value = 0xffffffffffffffc5u;
    uint64_t out = 0, again = 0;
    size_t i, needed = 0;
    pingala_modulus *odd = NULL;
    pingala_options *options = NULL;
    OK(pingala_options_new(&options, WHY));
    OK(pingala_modulus_new_limbs(&odd, &value, 1, WHY));
    for (i = 0; i < sizeof lines / sizeof *lines; i++) {
        OK(pingala_options_set_plan(options, lines[i]));
        PLAN_IS_BAD(pingala_modulus_pow_limbs(odd, &out, 1, &three, 1, big, 2, 0, options, WHY));
    }
    memset(huge, '(', sizeof huge - 1);
    huge[sizeof huge - 1] = 0;
    OK(pingala_options_set_plan(options, huge));
    PLAN_IS_BAD(pingala_modulus_pow_limbs(odd, &out, 1, &three, 1, big, 2, 0, options, WHY));
    CHECK(memchr(why, 0, sizeof why) != NULL);
    CHECK(pingala_options_set_plan(options, "\xc3\x28") == PINGALA_BAD_ARGUMENT);
    OK(pingala_options_set_plan(options, NULL));
    OK(pingala_options_set_kernel(options, kernel));
    memset(kernel, 'x', sizeof kernel - 1); /* the text was copied */
    OK(pingala_modulus_pow_limbs(odd, &out, 1, &three, 1, big, 2, 0, options, WHY));
    OK(pingala_modulus_pow_limbs(odd, &again, 1, &three, 1, big, 2, 0, NULL, WHY));
    CHECK(out == again);
    /* A width below that of the modulus, then a good one. */
    OK(pingala_options_set_limits(options, 0, 64));
    CHECK(pingala_modulus_pow_limbs(odd, &out, 1, &three, 1, big, 2, 0, options, WHY) == PINGALA_TOO_LONG);
    OK(pingala_options_set_limits(options, 0, 65));
    OK(pingala_modulus_pow_limbs(odd, &out, 1, &three, 1, big, 2, 0, options, WHY));
    CHECK(out == again);
    text[0] = text[1] = 'x';
    OK(pingala_modulus_explain_limbs(odd, text, 1, &needed, PINGALA_PLAN, &three, 1, big, 2, 0, NULL, WHY));
    CHECK(text[0] == 0 && text[1] == 'x' && needed > 8);
    OK(pingala_modulus_explain_limbs(odd, NULL, 99, NULL, PINGALA_PLAN, &three, 1, big, 2, 0, NULL, WHY));
    pingala_options_free(options);
    pingala_modulus_free(odd);
}

int main(void)
{
    OK(pingala_modulus_new_limbs(&m, &m_limb, 1, WHY));
    nulls();
    nothing();
    not_aligned();
    overlaps();
    beyond();
    plans();
    pingala_modulus_free(m);
    return failed;
}
