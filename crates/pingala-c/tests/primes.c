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
    const uint8_t a[] = {5}, n[] = {21}, even[] = {20}, rows[] = {0, 1, 0, 2, 0, 3};
    const uint64_t two = 2, fifteen = 15, three = 3, long_one[3] = {1, 0, 1};
    const uint32_t stop = 1, both = PINGALA_NEGATIVE_BASE | PINGALA_NEGATIVE_EXPONENT;
    int32_t symbol = 99, found[3] = {99, 99, 99};
    OK(pingala_jacobi_be(&symbol, a, 1, n, 1, PINGALA_NEGATIVE_BASE, NULL, WHY));
    CHECK(symbol == 1);
    OK(pingala_jacobi_limbs(&symbol, &two, 1, &three, 1, 0, options, WHY));
    CHECK(symbol == -1);
    OK(pingala_jacobi_limbs(&symbol, &three, 1, &fifteen, 1, 0, NULL, WHY));
    CHECK(symbol == 0);
    CHECK(pingala_jacobi_be(&symbol, a, 1, even, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT && symbol == 0);
    CHECK(pingala_jacobi_be(&symbol, a, 1, n, 1, PINGALA_NEGATIVE_EXPONENT, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_jacobi_be(NULL, a, 1, n, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    OK(pingala_jacobi_list_be(found, rows, 2, n, 1, 1, 3, NULL, options, WHY));
    CHECK(found[0] == 1 && found[1] == -1 && found[2] == 0);

    /* Kronecker symbols have any number below: (3/-20) = (3/20) = (3/5), (5/0) = 0, (1/0) = 1, (-1/-1) = -1. */
    OK(pingala_kronecker_limbs(&symbol, &three, 1, &fifteen, 1, 0, NULL, WHY));
    CHECK(symbol == 0);
    OK(pingala_kronecker_be(&symbol, rows + 5, 1, even, 1, PINGALA_NEGATIVE_EXPONENT, NULL, WHY));
    CHECK(symbol == -1);
    OK(pingala_kronecker_be(&symbol, a, 1, NULL, 0, 0, options, WHY));
    CHECK(symbol == 0);
    OK(pingala_kronecker_be(&symbol, rows + 1, 1, NULL, 0, 0, NULL, WHY));
    CHECK(symbol == 1);
    OK(pingala_kronecker_be(&symbol, rows + 1, 1, rows + 1, 1, both, NULL, WHY));
    CHECK(symbol == -1);
    CHECK(pingala_kronecker_be(&symbol, a, 1, n, 1, 4, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_kronecker_be(NULL, a, 1, n, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);

    /* Limits and the stop word count. */
    symbol = found[0] = 99;
    OK(pingala_options_set_limits(options, 128, 0));
    CHECK(pingala_jacobi_limbs(&symbol, long_one, 3, &three, 1, 0, options, WHY) == PINGALA_TOO_LONG);
    CHECK(pingala_jacobi_limbs(&symbol, &three, 1, long_one, 3, 0, options, WHY) == PINGALA_TOO_LONG);
    CHECK(pingala_kronecker_limbs(&symbol, long_one, 3, &three, 1, 0, options, WHY) == PINGALA_TOO_LONG);
    CHECK(pingala_jacobi_list_limbs(found, long_one, 3, &three, 1, 1, 1, NULL, options, WHY) == PINGALA_TOO_LONG);
    CHECK(pingala_jacobi_list_limbs(found, &three, 1, long_one, 3, 1, 1, NULL, options, WHY) == PINGALA_TOO_LONG);
    OK(pingala_options_set_limits(options, 0, 0));
    OK(pingala_options_set_watch(options, &stop, NULL));
    CHECK(pingala_jacobi_list_be(found, rows, 2, n, 1, 1, 3, NULL, options, WHY) == PINGALA_INTERRUPTED);
    CHECK(symbol == 99 && found[0] == 99);
    OK(pingala_options_set_watch(options, NULL, NULL));
}

static pingala_modulus *modulus_of(uint64_t value, const uint64_t *factors, const uint32_t *multiplicities, size_t count)
{
    pingala_modulus *modulus = NULL;
    OK(pingala_modulus_new_factored_limbs(&modulus, &value, 1, factors, 1, multiplicities, count, NULL, WHY));
    return modulus;
}

static void roots(void)
{
    const uint64_t four = 4, seven = 7, five = 5, three = 3, fifteen = 15, zero = 0, factors[] = {3, 5}, three_only[] = {3};
    const uint32_t once[] = {1, 1}, fourth[] = {4};
    const uint8_t two = 2, seven_be = 7;
    uint64_t out[8] = {77, 77, 77, 77, 77, 77, 77, 77};
    uint8_t bytes[4] = {77, 77, 77, 77};
    size_t needed = 99;
    pingala_modulus *prime = modulus_of(7, NULL, NULL, 0), *composite = modulus_of(15, factors, once, 2);
    pingala_modulus *power = modulus_of(81, three_only, fourth, 1), *unknown = modulus_of(15, NULL, NULL, 0);
    OK(pingala_sqrt_mod_limbs(out, 1, &four, 1, &seven, 1, 0, NULL, WHY));
    CHECK(out[0] == 2);

    /* All roots modulo a prime: two, one, none; without room only their number. */
    OK(pingala_sqrt_mod_all_limbs(out, 4, 2, &needed, &four, 1, &seven, 1, 0, options, WHY));
    CHECK(needed == 2 && out[0] == 2 && out[1] == 0 && out[2] == 5 && out[3] == 0 && out[4] == 77);
    OK(pingala_sqrt_mod_all_be(bytes, 3, 2, &needed, &two, 1, &seven_be, 1, 0, NULL, WHY));
    CHECK(needed == 2 && bytes[0] == 0 && bytes[1] == 3 && bytes[2] == 77);
    OK(pingala_sqrt_mod_all_limbs(NULL, 0, 0, &needed, &zero, 1, &seven, 1, 0, NULL, WHY));
    CHECK(needed == 1);
    OK(pingala_sqrt_mod_all_limbs(out, 2, 1, &needed, &three, 1, &seven, 1, 0, NULL, WHY));
    CHECK(needed == 0 && out[0] == 2);
    OK(pingala_sqrt_mod_all_limbs(out, 2, 1, NULL, &three, 1, &seven, 1, PINGALA_NEGATIVE_BASE, NULL, WHY));
    CHECK(out[0] == 2 && out[1] == 5);
    needed = 99;
    CHECK(pingala_sqrt_mod_all_limbs(out, 2, 1, &needed, &four, 1, &fifteen, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_sqrt_mod_all_limbs(out, 2, 0, &needed, &four, 1, &seven, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_sqrt_mod_all_limbs(NULL, 2, 1, &needed, &four, 1, &seven, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_sqrt_mod_all_limbs(out, 2, 1, &needed, &four, 1, &seven, 1, 2, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_sqrt_mod_all_limbs(out, 2, 1, &needed, &four, 1, &zero, 1, 0, NULL, WHY) != PINGALA_OK);
    CHECK(needed == 99 && out[0] == 2);

    /* Modulo the modulus of a handle, by its factors. */
    OK(pingala_modulus_sqrt_limbs(prime, out, 1, &four, 1, 0, NULL, WHY));
    CHECK(out[0] == 2);
    OK(pingala_modulus_sqrt_be(composite, bytes, 2, &seven_be, 0, 0, options, WHY));
    CHECK(bytes[0] == 0 && bytes[1] == 0);
    OK(pingala_modulus_sqrt_limbs(composite, out, 1, &four, 1, 0, NULL, WHY));
    CHECK(out[0] * out[0] % 15 == 4);
    OK(pingala_modulus_sqrt_all_limbs(composite, out, 8, 2, &needed, &four, 1, 4, 0, NULL, WHY));
    CHECK(needed == 4 && out[0] == 2 && out[2] == 7 && out[4] == 8 && out[6] == 13 && out[7] == 0);
    OK(pingala_modulus_sqrt_all_be(prime, bytes, 4, 1, &needed, &two, 1, 2, 0, NULL, WHY));
    CHECK(needed == 2 && bytes[0] == 3 && bytes[1] == 4);
    OK(pingala_modulus_sqrt_all_limbs(power, NULL, 0, 1, &needed, &zero, 1, 9, 0, NULL, WHY));
    CHECK(needed == 9);
    CHECK(pingala_modulus_sqrt_all_limbs(power, NULL, 0, 1, &needed, &zero, 1, 8, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_sqrt_limbs(composite, out, 1, &five, 1, PINGALA_NEGATIVE_EXPONENT, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_sqrt_limbs(unknown, out, 1, &four, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_sqrt_limbs(composite, out, 0, &four, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_sqrt_limbs(NULL, out, 1, &four, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_sqrt_all_limbs(NULL, out, 1, 1, &needed, &four, 1, 9, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    pingala_modulus_free(prime);
    pingala_modulus_free(composite);
    pingala_modulus_free(power);
    pingala_modulus_free(unknown);
}

static void estimates(void)
{
    double tests = -1, safe = -1, seconds = -1;
    OK(pingala_estimate_random_prime(&tests, &seconds, 256, 0, 0, NULL, WHY));
    CHECK(tests > 1 && tests < 256 && seconds > 0);
    OK(pingala_estimate_random_prime(&safe, NULL, 256, PINGALA_SAFE_PRIME, 0, options, WHY));
    CHECK(safe > tests);
    OK(pingala_estimate_random_prime(NULL, &seconds, 256, 0, 1, NULL, WHY));
    tests = -1;
    CHECK(pingala_estimate_random_prime(&tests, &seconds, 256, 0, 2, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_estimate_random_prime(&tests, &seconds, 256, 8, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_estimate_random_prime(&tests, &seconds, 1, 0, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_estimate_random_prime(&tests, &seconds, (uint64_t)1 << 25, 0, 0, NULL, WHY) == PINGALA_TOO_LONG);
    CHECK(tests < 0);
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
    roots();
    estimates();
    pingala_options_free(options);
    return failed;
}
