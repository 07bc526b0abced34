/* A long call in a limited address space: memory NAME BYTES. It prints the name of the status that came of it; nothing may end the process.
 * Without arguments it prints the names of the calls. Numbers have a million bits, lists a hundred of them. */
#include "check.h"
#include <sys/resource.h>
#include <unistd.h>

enum { SIZE = 125000, COUNT = 100 };

/* Odd, its highest bit set; below it; a short one. */
static uint8_t n[SIZE], b[SIZE], out[SIZE + 8], more[SIZE + 8], *list, *other, *results;
static const uint8_t three[] = {3}, exponent[] = {1, 0, 1};
static int32_t status[COUNT];
static uint64_t ends[COUNT];
static char text[1 << 16];
static size_t needed;
static pingala_modulus *m;
static pingala_options *options;

#define N n, SIZE
#define B b, SIZE
#define OUT out, SIZE
#define LAST options, WHY

/* Each is a name, what is done under the limit, and nothing else. */
#define CALLS                                                                                                            \
    CALL(powmod, pingala_powmod_be(OUT, B, N, N, 0, LAST))                                                               \
    CALL(powmod_short, pingala_powmod_be(OUT, B, exponent, 3, N, 0, LAST))                                               \
    CALL(pow, pingala_modulus_pow_be(m, OUT, B, N, 0, LAST))                                                             \
    CALL(pow_negative, pingala_modulus_pow_be(m, OUT, B, N, PINGALA_NEGATIVE_EXPONENT, LAST))                            \
    CALL(invert, pingala_modulus_invert_be(m, OUT, B, 0, WHY))                                                           \
    CALL(pow_list, pingala_modulus_pow_list_be(m, results, list, other, SIZE, COUNT, status, NULL, LAST))                \
    CALL(pow_list_of_several,                                                                                            \
         pingala_pow_list_be(results, SIZE, list, SIZE, other, SIZE, (const pingala_modulus *const *)&m, 1, NULL, COUNT, status, NULL, LAST)) \
    CALL(pow_exp_list, pingala_modulus_pow_exp_list_be(m, results, B, 0, list, SIZE, COUNT, status, NULL, LAST))         \
    CALL(pow_base_list, pingala_modulus_pow_base_list_be(m, results, list, N, 0, COUNT, status, NULL, LAST))             \
    CALL(invert_list, pingala_modulus_invert_list_be(m, results, list, COUNT, status, NULL, LAST))                       \
    CALL(mul_list, pingala_modulus_mul_list_be(m, results, list, other, COUNT, status, NULL, LAST))                      \
    CALL(square_list, pingala_modulus_square_list_be(m, results, list, COUNT, status, NULL, LAST))                       \
    CALL(product, pingala_modulus_product_be(m, OUT, list, COUNT, NULL, LAST))                                           \
    CALL(running_product, pingala_modulus_running_product_be(m, results, list, COUNT, status, NULL, LAST))               \
    CALL(pow_product, pingala_modulus_pow_product_be(m, OUT, list, other, SIZE, COUNT, NULL, LAST))                      \
    CALL(pow_product_list,                                                                                               \
         pingala_modulus_pow_product_list_be(m, results, list, other, SIZE, COUNT, ends, COUNT, status, NULL, LAST))     \
    CALL(fixed_base, table(1 << 20, 1ull << 40))                                                                         \
    CALL(fixed_base_short, table(64, 1 << 24))                                                                           \
    CALL(repeated_square, pingala_modulus_repeated_square_be(m, OUT, B, 1u << 30, 0, NULL, 0, LAST))                     \
    CALL(prove_squaring, pingala_modulus_prove_squaring_be(m, OUT, more, SIZE, B, 1u << 30, 0, NULL, 0, 0, LAST))        \
    CALL(verify_squaring, verify())                                                                                      \
    CALL(pow_sec, pingala_modulus_pow_sec_be(m, OUT, B, N, 1000000, LAST))                                               \
    CALL(pow_sec_list,                                                                                                   \
         pingala_modulus_pow_sec_list_be(m, results, list, other, SIZE, 1000000, COUNT, COUNT, status, LAST))            \
    CALL(explain, pingala_modulus_explain_be(m, text, sizeof text, &needed, PINGALA_PLAN, B, N, 0, LAST))                \
    CALL(explain_exp_list,                                                                                               \
         pingala_modulus_explain_exp_list_be(m, text, sizeof text, &needed, PINGALA_PLAN, list, SIZE, COUNT, NULL, LAST)) \
    CALL(is_prime, pingala_is_prime_be(&answer, N, LAST))                                                                \
    CALL(is_prime_mersenne, pingala_is_prime_be(&answer, mersenne(), MERSENNE / 8 + 1, LAST))                            \
    CALL(is_prime_list, pingala_is_prime_list_be(out, list, SIZE, COUNT, LAST))                                          \
    CALL(next_prime, pingala_next_prime_be(out, SIZE + 1, N, LAST))                                                      \
    CALL(previous_prime, pingala_previous_prime_be(OUT, N, LAST))                                                        \
    CALL(primes_between, pingala_primes_between_be(NULL, 0, SIZE, &needed, B, N, LAST))                                  \
    CALL(primes_of_words, pingala_primes_between_be(NULL, 0, 8, &needed, three, 1, n, 3, LAST))                          \
    CALL(random_prime, pingala_random_prime_be(OUT, 1000000, 0, LAST))                                                   \
    CALL(random_safe_prime, pingala_random_prime_be(OUT, 1000000, PINGALA_SAFE_PRIME, LAST))                             \
    CALL(random_uniform_prime, pingala_random_prime_be(OUT, 1000000, PINGALA_UNIFORM_PRIME, LAST))                       \
    CALL(random_proved_prime,                                                                                            \
         pingala_random_proved_prime_be(OUT, text, sizeof text, &needed, 1000000, 0, LAST))                              \
    CALL(random_secret_prime, pingala_random_secret_prime_be(OUT, 1000000, 0, LAST))                                     \
    CALL(prime_pair, pingala_prime_pair_be(OUT, more, SIZE, 2000000, PINGALA_PAIR_SAFE, 0, LAST))                        \
    CALL(certify, pingala_certify_be(text, sizeof text, &needed, N, NULL, 1, 0, LAST))                                   \
    CALL(jacobi, pingala_jacobi_be(&symbol, B, N, 0, LAST))                                                              \
    CALL(jacobi_list, pingala_jacobi_list_be(status, list, SIZE, n, SIZE, 1, COUNT, NULL, LAST))                         \
    CALL(kronecker, pingala_kronecker_be(&symbol, B, N, 0, LAST))                                                        \
    CALL(sqrt_mod, pingala_sqrt_mod_be(OUT, B, N, 0, LAST))                                                              \
    CALL(sqrt_mod_list,                                                                                                  \
         pingala_sqrt_mod_list_be(results, SIZE, list, SIZE, n, SIZE, 1, COUNT, status, NULL, LAST))

static uint32_t answer;
static int32_t symbol;

/* 2^859433 - 1, which is prime. */
enum { MERSENNE = 859433 };
static const uint8_t *mersenne(void)
{
    memset(more, 0xff, MERSENNE / 8 + 1);
    more[0] = (1 << MERSENNE % 8) - 1;
    return more;
}

/* A table, and a power by it. */
static int32_t table(uint64_t bits, uint64_t bytes)
{
    pingala_fixed_base *fixed = NULL;
    int32_t made = pingala_fixed_base_new_be(&fixed, m, B, 0, bits, bytes, 10000, 0, LAST);
    if (made == PINGALA_OK) made = pingala_fixed_base_pow_be(fixed, OUT, three, 1, 0, LAST);
    pingala_fixed_base_free(fixed);
    return made;
}

static int32_t verify(void)
{
    return pingala_modulus_verify_squaring_be(m, &answer, B, 1u << 30, 0, B, B, LAST);
}

/* Bytes of address space that the process has. */
static size_t taken(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%lu", &pages) == 1);
    if (file != NULL) fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static uint8_t *numbers(void)
{
    uint8_t *all = malloc((size_t)SIZE * COUNT);
    if (all == NULL) exit(2);
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(all + i * SIZE, b, SIZE);
        all[(i + 1) * SIZE - 1] = (uint8_t)i;
    }
    return all;
}

int main(int count, char **arguments)
{
    if (count < 3) {
#define CALL(name, call) puts(#name);
        CALLS
#undef CALL
        return 0;
    }
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < SIZE; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        n[i] = (uint8_t)state, b[i] = (uint8_t)(state >> 8);
    }
    n[0] |= 0x80, n[SIZE - 1] |= 1, b[0] &= 0x7f;
    list = numbers(), other = numbers(), results = numbers();
    for (size_t i = 0; i < COUNT; i++) ends[i] = i + 1;
    OK(pingala_modulus_new_be(&m, N, WHY));
    OK(pingala_options_new(&options, WHY));
    OK(pingala_options_set_timeout(options, 500));
    /* The C library reserves much address space for each thread. */
    OK(pingala_options_set_threads(options, 2));
    struct rlimit limit;
    limit.rlim_cur = limit.rlim_max = taken() + strtoull(arguments[2], NULL, 10);
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    int32_t came = -1;
#define CALL(name, call) \
    if (strcmp(arguments[1], #name) == 0) came = (call);
    CALLS
#undef CALL
    CHECK(came != -1);
    printf("%s\n", pingala_status_name(came));
    if (came != PINGALA_OK) fprintf(stderr, "%s\n", why);
    pingala_options_free(options);
    pingala_modulus_free(m);
    free(list), free(other), free(results);
    return failed;
}
