/* How soon a call on a long list returns when its stop word is set: cancel COUNT INVERSES MOMENTS PART, with a larger count
 * for inverses, which are fast. The moments are numbers of elements that are done.
 * Fails if more than a list's PART-th part is done behind the stop. Prints the most elements of each kind of list, and the longest time in
 * milliseconds, which `make -C hardening promises` judges. A product is one element: only its time is measured. The long product takes a
 * quarter of an hour unless it is stopped, which happens when the process has computed for a moment. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <pthread.h>
#include <sched.h>
#include <time.h>

#define LIMBS 4u
/* Each thread may end the chunk that it is in, and write the end of the one before. A chunk has up to 8192 elements. */
#define THREADS 2u
/* The long product: limbs of its modulus, limbs of its exponents, bases. */
#define WIDE 1024u
#define TALL ((size_t)1 << 16)
#define FEW 2u

enum kind { ONE_BASE, ONE_EXPONENT, PAIRS, INVERSES, PRODUCT, SIGNATURES, LONG_PRODUCT, KINDS };

static uint32_t stop, returned_first;
static uint64_t done, after, done_at_stop;
/* The processor time of the process at which the long product is stopped. */
static clock_t computed;
static double told;
static size_t count, inverses;
static uint64_t *bases, *exponents, *out;
static uint8_t *digests, *signatures, *verdicts;
static uint64_t *ends;
static int32_t *status;
static const pingala_key **keys;
static uint32_t *key_of;
static pingala_modulus *m = NULL, *wide = NULL;
static uint64_t *wide_bases, *tall_exponents, *wide_out;
static pingala_key *key = NULL;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *stopper(void *unused)
{
    const struct timespec moment = {0, 1000000};
    while (clock() < computed)
        nanosleep(&moment, NULL);
    while (__atomic_load_n(&done, __ATOMIC_RELAXED) < after) {
        if (__atomic_load_n(&returned_first, __ATOMIC_RELAXED))
            return unused;
        sched_yield();
    }
    told = now();
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
    /* What is done before the thread looks again counts as done before: a busy machine may let it wait. */
    done_at_stop = __atomic_load_n(&done, __ATOMIC_SEQ_CST);
    return unused;
}

static int32_t call(int kind, const pingala_options *options)
{
    switch (kind) {
    case ONE_BASE:
        return pingala_modulus_pow_exp_list_limbs(m, out, bases, LIMBS, 0, exponents, LIMBS, count, status, NULL, options, WHY);
    case ONE_EXPONENT:
        return pingala_modulus_pow_base_list_limbs(m, out, bases, exponents, LIMBS, 0, count, status, NULL, options, WHY);
    case PAIRS:
        return pingala_modulus_pow_list_limbs(m, out, bases, exponents, LIMBS, count, status, NULL, options, WHY);
    case INVERSES:
        return pingala_modulus_invert_list_limbs(m, out, bases, inverses, status, NULL, options, WHY);
    case PRODUCT:
        return pingala_modulus_pow_product_limbs(m, out, LIMBS, bases, exponents, LIMBS, count, NULL, options, WHY);
    case LONG_PRODUCT:
        return pingala_modulus_pow_product_limbs(wide, wide_out, WIDE, wide_bases, tall_exponents, TALL, FEW, NULL, options, WHY);
    default:
        return pingala_verify_list(verdicts, status, keys, key_of, digests, 20, signatures, ends, count,
                                   PINGALA_DSA | PINGALA_SHA1 | PINGALA_P1363, options, WHY);
    }
}

static void *room(size_t units, size_t bytes)
{
    void *memory = calloc(units, bytes);
    if (memory == NULL)
        exit(3);
    return memory;
}

/* A word that is another one for each place. */
static uint64_t word(uint64_t place)
{
    place = (place + 1) * UINT64_C(0x9e3779b97f4a7c15);
    place = (place ^ place >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return place ^ place >> 32;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"one base", "one exponent", "pairs", "inverses", "product", "signatures", "long product"};
    const uint64_t modulus[LIMBS] = {0xffffffffffffff43u, 0xffffffffffffffffu, 0xffffffffffffffffu, 0xffffffffffffffffu};
    uint8_t p[128], q[20], g[1] = {2}, y[1] = {3};
    pingala_options *options = NULL;
    size_t i;
    int kind, moment, moments;
    uint64_t part;
    if (argc != 5)
        return 2;
    count = (size_t)strtoul(argv[1], NULL, 10);
    inverses = (size_t)strtoul(argv[2], NULL, 10);
    if (inverses < count)
        return 2;
    moments = atoi(argv[3]);
    part = strtoull(argv[4], NULL, 10);
    bases = room(inverses * LIMBS, 8);
    exponents = room(count * LIMBS, 8);
    out = room(inverses * LIMBS, 8);
    digests = room(count, 20);
    signatures = room(count, 40);
    verdicts = room(count, 1);
    ends = room(count, 8);
    status = room(inverses, 4);
    keys = room(1, sizeof *keys);
    key_of = room(count, 4);
    wide_bases = room(FEW * WIDE, 8);
    tall_exponents = room(FEW * TALL, 8);
    wide_out = room(WIDE, 8);
    for (i = 0; i < inverses * LIMBS; i++)
        bases[i] = word(i);
    for (i = 0; i < count * LIMBS; i++)
        exponents[i] = word(i + inverses * LIMBS);
    /* Bases below the modulus, which is odd. */
    for (i = 0; i < WIDE; i++)
        wide_out[i] = UINT64_MAX;
    OK(pingala_modulus_new_limbs(&wide, wide_out, WIDE, WHY));
    for (i = 0; i < FEW * WIDE; i++)
        wide_bases[i] = word(i);
    for (i = 0; i < FEW * TALL; i++)
        tall_exponents[i] = word(i + FEW * WIDE);
    for (i = 0; i < count * 40; i++) /* r and s below q, whose first byte is 255 */
        signatures[i] = (uint8_t)(word(i) % 255);
    for (i = 0; i < count * 20; i++)
        digests[i] = (uint8_t)word(i + count * 40);
    for (i = 0; i < count; i++)
        ends[i] = 40 * (i + 1);
    memset(p, 0xff, sizeof p);
    memset(q, 0xff, sizeof q);
    OK(pingala_modulus_new_limbs(&m, modulus, LIMBS, WHY));
    OK(pingala_key_new_dsa_be(&key, p, sizeof p, q, sizeof q, g, 1, y, 1, WHY));
    keys[0] = key;
    OK(pingala_options_new(&options, WHY));
    OK(pingala_options_set_watch(options, &stop, &done));
    OK(pingala_options_set_threads(options, THREADS));
    for (kind = 0; kind < KINDS && !failed; kind++) {
        const uint64_t elements = kind == INVERSES ? inverses : count;
        double longest = 0, whole = now();
        uint64_t behind = 0;
        int stopped = 0;
        if (kind != LONG_PRODUCT)
            OK(call(kind, options));
        whole = now() - whole;
        /* A thread that is late finds a list that is done, so the first moments are tried again. */
        for (moment = 0; moment < moments || (stopped == 0 && moment < 1000); moment++) {
            pthread_t thread;
            int32_t ended;
            double returned;
            done = returned_first = 0;
            after = kind == LONG_PRODUCT ? 0 : elements * (uint64_t)(moment % moments) / (uint64_t)moments;
            computed = kind == LONG_PRODUCT ? clock() + CLOCKS_PER_SEC / 10 : 0;
            if (pthread_create(&thread, NULL, stopper, NULL) != 0)
                return 3;
            ended = call(kind, options);
            returned = now();
            __atomic_store_n(&returned_first, 1, __ATOMIC_RELAXED);
            pthread_join(thread, NULL);
            CHECK(ended == PINGALA_INTERRUPTED || (ended == PINGALA_OK && kind != LONG_PRODUCT));
            /* A stop at work counts, and not before: the product of a list does not tell which. */
            stopped += ended == PINGALA_INTERRUPTED && (after > 0 || kind == PRODUCT || kind == LONG_PRODUCT);
            if (ended == PINGALA_INTERRUPTED && returned - told > longest)
                longest = returned - told;
            if (ended == PINGALA_INTERRUPTED && kind != PRODUCT && kind != LONG_PRODUCT && done - done_at_stop > behind)
                behind = done - done_at_stop;
            __atomic_store_n(&stop, 0, __ATOMIC_RELAXED);
        }
        printf("%s: whole %.0f ms, longest %.1f ms, most %.0f elements\n", names[kind], 1e3 * whole, 1e3 * longest, (double)behind);
        CHECK(stopped > 0);
        CHECK(behind * part <= elements);
    }
    pingala_options_free(options);
    pingala_key_free(key);
    pingala_modulus_free(m);
    pingala_modulus_free(wide);
    free(wide_bases);
    free(tall_exponents);
    free(wide_out);
    free(bases);
    free(exponents);
    free(out);
    free(digests);
    free(signatures);
    free(verdicts);
    free(ends);
    free(status);
    free(keys);
    free(key_of);
    return failed;
}
