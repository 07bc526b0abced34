// Whether the time of a secret power tells anything about the exponent: dudect's method (Reparaz, Balasch, Verbauwhede, DATE 2017) on the
// shared library. Two classes of exponents of one width, drawn anew for each call: the lightest one, and random ones. Times above a
// percentile are cropped, for ten percentiles, as interrupts make the tail; Welch's t is that of the crop that tells most.
//
// usage: timing MODULUS_BITS EXPONENT_BITS SAMPLES LEAK [KERNEL]
// LEAK is the part of a call's time that one class takes longer in vain, 0 or for instance 0.001: the test of the test.
#include <math.h>
#include <pingala.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

enum { MOST_BYTES = 2048, CROPS = 10 };

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t drawn(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1d;
}

static void fill(uint8_t *bytes, size_t length) {
    for (size_t at = 0; at < length; at++) bytes[at] = (uint8_t)(drawn() >> 32);
}

static int by_value(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Products that wait for each other, about three cycles each.
static inline void waste(uint64_t turns) {
    uint64_t value = 3;
    for (uint64_t turn = 0; turn < turns; turn++) __asm__ volatile("imul %0, %0" : "+r"(value));
}

int main(int count, char **arguments) {
    if (count < 5) return fprintf(stderr, "usage: timing MODULUS_BITS EXPONENT_BITS SAMPLES LEAK [KERNEL]\n"), 2;
    size_t m_bytes = (size_t)atol(arguments[1]) / 8, e_bytes = (size_t)atol(arguments[2]) / 8, samples = (size_t)atol(arguments[3]);
    double leak = atof(arguments[4]);
    static uint8_t modulus[MOST_BYTES], base[MOST_BYTES], exponent[MOST_BYTES], out[MOST_BYTES];
    /* The last byte of a row of exponents holds its class. */
    if (!m_bytes || !e_bytes || m_bytes > MOST_BYTES || e_bytes >= MOST_BYTES || samples < 1000) return 2;
    char why[200];
    fill(modulus, m_bytes);
    modulus[0] |= 0x80;
    modulus[m_bytes - 1] |= 1;
    pingala_modulus *m;
    if (pingala_modulus_new_be(&m, modulus, m_bytes, why, sizeof why)) return fprintf(stderr, "%s\n", why), 1;
    pingala_options *options;
    if (pingala_options_new(&options, why, sizeof why)) return fprintf(stderr, "%s\n", why), 1;
    if (count > 5 && pingala_options_set_kernel(options, arguments[5])) return fprintf(stderr, "no such kernel\n"), 1;
    uint32_t *times = malloc(samples * sizeof *times), *sorted = malloc(samples * sizeof *sorted);
    uint8_t *classes = malloc(samples);
    // What is drawn is drawn before, so that a call finds the same caches whatever its class.
    enum { AHEAD = 1024 };
    static uint8_t ahead[AHEAD][MOST_BYTES], bases[AHEAD][MOST_BYTES];
    // The same text for both classes: without a leak they differ by nothing that is not the library's.
    uint64_t cycles = 0, turns[2] = {0, 0}, warm = samples / 20;
    for (size_t at = 0; at < samples + warm; at++) {
        if (at % AHEAD == 0) {
            for (size_t next = 0; next < AHEAD; next++) {
                uint8_t class = drawn() >> 63;
                fill(bases[next], m_bytes);
                bases[next][0] &= 0x7f;
                fill(ahead[next], e_bytes);
                if (class == 0) memset(ahead[next], 0, e_bytes);
                ahead[next][0] = class == 0 ? 0x80 : ahead[next][0] | 0x80;
                ahead[next][MOST_BYTES - 1] = class;
            }
        }
        uint8_t class = ahead[at % AHEAD][MOST_BYTES - 1];
        memcpy(exponent, ahead[at % AHEAD], e_bytes);
        memcpy(base, bases[at % AHEAD], m_bytes);
        unsigned core;
        _mm_lfence();
        uint64_t before = __rdtsc();
        _mm_lfence();
        if (pingala_modulus_pow_sec_be(m, out, m_bytes, base, m_bytes, exponent, e_bytes, e_bytes * 8, options, why, sizeof why))
            return fprintf(stderr, "%s\n", why), 1;
        waste(turns[class]);
        uint64_t after = __rdtscp(&core);
        _mm_lfence();
        if (at < warm) {
            sorted[at] = (uint32_t)(after - before);
            if (at == warm - 1) {
                qsort(sorted, warm, sizeof *sorted, by_value);
                cycles = (uint64_t)(leak * sorted[warm / 2]);
                turns[1] = cycles / 3;
            }
        } else {
            times[at - warm] = (uint32_t)(after - before);
            classes[at - warm] = class;
        }
    }
    memcpy(sorted, times, samples * sizeof *times);
    qsort(sorted, samples, sizeof *sorted, by_value);
    double worst = 0, apart = 0;
    for (int crop = 0; crop < CROPS; crop++) {
        uint32_t limit = sorted[(size_t)((double)(samples - 1) * (1 - pow(0.5, crop + 0.3)))];
        if (crop == 0) limit = UINT32_MAX;
        double n[2] = {0}, mean[2] = {0}, square[2] = {0};
        for (size_t at = 0; at < samples; at++) {
            if (times[at] > limit) continue;
            int class = classes[at];
            double delta = times[at] - mean[class];
            n[class] += 1;
            mean[class] += delta / n[class];
            square[class] += delta * (times[at] - mean[class]);
        }
        double variance = square[0] / (n[0] - 1) / n[0] + square[1] / (n[1] - 1) / n[1];
        double t = (mean[0] - mean[1]) / sqrt(variance);
        if (fabs(t) > fabs(worst)) worst = t, apart = mean[0] - mean[1];
    }
    printf("%zu samples, median %u cycles, leak of %llu cycles: means %.1f cycles apart, t = %.2f\n", samples, sorted[samples / 2],
           (unsigned long long)cycles, apart, worst);
    return 0;
}
