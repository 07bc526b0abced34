/* One handle on eight threads, each with its own answers; then a child process while they work; then a call that is stopped. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8, LIMBS = 8, ROUNDS = 400 };

static pingala_modulus *modulus;
static pingala_fixed_base *fixed;
static uint64_t exponent[LIMBS];
static uint64_t expected[THREADS][LIMBS];
static uint32_t stop;
static uint64_t done;

/* base^exponent by the handle, by its table where there is one. */
static int answers(uint64_t base, const uint64_t *expected_one)
{
    uint64_t out[LIMBS], rows[2][LIMBS] = {{0}}, twice[2][LIMBS];
    size_t at;
    if (pingala_modulus_pow_limbs(modulus, out, LIMBS, &base, 1, exponent, LIMBS, 0, NULL, NULL, 0) != PINGALA_OK
        || memcmp(out, expected_one, sizeof out) != 0)
        return 0;
    for (at = 0; at < 2; at++)
        rows[at][0] = base;
    memcpy(twice[0], exponent, sizeof exponent);
    memcpy(twice[1], exponent, sizeof exponent);
    if (pingala_modulus_pow_list_limbs(modulus, &rows[0][0], &rows[0][0], &twice[0][0], LIMBS, 2, NULL, NULL, NULL, NULL, 0)
            != PINGALA_OK
        || memcmp(rows[1], expected_one, sizeof out) != 0)
        return 0;
    return base != 3
           || (pingala_fixed_base_pow_limbs(fixed, out, LIMBS, exponent, LIMBS, 0, NULL, NULL, 0) == PINGALA_OK
               && memcmp(out, expected_one, sizeof out) == 0);
}

static void *work(void *argument)
{
    const size_t thread = (size_t)(uintptr_t)argument;
    size_t round;
    for (round = 0; round < ROUNDS; round++)
        if (!answers(thread + 3, expected[thread]))
            return argument;
    return NULL;
}

static void *stop_soon(void *argument)
{
    const struct timespec moment = {0, 1000000};
    while (__atomic_load_n(&done, __ATOMIC_RELAXED) == 0)
        nanosleep(&moment, NULL);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    return argument;
}

int main(void)
{
    uint64_t m[LIMBS], out[LIMBS];
    const uint64_t three = 3;
    pthread_t threads[THREADS];
    pingala_options *options = NULL;
    size_t at;
    void *bad;
    for (at = 0; at < LIMBS; at++) {
        m[at] = 0xfedcba9876543211u + at;
        exponent[at] = 0x123456789abcdefu * (at + 1);
    }
    m[0] |= 1;
    OK(pingala_modulus_new_limbs(&modulus, m, LIMBS, WHY));
    OK(pingala_fixed_base_new_limbs(&fixed, modulus, &three, 1, 0, 64 * LIMBS, 1 << 16, 0, 0, NULL, WHY));
    for (at = 0; at < THREADS; at++) {
        const uint64_t base = at + 3;
        OK(pingala_powmod_limbs(expected[at], LIMBS, &base, 1, exponent, LIMBS, m, LIMBS, 0, NULL, WHY));
    }
    for (at = 0; at < THREADS; at++)
        CHECK(pthread_create(&threads[at], NULL, work, (void *)(uintptr_t)at) == 0);
    for (at = 0; at < 4; at++) {
        int status = 1;
        const pid_t child = fork();
        if (child == 0)
            _exit(answers(3, expected[0]) ? 0 : 1);
        CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
    for (at = 0; at < THREADS; at++) {
        CHECK(pthread_join(threads[at], &bad) == 0 && bad == NULL);
    }

    /* Another thread stops a call that would take hours, when it has seen it make progress. */
    OK(pingala_options_new(&options, WHY));
    OK(pingala_options_set_watch(options, &stop, &done));
    CHECK(pthread_create(&threads[0], NULL, stop_soon, NULL) == 0);
    CHECK(pingala_modulus_repeated_square_limbs(modulus, out, LIMBS, &three, 1, (uint64_t)1 << 40, 0, NULL, 0, options, WHY)
          == PINGALA_INTERRUPTED);
    CHECK(pthread_join(threads[0], NULL) == 0 && done > 0);

    pingala_options_free(options);
    pingala_fixed_base_free(fixed);
    pingala_modulus_free(modulus);
    return failed;
}
