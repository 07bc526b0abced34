/* Primes: tests, searches, random and secret primes, certificates. It is C99 and C++17. */
#include "check.h"

#define LAST 0xffffffffffffffc5u /* the last prime below 2^64 */

static pingala_options *options;

/* Whether a number passes the test. */
static uint32_t prime(const uint64_t *n, size_t n_len)
{
    uint32_t answer = 99;
    OK(pingala_is_prime_limbs(&answer, n, n_len, NULL, WHY));
    return answer;
}

static void tests(void)
{
    const uint8_t m127[16] = {0x7f, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    const uint8_t rows[] = {0, 0, 0, 1, 0, 2, 0, 97, 0, 91, 0xff, 0xf1, 0xff, 0xff};
    const uint8_t expected[] = {0, 0, 2, 2, 0, 2, 0};
    uint64_t limbs[6] = {LAST, 0, ~(uint64_t)0, ~(uint64_t)0 >> 1, LAST, 1};
    uint8_t answers[7] = {9, 9, 9, 9, 9, 9, 9};
    uint32_t answer = 99;
    OK(pingala_is_prime_be(&answer, m127, 16, NULL, WHY));
    CHECK(answer == PINGALA_PROBABLE_PRIME);
    CHECK(prime(limbs, 2) == PINGALA_PROVED_PRIME && prime(limbs, 0) == PINGALA_NOT_PRIME);
    OK(pingala_options_set_prime_rounds(options, 20));
    OK(pingala_is_prime_be(&answer, m127, 16, options, WHY));
    CHECK(answer == PINGALA_PROBABLE_PRIME);
    OK(pingala_options_set_prime_rounds(options, 0));
    OK(pingala_is_prime_list_be(answers, rows, 2, 7, NULL, WHY));
    CHECK(memcmp(answers, expected, 7) == 0);
    OK(pingala_is_prime_list_limbs(answers, limbs, 2, 3, options, WHY));
    CHECK(answers[0] == PINGALA_PROVED_PRIME && answers[1] == PINGALA_PROBABLE_PRIME && answers[2] == PINGALA_NOT_PRIME);
    OK(pingala_is_prime_list_limbs(NULL, NULL, 1, 0, NULL, WHY));

    OK(pingala_options_set_limits(options, 100, 0));
    answers[1] = 99, answer = 99;
    CHECK(pingala_is_prime_be(&answer, m127, 16, options, WHY) == PINGALA_TOO_LONG && answer == 99);
    CHECK(pingala_is_prime_list_limbs(answers, limbs, 2, 3, options, WHY) == PINGALA_TOO_LONG && answers[1] == 99);
    OK(pingala_options_set_limits(options, 0, 0));
    CHECK(pingala_is_prime_be(NULL, m127, 16, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_is_prime_be(&answer, NULL, 16, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_is_prime_list_limbs(NULL, limbs, 1, 1, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_is_prime_list_limbs(answers, limbs, 0, 1, NULL, WHY) == PINGALA_BAD_ARGUMENT);
}

static void searches(void)
{
    const uint8_t ten[] = {0, 10}, two[] = {2};
    uint64_t n = LAST, out[2] = {9, 9};
    uint8_t bytes[3] = {9, 9, 9};
    OK(pingala_next_prime_be(bytes, 3, ten, 2, NULL, WHY));
    CHECK(bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 11);
    OK(pingala_previous_prime_be(bytes, 3, ten, 2, NULL, WHY));
    CHECK(bytes[2] == 7);
    OK(pingala_next_prime_limbs(out, 2, &n, 1, NULL, WHY));
    CHECK(out[0] == 13 && out[1] == 1);
    OK(pingala_previous_prime_limbs(out, 2, out, 2, NULL, WHY));
    CHECK(out[0] == LAST && out[1] == 0);
    CHECK(pingala_next_prime_limbs(&n, 1, &n, 1, NULL, WHY) == PINGALA_BAD_ARGUMENT && n == LAST);
    CHECK(pingala_previous_prime_be(bytes, 3, two, 1, NULL, WHY) == PINGALA_BAD_ARGUMENT && bytes[2] == 7);
    OK(pingala_next_prime_limbs(out, 1, NULL, 0, NULL, WHY));
    CHECK(out[0] == 2);
}

static void random_primes(void)
{
    const uint64_t three = 3, eight = 8, four = 4;
    const uint8_t r = 5, q = 6;
    uint64_t p[4];
    uint8_t bytes[32];
    uint32_t conditions, stop = 1;
    int i;
    for (conditions = 0; conditions < 8; conditions++) {
        OK(pingala_random_prime_limbs(p, 3, 130, conditions, NULL, WHY));
        CHECK(p[2] >> 1 == 1 && prime(p, 3) == PINGALA_PROBABLE_PRIME);
        CHECK(!(conditions & PINGALA_TWO_TOP_BITS) || p[2] == 3);
        if (conditions & PINGALA_SAFE_PRIME) {
            const uint64_t half[3] = {p[0] >> 1 | p[1] << 63, p[1] >> 1 | p[2] << 63, p[2] >> 1};
            CHECK(prime(half, 3) == PINGALA_PROBABLE_PRIME);
        }
        OK(pingala_random_secret_prime_limbs(p, 4, 129, conditions, NULL, WHY));
        CHECK(p[3] == 0 && p[2] == 1 && prime(p, 3) == PINGALA_PROBABLE_PRIME);
    }
    OK(pingala_options_set_prime_residue_limbs(options, &three, 1, &eight, 1));
    for (i = 0; i < 10; i++) {
        OK(pingala_random_prime_limbs(p, 1, 64, 0, options, WHY));
        CHECK(p[0] % 8 == 3 && p[0] >> 63 == 1 && prime(p, 1) == PINGALA_PROVED_PRIME);
    }
    OK(pingala_random_secret_prime_be(bytes, 32, 250, 0, options, WHY));
    CHECK(bytes[0] >> 1 == 1 && bytes[31] % 8 == 3);
    OK(pingala_options_set_prime_residue_be(options, &r, 1, &q, 1));
    OK(pingala_random_prime_be(bytes, 4, 10, 0, options, WHY));
    CHECK(bytes[0] == 0 && bytes[1] == 0 && bytes[2] >> 1 == 1 && (bytes[2] * 256 + bytes[3]) % 6 == 5);
    OK(pingala_options_set_prime_residue_limbs(options, &four, 1, &eight, 1));
    CHECK(pingala_random_prime_limbs(p, 1, 64, 0, options, WHY) == PINGALA_BAD_ARGUMENT);
    OK(pingala_options_set_prime_residue_be(options, NULL, 0, NULL, 0));
    OK(pingala_random_prime_limbs(p, 1, 64, 0, options, WHY));
    CHECK(pingala_options_set_prime_residue_be(NULL, NULL, 0, NULL, 0) == PINGALA_BAD_ARGUMENT);

    p[0] = 77;
    CHECK(pingala_random_prime_limbs(p, 1, 65, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_random_prime_limbs(p, 1, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_random_prime_limbs(p, 1, 64, 8, NULL, WHY) == PINGALA_BAD_ARGUMENT && strstr(why, "conditions") != NULL);
    CHECK(pingala_random_prime_limbs(NULL, 1, 64, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_random_secret_prime_limbs(p, 1, 63, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_random_secret_prime_limbs(p, 1, 65, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_random_prime_limbs(p, 1, UINT64_MAX, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    OK(pingala_options_set_watch(options, &stop, NULL));
    CHECK(pingala_random_prime_limbs(p, 4, 256, PINGALA_SAFE_PRIME, options, WHY) == PINGALA_INTERRUPTED);
    CHECK(pingala_random_secret_prime_limbs(p, 4, 256, 0, options, WHY) == PINGALA_INTERRUPTED);
    OK(pingala_options_set_watch(options, NULL, NULL));
    CHECK(p[0] == 77);
}

static void pairs(void)
{
    uint64_t p[2], q[2];
    uint8_t p_be[17], q_be[17];
    uint32_t kind;
    for (kind = PINGALA_PAIR_RSA; kind <= PINGALA_PAIR_SAFE; kind++) {
        const uint64_t e = kind == PINGALA_PAIR_RSA ? 3 : 0;
        OK(pingala_prime_pair_limbs(p, 2, q, 2, 256, kind, e, NULL, WHY));
        CHECK(p[1] >> 63 == 1 && q[1] >> 63 == 1 && (p[0] != q[0] || p[1] != q[1]));
        CHECK(prime(p, 2) == PINGALA_PROBABLE_PRIME && prime(q, 2) == PINGALA_PROBABLE_PRIME);
    }
    OK(pingala_prime_pair_be(p_be, 17, q_be, 16, 256, PINGALA_PAIR_RSA, 65537, options, WHY));
    CHECK(p_be[0] == 0 && p_be[1] >> 7 == 1 && q_be[0] >> 7 == 1);
    p[0] = q[0] = 77;
    CHECK(pingala_prime_pair_limbs(p, 2, q, 1, 256, PINGALA_PAIR_SAFE, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_prime_pair_limbs(p, 2, q, 2, 256, PINGALA_PAIR_RSA, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_prime_pair_limbs(p, 2, q, 2, 256, PINGALA_PAIR_RSA, 4, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_prime_pair_limbs(p, 2, q, 2, 256, PINGALA_PAIR_SAFE, 3, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_prime_pair_limbs(p, 2, q, 2, 256, 4, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_prime_pair_limbs(p, 2, q, 2, 255, PINGALA_PAIR_SAFE, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_prime_pair_limbs(p, 2, q, 2, 126, PINGALA_PAIR_SAFE, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(p[0] == 77 && q[0] == 77);
}

static void certificates(void)
{
    const uint64_t m127[2] = {~(uint64_t)0, ~(uint64_t)0 >> 1}, nine = 91, seven = 7, five = 5;
    const uint8_t m61[] = {0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    static char text[8000];
    uint64_t out[4] = {0, 0, 0, 0}, again[4];
    uint8_t bytes[8];
    size_t needed = 0, length;
    OK(pingala_certify_limbs(text, sizeof text, &needed, m127, 2, NULL, 1, 0, NULL, WHY));
    CHECK(needed == strlen(text) + 1 && strncmp(text, "pingala prime certificate 1\nprime 0x7f", 38) == 0);
    OK(pingala_check_certificate_limbs(out, 3, text, strlen(text), NULL, WHY));
    CHECK(out[0] == m127[0] && out[1] == m127[1] && out[2] == 0);
    OK(pingala_certify_limbs(text, sizeof text, NULL, m127, 2, &seven, 1, 1, options, WHY));
    text[strlen(text) / 2] ^= 1;
    out[0] = 77;
    CHECK(pingala_check_certificate_limbs(out, 3, text, strlen(text), NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_check_certificate_limbs(out, 3, "\xff", 1, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_check_certificate_limbs(out, 3, NULL, 1, NULL, WHY) == PINGALA_BAD_ARGUMENT && out[0] == 77);
    CHECK(pingala_check_certificate_limbs(out, 3, NULL, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_certify_limbs(text, sizeof text, &needed, &nine, 1, NULL, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_certify_limbs(text, sizeof text, NULL, m127, 2, &five, 1, 1, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    OK(pingala_certify_be(NULL, 0, &needed, m61, 8, NULL, 1, 0, NULL, WHY));
    CHECK(needed > 30 && needed < 100);
    OK(pingala_certify_be(text, sizeof text, NULL, m61, 8, NULL, 1, 0, NULL, WHY));
    OK(pingala_check_certificate_be(bytes, 8, text, strlen(text), NULL, WHY));
    CHECK(memcmp(bytes, m61, 8) == 0);
    CHECK(pingala_check_certificate_be(bytes, 7, text, strlen(text), NULL, WHY) == PINGALA_BAD_ARGUMENT);

    OK(pingala_random_proved_prime_limbs(out, 4, text, sizeof text, &needed, 200, PINGALA_TWO_TOP_BITS, NULL, WHY));
    length = strlen(text);
    CHECK(needed == length + 1 && out[3] >> 6 == 3);
    OK(pingala_check_certificate_limbs(again, 4, text, length, NULL, WHY));
    CHECK(memcmp(out, again, sizeof out) == 0);
    CHECK(pingala_random_proved_prime_limbs(out, 4, text, 40, &needed, 200, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(needed > 40 && memcmp(out, again, sizeof out) == 0);
    CHECK(pingala_random_proved_prime_be(bytes, 8, text, sizeof text, NULL, 65, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    OK(pingala_random_proved_prime_be(bytes, 8, text, sizeof text, NULL, 60, 0, NULL, WHY));
    CHECK(bytes[0] >> 3 == 1);
}

static void symbols(void)
{
    const uint8_t a[] = {5}, n[] = {21}, even[] = {20};
    const uint64_t two = 2, fifteen = 15, three = 3;
    int32_t symbol = 99;
    OK(pingala_jacobi_be(&symbol, a, 1, n, 1, PINGALA_NEGATIVE_BASE, WHY));
    CHECK(symbol == 1);
    OK(pingala_jacobi_limbs(&symbol, &two, 1, &three, 1, 0, WHY));
    CHECK(symbol == -1);
    OK(pingala_jacobi_limbs(&symbol, &three, 1, &fifteen, 1, 0, WHY));
    CHECK(symbol == 0);
    CHECK(pingala_jacobi_be(&symbol, a, 1, even, 1, 0, WHY) == PINGALA_BAD_ARGUMENT && symbol == 0);
    CHECK(pingala_jacobi_be(&symbol, a, 1, n, 1, PINGALA_NEGATIVE_EXPONENT, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_jacobi_be(NULL, a, 1, n, 1, 0, WHY) == PINGALA_BAD_ARGUMENT);
}

int main(void)
{
    OK(pingala_options_new(&options, WHY));
    tests();
    searches();
    random_primes();
    pairs();
    certificates();
    symbols();
    pingala_options_free(options);
    return failed;
}
