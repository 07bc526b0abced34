/* Every function of the header, and what it refuses. Argument: a folder for files. It is C99 and C++17. */
#include "check.h"

#define P 0xffffffff00000001u /* a prime */

/* base^exponent mod modulus by the schoolbook, for moduli below 2^32. */
static uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t result = 1 % modulus;
    for (base %= modulus; exponent > 0; exponent >>= 1, base = base * base % modulus)
        if (exponent & 1)
            result = result * base % modulus;
    return result;
}

static void constants(void)
{
    CHECK(pingala_abi() == PINGALA_ABI && pingala_abi_fits());
    CHECK(strlen(pingala_version()) >= 5);
    CHECK(strcmp(pingala_status_name(PINGALA_OK), "ok") == 0);
    CHECK(strcmp(pingala_status_name(PINGALA_NOT_INVERTIBLE), "not_invertible") == 0);
    CHECK(strcmp(pingala_status_name(PINGALA_PANIC), "panic") == 0);
    CHECK(strcmp(pingala_status_name(-5), "unknown") == 0);
}

static void one_power(void)
{
    const uint64_t m = 1000003, b = 12345, e = 678910, three = 3;
    const uint8_t base[] = {0, 0, 0x30, 0x39}, exponent[] = {0x0a, 0x5b, 0xfe}, modulus[] = {0, 0x0f, 0x42, 0x43};
    uint8_t bytes[6] = {9, 9, 9, 9, 9, 9};
    uint64_t limbs[3] = {9, 9, 9};
    const uint64_t expected = power(b, e, m);

    OK(pingala_powmod_limbs(limbs, 3, &b, 1, &e, 1, &m, 1, 0, NULL, WHY));
    CHECK(limbs[0] == expected && limbs[1] == 0 && limbs[2] == 0);
    OK(pingala_powmod_be(bytes, 6, base, 4, exponent, 3, modulus, 4, 0, NULL, WHY));
    CHECK(bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 0);
    CHECK(((uint64_t)bytes[3] << 16 | (uint64_t)bytes[4] << 8 | bytes[5]) == expected);
    /* As long as the modulus without its zeros. */
    OK(pingala_powmod_be(bytes, 3, base, 4, exponent, 3, modulus, 4, 0, NULL, NULL, 0));
    CHECK(((uint64_t)bytes[0] << 16 | (uint64_t)bytes[1] << 8 | bytes[2]) == expected);

    /* Signs. */
    OK(pingala_powmod_limbs(limbs, 1, &b, 1, &three, 1, &m, 1, PINGALA_NEGATIVE_BASE, NULL, WHY));
    CHECK(limbs[0] == m - power(b, 3, m));
    OK(pingala_powmod_limbs(limbs, 1, &b, 1, &three, 1, &m, 1, PINGALA_NEGATIVE_EXPONENT, NULL, WHY));
    CHECK(limbs[0] * power(b, 3, m) % m == 1);
    CHECK(pingala_powmod_limbs(limbs, 1, &b, 1, &three, 1, &m, 1, 4, NULL, WHY) == PINGALA_BAD_ARGUMENT);

    /* No units are 0; NULL is fine for them. */
    OK(pingala_powmod_limbs(limbs, 1, NULL, 0, NULL, 0, &m, 1, 0, NULL, WHY));
    CHECK(limbs[0] == 1);
    CHECK(pingala_powmod_be(bytes, 0, base, 4, exponent, 3, modulus, 1, 0, NULL, WHY) == PINGALA_ZERO_MODULUS);
    CHECK(pingala_powmod_limbs(limbs, 1, &b, 1, &e, 1, NULL, 0, 0, NULL, WHY) == PINGALA_ZERO_MODULUS);
    CHECK(strcmp(why, "zero modulus") == 0);

    /* What is refused leaves out alone and says why. */
    limbs[0] = 77;
    CHECK(pingala_powmod_limbs(NULL, 1, &b, 1, &e, 1, &m, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(strstr(why, "out is NULL") != NULL);
    CHECK(pingala_powmod_limbs(limbs, 1, NULL, 1, &e, 1, &m, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(strstr(why, "base is NULL") != NULL);
    CHECK(pingala_powmod_limbs(limbs, 0, &b, 1, &e, 1, &m, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_powmod_be(bytes, 2, base, 4, exponent, 3, modulus, 4, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(strstr(why, "takes 3") != NULL);
    CHECK(pingala_powmod_limbs(limbs, 1, &b, SIZE_MAX, &e, 1, &m, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    {
        const uint64_t even = 1000, two = 2;
        char cut[5];
        CHECK(pingala_powmod_limbs(limbs, 1, &two, 1, &three, 1, &even, 1, PINGALA_NEGATIVE_EXPONENT, NULL, cut, 5)
              == PINGALA_NOT_INVERTIBLE);
        CHECK(strcmp(cut, "base") == 0);
    }
    CHECK(limbs[0] == 77);

    /* The result where an operand is, overlapping ones too. */
    limbs[0] = b, limbs[1] = e, limbs[2] = m;
    OK(pingala_powmod_limbs(limbs, 1, limbs, 1, limbs + 1, 1, limbs + 2, 1, 0, NULL, WHY));
    CHECK(limbs[0] == expected && limbs[1] == e && limbs[2] == m);
    {
        uint8_t shared[8] = {0, 0, 0x30, 0x39, 0x0a, 0x5b, 0xfe, 0};
        OK(pingala_powmod_be(shared + 1, 6, shared, 4, shared + 4, 3, modulus, 4, 0, NULL, WHY));
        CHECK(((uint64_t)shared[4] << 16 | (uint64_t)shared[5] << 8 | shared[6]) == expected);
    }
    /* A message is there only after an error. */
    OK(pingala_powmod_limbs(limbs, 1, &b, 1, &e, 1, &m, 1, 0, NULL, WHY));
    CHECK(why[0] == 0);
}

static void handles(void)
{
    const uint64_t p = P, two[2] = {P, 0}, b = 5, e = 1234567, one = 1, zero = 0;
    const uint8_t p_bytes[8] = {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1};
    uint64_t limbs[2], by_handle[2];
    uint8_t bytes[8];
    pingala_modulus *m = NULL, *same = NULL;

    OK(pingala_modulus_new_limbs(&m, two, 2, WHY));
    OK(pingala_modulus_new_be(&same, p_bytes, 8, WHY));
    CHECK(pingala_modulus_bits(m) == 64 && pingala_modulus_bits(NULL) == 0);
    OK(pingala_modulus_value_limbs(same, limbs, 2, WHY));
    CHECK(limbs[0] == P && limbs[1] == 0);
    OK(pingala_modulus_value_be(m, bytes, 8, WHY));
    CHECK(memcmp(bytes, p_bytes, 8) == 0);
    CHECK(pingala_modulus_value_be(m, bytes, 7, WHY) == PINGALA_BAD_ARGUMENT);

    OK(pingala_powmod_limbs(limbs, 1, &b, 1, &e, 1, &p, 1, 0, NULL, WHY));
    OK(pingala_modulus_pow_limbs(m, by_handle, 2, &b, 1, &e, 1, 0, NULL, WHY));
    CHECK(limbs[0] == by_handle[0] && by_handle[1] == 0);
    bytes[0] = 5;
    OK(pingala_modulus_pow_be(m, bytes, 8, bytes, 1, p_bytes, 8, 0, NULL, WHY)); /* b^p = b */
    CHECK(bytes[7] == 5 && bytes[0] == 0);
    OK(pingala_modulus_invert_limbs(m, limbs, 1, &b, 1, PINGALA_NEGATIVE_BASE, WHY));
    OK(pingala_modulus_pow_limbs(m, by_handle, 1, &b, 1, &one, 1, PINGALA_NEGATIVE_BASE | PINGALA_NEGATIVE_EXPONENT, NULL, WHY));
    CHECK(by_handle[0] == limbs[0]);
    CHECK(pingala_modulus_invert_be(m, bytes, 8, p_bytes, 0, 0, WHY) == PINGALA_NOT_INVERTIBLE);

    CHECK(pingala_modulus_pow_limbs(NULL, limbs, 1, &b, 1, &e, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(strstr(why, "modulus is NULL") != NULL);
    CHECK(pingala_modulus_new_limbs(NULL, &p, 1, WHY) == PINGALA_BAD_ARGUMENT);
    pingala_modulus_free(same);
    CHECK(pingala_modulus_new_limbs(&same, &zero, 1, WHY) == PINGALA_ZERO_MODULUS && same == NULL);
    pingala_modulus_free(m);
    pingala_modulus_free(NULL);
}

static void factors(void)
{
    const uint64_t m = 1009 * 1009 * 1013u, primes[2] = {1009, 1013}, b = 7, e = 123456789;
    const uint32_t twice[2] = {2, 1}, once[2] = {1, 1};
    uint64_t by_factors = 0, plain = 0;
    pingala_modulus *known = NULL;
    OK(pingala_modulus_new_factored_limbs(&known, &m, 1, primes, 1, twice, 2, NULL, WHY));
    OK(pingala_modulus_pow_limbs(known, &by_factors, 1, &b, 1, &e, 1, 0, NULL, WHY));
    OK(pingala_powmod_limbs(&plain, 1, &b, 1, &e, 1, &m, 1, 0, NULL, WHY));
    CHECK(by_factors == plain);
    pingala_modulus_free(known);
    CHECK(pingala_modulus_new_factored_limbs(&known, &m, 1, primes, 1, once, 2, NULL, WHY) == PINGALA_WRONG_FACTORS);
    CHECK(known == NULL);
    {
        const uint8_t fifteen[1] = {15}, rows[4] = {0, 3, 0, 5};
        OK(pingala_modulus_new_factored_be(&known, fifteen, 1, rows, 2, once, 2, NULL, WHY));
        CHECK(pingala_modulus_bits(known) == 4);
        pingala_modulus_free(known);
        OK(pingala_modulus_new_factored_be(&known, fifteen, 1, NULL, 0, NULL, 0, NULL, WHY));
        pingala_modulus_free(known);
    }
}

static void lists(void)
{
    enum { COUNT = 20 };
    const uint64_t m = 1000000; /* even: some bases have no inverse */
    uint64_t bases[COUNT], exponents[COUNT * 2], out[COUNT], one[2];
    uint8_t signs[COUNT];
    int32_t status[COUNT];
    pingala_modulus *modulus = NULL;
    size_t i;
    for (i = 0; i < COUNT; i++) {
        bases[i] = i + 1;
        exponents[2 * i] = 1000 + i;
        exponents[2 * i + 1] = 0;
        signs[i] = i == 2 || i == 3 ? PINGALA_NEGATIVE_EXPONENT : 0;
    }
    OK(pingala_modulus_new_limbs(&modulus, &m, 1, WHY));
    OK(pingala_modulus_pow_list_limbs(modulus, out, bases, exponents, 2, COUNT, status, signs, NULL, WHY));
    CHECK(strstr(why, "element 3") != NULL);
    for (i = 0; i < COUNT; i++) {
        CHECK(status[i] == (i == 3 ? PINGALA_NOT_INVERTIBLE : PINGALA_OK));
        if (i == 3)
            CHECK(out[i] == 0);
        else if (i == 2)
            CHECK(out[i] * power(3, 1002, m) % m == 1);
        else
            CHECK(out[i] == power(i + 1, 1000 + i, m));
    }
    /* Without statuses the first error is that of the call. */
    CHECK(pingala_modulus_pow_list_limbs(modulus, out, bases, exponents, 2, COUNT, NULL, signs, NULL, WHY)
          == PINGALA_NOT_INVERTIBLE);
    OK(pingala_modulus_pow_list_limbs(modulus, bases, bases, exponents, 2, COUNT, NULL, NULL, NULL, WHY));
    CHECK(bases[4] == power(5, 1004, m)); /* where the bases were */
    OK(pingala_modulus_pow_list_limbs(modulus, NULL, NULL, NULL, 1, 0, NULL, NULL, NULL, WHY));
    CHECK(pingala_modulus_pow_list_limbs(modulus, out, bases, exponents, 0, COUNT, status, NULL, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_pow_list_limbs(modulus, out, bases, exponents, SIZE_MAX, COUNT, status, NULL, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    signs[0] = 8;
    CHECK(pingala_modulus_pow_list_limbs(modulus, out, bases, exponents, 2, COUNT, status, signs, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);

    {
        const uint64_t three = 3;
        OK(pingala_modulus_pow_exp_list_limbs(modulus, out, &three, 1, PINGALA_NEGATIVE_BASE, exponents, 2, COUNT, status,
                                              NULL, NULL, WHY));
        for (i = 0; i < COUNT; i++)
            CHECK(out[i] == (i % 2 ? m - power(3, 1000 + i, m) : power(3, 1000 + i, m)) && status[i] == PINGALA_OK);
        for (i = 0; i < COUNT; i++)
            bases[i] = i + 1;
        OK(pingala_modulus_pow_base_list_limbs(modulus, out, bases, &three, 1, 0, COUNT, status, NULL, NULL, WHY));
        for (i = 0; i < COUNT; i++)
            CHECK(out[i] == (i + 1) * (i + 1) * (i + 1));
    }
    OK(pingala_modulus_invert_list_limbs(modulus, out, bases, COUNT, status, NULL, NULL, WHY));
    for (i = 0; i < COUNT; i++) {
        const int there = (i + 1) % 2 != 0 && (i + 1) % 5 != 0;
        CHECK(status[i] == (there ? PINGALA_OK : PINGALA_NOT_INVERTIBLE) && (!there || out[i] * (i + 1) % m == 1));
    }
    {
        uint64_t product = 1;
        const uint8_t both[3] = {PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_EXPONENT,
                                 PINGALA_NEGATIVE_BASE | PINGALA_NEGATIVE_EXPONENT};
        OK(pingala_modulus_mul_list_limbs(modulus, out, bases, bases, COUNT, status, NULL, NULL, WHY));
        for (i = 0; i < COUNT; i++)
            CHECK(out[i] == (i + 1) * (i + 1) % m && status[i] == PINGALA_OK);
        OK(pingala_modulus_mul_list_limbs(modulus, out, bases, bases, 3, NULL, both, NULL, WHY));
        CHECK(out[0] == m - 1 && out[1] == m - 4 && out[2] == 9);
        OK(pingala_modulus_square_list_limbs(modulus, out, bases, COUNT, NULL, NULL, NULL, WHY));
        for (i = 0; i < COUNT; i++)
            CHECK(out[i] == (i + 1) * (i + 1) % m);
        OK(pingala_modulus_running_product_limbs(modulus, out, bases, COUNT, status, NULL, NULL, WHY));
        for (i = 0; i < COUNT; i++) {
            product = product * (i + 1) % m;
            CHECK(out[i] == product && status[i] == PINGALA_OK);
        }
        OK(pingala_modulus_product_limbs(modulus, one, 2, bases, COUNT, NULL, NULL, WHY));
        CHECK(one[0] == product && one[1] == 0);
        OK(pingala_modulus_product_limbs(modulus, one, 1, NULL, 0, NULL, NULL, WHY));
        CHECK(one[0] == 1);
        CHECK(pingala_modulus_square_list_limbs(modulus, out, bases, 3, NULL, both, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    }
    {
        uint64_t product = 1;
        const uint8_t none[3] = {0, 0, PINGALA_NEGATIVE_EXPONENT};
        for (i = 0; i < COUNT; i++)
            product = product * power(i + 1, 1000 + i, m) % m;
        OK(pingala_modulus_pow_product_limbs(modulus, one, 2, bases, exponents, 2, COUNT, NULL, NULL, WHY));
        CHECK(one[0] == product && one[1] == 0);
        OK(pingala_modulus_pow_product_limbs(modulus, one, 1, NULL, NULL, 0, 0, NULL, NULL, WHY));
        CHECK(one[0] == 1);
        OK(pingala_modulus_pow_product_limbs(modulus, one, 1, bases, exponents, 2, 3, none, NULL, WHY));
        CHECK(one[0] * power(3, 1002, m) % m == power(2, 1001, m));
    }
    {
        /* Four products of 2, 0, 3 and 1 factors, modulo m or P. */
        const uint64_t ends[4] = {2, 2, 5, 6}, p = P;
        const uint8_t flags[7] = {0, 0, PINGALA_NEGATIVE_BASE, 0, 0, PINGALA_NEGATIVE_EXPONENT, 0};
        const uint32_t modulus_of[4] = {0, 1, 0, 0}, beyond[4] = {0, 1, 2, 0};
        const pingala_modulus *moduli[2];
        pingala_modulus *other;
        char line[200];
        size_t needed;
        OK(pingala_modulus_new_limbs(&other, &p, 1, WHY));
        moduli[0] = modulus;
        moduli[1] = other;
        OK(pingala_pow_product_list_limbs(out, 1, bases, 1, exponents, 2, 6, ends, moduli, 2, modulus_of, 4, status, flags, NULL, WHY));
        CHECK(status[0] == PINGALA_OK && out[0] == power(1, 1000, m) * power(2, 1001, m) % m);
        CHECK(status[1] == PINGALA_OK && out[1] == 1);
        CHECK(status[2] == PINGALA_OK);
        CHECK(out[2] == power(3, 1002, m) * power(4, 1003, m) % m * power(5, 1004, m) % m);
        CHECK(status[3] == PINGALA_NOT_INVERTIBLE && out[3] == 0 && strstr(why, "3") != NULL); /* 6 and m are even */
        CHECK(pingala_pow_product_list_limbs(out, 1, bases, 1, exponents, 2, 5, ends, moduli, 2, modulus_of, 4, status, flags, NULL, WHY)
              == PINGALA_BAD_ARGUMENT);
        CHECK(pingala_pow_product_list_limbs(out, 1, bases, 1, exponents, 2, 7, ends, moduli, 2, modulus_of, 4, status, flags, NULL, WHY)
              == PINGALA_BAD_ARGUMENT);
        CHECK(pingala_pow_product_list_limbs(out, 1, bases, 1, exponents, 2, 6, ends, moduli, 2, beyond, 4, status, flags, NULL, WHY)
              == PINGALA_BAD_ARGUMENT);
        CHECK(pingala_pow_product_list_limbs(out, 1, bases, 1, exponents, 2, 6, NULL, moduli, 2, modulus_of, 4, status, flags, NULL, WHY)
              == PINGALA_BAD_ARGUMENT);
        OK(pingala_pow_product_list_limbs(NULL, 1, NULL, 1, NULL, 1, 0, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, WHY));
        {
            const uint8_t rows[] = {2, 3, 5}, powers[] = {10, 4, 2};
            const uint64_t stops[] = {2, 3};
            uint8_t bytes[2 * 8];
            OK(pingala_pow_product_list_be(bytes, 8, rows, 1, powers, 1, 3, stops, moduli, 2, NULL, 2, NULL, NULL, NULL, WHY));
            CHECK(bytes[15] == 25 && bytes[7] == 1024 * 81 % m % 256 && bytes[6] == 1024 * 81 % m / 256 % 256);
            OK(pingala_plan_product_list_be(line, sizeof line, &needed, rows, 1, powers, 1, 3, stops, moduli, 2, NULL, 2, NULL, NULL, WHY));
            CHECK(line[0] != 0 && needed == strlen(line) + 1);
        }
        pingala_modulus_free(other);
    }
    pingala_modulus_free(modulus);
}

static void lists_in_bytes(void)
{
    /* Moduli of different lengths, in rows of three bytes. */
    const uint8_t bases[] = {0, 2, 0, 3, 1, 0}, exponents[] = {10, 20, 30};
    const uint8_t small[] = {101}, large[] = {1, 0, 1};
    const uint32_t which[] = {0, 1, 1}, bad[] = {0, 1, 2};
    const uint8_t signs[] = {PINGALA_NEGATIVE_BASE, 0, 0};
    const uint64_t m[] = {101, 65537, 65537}, b[] = {2, 3, 256}, e[] = {10, 20, 30};
    const pingala_modulus *moduli[3];
    pingala_modulus *first = NULL, *second = NULL;
    uint8_t out[9], row[3];
    int32_t status[3];
    size_t i;
    OK(pingala_modulus_new_be(&first, small, 1, WHY));
    OK(pingala_modulus_new_be(&second, large, 3, WHY));
    moduli[0] = first, moduli[1] = moduli[2] = second;
    OK(pingala_pow_list_be(out, 3, bases, 2, exponents, 1, moduli, 2, which, 3, status, signs, NULL, WHY));
    for (i = 0; i < 3; i++)
        CHECK(((uint64_t)out[3 * i] << 16 | (uint64_t)out[3 * i + 1] << 8 | out[3 * i + 2]) == power(b[i], e[i], m[i]));
    OK(pingala_pow_list_be(out, 3, bases, 2, exponents, 1, moduli, 3, NULL, 3, NULL, NULL, NULL, WHY));
    CHECK(pingala_pow_list_be(out, 3, bases, 2, exponents, 1, moduli, 2, bad, 3, NULL, NULL, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_pow_list_be(out, 2, bases, 2, exponents, 1, moduli, 2, which, 3, NULL, NULL, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    {
        /* The plan of the list, which forces itself. */
        char line[400];
        pingala_options *options = NULL;
        OK(pingala_plan_list_be(line, sizeof line, NULL, bases, 2, exponents, 1, moduli, 2, which, 3, signs, NULL, WHY));
        CHECK(strstr(line, " on ") != NULL);
        OK(pingala_options_new(&options, WHY));
        OK(pingala_options_set_plan(options, line));
        OK(pingala_pow_list_be(out, 3, bases, 2, exponents, 1, moduli, 2, which, 3, NULL, signs, options, WHY));
        pingala_options_free(options);
    }
    moduli[1] = NULL;
    CHECK(pingala_pow_list_be(out, 3, bases, 2, exponents, 1, moduli, 2, which, 3, NULL, NULL, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    {
        uint64_t limbs[3];
        moduli[1] = second;
        OK(pingala_pow_list_limbs(limbs, 1, b, 1, e, 1, moduli, 2, which, 3, NULL, NULL, NULL, WHY));
        CHECK(limbs[2] == power(256, 30, 65537));
    }
    {
        const uint8_t rows[] = {0, 0, 7, 0, 1, 0}, two[] = {2, 3};
        OK(pingala_modulus_pow_list_be(second, out, rows, two, 1, 2, status, NULL, NULL, WHY));
        CHECK(out[2] == 49 && out[0] == 0 && out[3] == 0 && out[4] == 0xff && out[5] == 1); /* 2^24 = -2^8 */
        OK(pingala_modulus_pow_exp_list_be(second, out, rows + 2, 1, 0, two, 1, 2, status, NULL, NULL, WHY));
        CHECK(out[2] == 49 && out[4] == 1 && out[5] == 87);
        OK(pingala_modulus_pow_base_list_be(second, out, rows, two, 1, 0, 2, status, NULL, NULL, WHY));
        CHECK(out[2] == 49 && out[3] == 1 && out[4] == 0 && out[5] == 0);
        OK(pingala_modulus_invert_list_be(second, out, rows, 2, status, NULL, NULL, WHY));
        OK(pingala_modulus_invert_be(second, row, 3, rows, 3, 0, WHY));
        CHECK(memcmp(row, out, 3) == 0);
        OK(pingala_modulus_pow_product_be(second, row, 3, rows, two, 1, 2, NULL, NULL, WHY));
        CHECK(((uint64_t)row[0] << 16 | (uint64_t)row[1] << 8 | row[2]) == 49 * power(256, 3, 65537) % 65537);
    }
    pingala_modulus_free(first);
    pingala_modulus_free(second);
}

static void path_in(char *path, const char *folder, const char *name)
{
    snprintf(path, 512, "%s/%s", folder, name);
}

static void fixed_bases(const char *folder)
{
    const uint64_t p = P, base = 3, exponents[3] = {5, 123456789, 40}, longer[2] = {0, 1};
    const uint8_t three[] = {3}, five[] = {5}, signs[3] = {0, 0, PINGALA_NEGATIVE_EXPONENT};
    uint64_t out[3], one;
    uint8_t bytes[8], row[8];
    int32_t status[3];
    char path[512];
    pingala_modulus *m = NULL, *its = NULL;
    pingala_fixed_base *fixed = NULL, *loaded = NULL;
    OK(pingala_modulus_new_limbs(&m, &p, 1, WHY));
    OK(pingala_fixed_base_new_limbs(&fixed, m, &base, 1, 0, 64, 1 << 14, 0, 0, NULL, WHY));
    CHECK(pingala_fixed_base_exponent_bits(fixed) == 64 && pingala_fixed_base_table_bytes(fixed) > 0);
    OK(pingala_fixed_base_pow_limbs(fixed, out, 1, exponents + 1, 1, 0, NULL, WHY));
    OK(pingala_modulus_pow_limbs(m, &one, 1, &base, 1, exponents + 1, 1, 0, NULL, WHY));
    CHECK(out[0] == one);
    CHECK(pingala_fixed_base_pow_limbs(fixed, out, 1, longer, 2, 0, NULL, WHY) == PINGALA_TOO_LONG);
    OK(pingala_fixed_base_pow_list_limbs(fixed, out, exponents, 1, 3, status, signs, NULL, WHY));
    OK(pingala_modulus_pow_limbs(m, &one, 1, &base, 1, exponents + 2, 1, PINGALA_NEGATIVE_EXPONENT, NULL, WHY));
    CHECK(out[0] == 243 && out[2] == one);
    OK(pingala_fixed_base_verify(fixed, NULL, WHY));
    OK(pingala_fixed_base_plan(fixed, path, sizeof path, NULL, WHY));
    CHECK(strstr(path, " on ") != NULL);
    {
        pingala_fixed_base *same = NULL;
        pingala_options *options = NULL;
        OK(pingala_options_new(&options, WHY));
        OK(pingala_options_set_plan(options, path));
        OK(pingala_fixed_base_new_limbs(&same, m, &base, 1, 0, 64, 1 << 14, 0, 0, options, WHY));
        CHECK(pingala_fixed_base_table_bytes(same) == pingala_fixed_base_table_bytes(fixed));
        pingala_fixed_base_free(same);
        pingala_options_free(options);
    }
    OK(pingala_fixed_base_base_limbs(fixed, &one, 1, WHY));
    CHECK(one == 3);

    path_in(path, folder, "three.table");
    OK(pingala_fixed_base_save(fixed, path, WHY));
    OK(pingala_fixed_base_load(&loaded, path, m, NULL, WHY));
    OK(pingala_fixed_base_pow_be(loaded, bytes, 8, five, 1, 0, NULL, WHY));
    CHECK(bytes[7] == 243 && bytes[0] == 0);
    OK(pingala_fixed_base_pow_list_be(loaded, bytes, five, 1, 1, NULL, NULL, NULL, WHY));
    CHECK(bytes[7] == 243);
    OK(pingala_fixed_base_base_be(loaded, row, 8, WHY));
    CHECK(row[7] == 3);
    OK(pingala_fixed_base_modulus(loaded, &its, WHY));
    pingala_fixed_base_free(loaded);
    CHECK(pingala_modulus_bits(its) == 64);
    pingala_modulus_free(its);
    OK(pingala_modulus_new_be(&its, five, 1, WHY));
    CHECK(pingala_fixed_base_load(&loaded, path, its, NULL, WHY) == PINGALA_BAD_FILE && loaded == NULL);
    path_in(path, folder, "none.table");
    CHECK(pingala_fixed_base_load(&loaded, path, NULL, NULL, WHY) == PINGALA_BAD_FILE && loaded == NULL);
    CHECK(pingala_fixed_base_load(&loaded, NULL, NULL, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    pingala_modulus_free(its);
    pingala_fixed_base_free(fixed);
    OK(pingala_fixed_base_new_be(&fixed, m, three, 1, PINGALA_NEGATIVE_BASE, 64, 1 << 14, 100, 1, NULL, WHY));
    pingala_fixed_base_free(fixed);
    CHECK(pingala_fixed_base_new_be(&fixed, m, three, 1, 0, 64, 1, 100, 1, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    pingala_modulus_free(m);
}

static void fixed_exponents(const char *folder)
{
    const uint64_t p = P, exponent[2] = {0xffffffffffffffebu, 0x7fffffffffffffffu}, bases[3] = {3, 2, 3}, zero = 0;
    const uint8_t seven[] = {7}, three[] = {0, 0, 0, 0, 0, 0, 0, 3}, signs[3] = {0, 0, PINGALA_NEGATIVE_BASE};
    const uint32_t stop = 1;
    uint64_t out[3], one, value[2];
    uint8_t bytes[8], by_bytes[16];
    int32_t status[3];
    char path[512], text[400];
    size_t needed = 0, i;
    pingala_modulus *m = NULL;
    pingala_options *options = NULL;
    pingala_fixed_exponent *fixed = NULL, *loaded = NULL, *small = NULL;
    pingala_fixed_power *power = NULL, *other = NULL;
    OK(pingala_modulus_new_limbs(&m, &p, 1, WHY));
    OK(pingala_options_new(&options, WHY));

    /* 2^127 - 21: by moves the same chain every time, in a time another one perhaps. */
    OK(pingala_fixed_exponent_search_limbs(&fixed, exponent, 2, 2000, 0, 1, NULL, WHY));
    OK(pingala_fixed_exponent_search_limbs(&loaded, exponent, 2, 2000, 0, 1, NULL, WHY));
    CHECK(pingala_fixed_exponent_length(fixed) == pingala_fixed_exponent_length(loaded));
    CHECK(pingala_fixed_exponent_length(fixed) >= 127 && pingala_fixed_exponent_length(fixed) <= 140);
    CHECK(pingala_fixed_exponent_bits(fixed) == 127);
    pingala_fixed_exponent_free(loaded);
    OK(pingala_fixed_exponent_search_limbs(&loaded, exponent, 2, 0, 20, 1, NULL, WHY));
    CHECK(pingala_fixed_exponent_length(loaded) >= 127);
    pingala_fixed_exponent_free(loaded);
    OK(pingala_fixed_exponent_value_limbs(fixed, value, 2, WHY));
    CHECK(memcmp(value, exponent, sizeof value) == 0);
    OK(pingala_fixed_exponent_value_be(fixed, by_bytes, 16, WHY));
    CHECK(by_bytes[0] == 0x7f && by_bytes[15] == 0xeb);
    CHECK(pingala_fixed_exponent_value_limbs(fixed, value, 1, WHY) == PINGALA_BAD_ARGUMENT);
    /* The shortest chain of 7 has four steps. */
    OK(pingala_fixed_exponent_search_be(&small, seven, 1, 0, 0, 1, NULL, WHY));
    CHECK(pingala_fixed_exponent_length(small) == 4 && pingala_fixed_exponent_bits(small) == 3);
    CHECK(pingala_fixed_exponent_search_limbs(&loaded, &zero, 1, 0, 0, 1, NULL, WHY) == PINGALA_BAD_ARGUMENT && loaded == NULL);
    CHECK(pingala_fixed_exponent_search_be(&loaded, seven, 0, 0, 0, 1, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    OK(pingala_options_set_watch(options, &stop, NULL));
    CHECK(pingala_fixed_exponent_search_limbs(&loaded, exponent, 2, 0, 60000, 1, options, WHY) == PINGALA_INTERRUPTED && loaded == NULL);

    path_in(path, folder, "chain.json");
    OK(pingala_fixed_exponent_save(fixed, path, WHY));
    OK(pingala_fixed_exponent_load(&loaded, path, WHY));
    CHECK(pingala_fixed_exponent_length(fixed) == pingala_fixed_exponent_length(loaded));
    pingala_fixed_exponent_free(fixed);
    path_in(path, folder, "none.json");
    fixed = NULL;
    CHECK(pingala_fixed_exponent_load(&fixed, path, WHY) == PINGALA_BAD_FILE && fixed == NULL);
    CHECK(pingala_fixed_exponent_load(&fixed, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_fixed_exponent_save(loaded, NULL, WHY) == PINGALA_BAD_ARGUMENT);

    OK(pingala_fixed_exponent_explain(loaded, m, text, sizeof text, &needed, WHY));
    CHECK(strstr(text, " products instead of ") != NULL && needed == strlen(text) + 1);
    OK(pingala_fixed_exponent_modulo(loaded, m, &power, WHY));
    pingala_fixed_exponent_free(loaded);
    OK(pingala_fixed_power_pow_list_limbs(power, out, bases, 3, status, signs, NULL, WHY));
    for (i = 0; i < 3; i++) {
        OK(pingala_modulus_pow_limbs(m, &one, 1, bases + i, 1, exponent, 2, signs[i], NULL, WHY));
        CHECK(out[i] == one && status[i] == PINGALA_OK);
        OK(pingala_fixed_power_pow_limbs(power, &value[0], 1, bases + i, 1, signs[i], NULL, WHY));
        CHECK(value[0] == one);
    }
    OK(pingala_fixed_power_pow_be(power, bytes, 8, three, 8, 0, NULL, WHY));
    OK(pingala_fixed_power_pow_list_be(power, by_bytes, three, 1, NULL, NULL, NULL, WHY));
    CHECK(memcmp(bytes, by_bytes, 8) == 0 && bytes[7] == (uint8_t)out[0]);
    CHECK(pingala_fixed_power_pow_limbs(power, out, 0, bases, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_fixed_power_pow_limbs(power, out, 1, bases, 1, PINGALA_NEGATIVE_EXPONENT, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_fixed_power_pow_limbs(power, out, 1, bases, 1, 0, options, WHY) == PINGALA_INTERRUPTED);
    OK(pingala_options_set_watch(options, NULL, NULL));
    OK(pingala_fixed_power_pow_limbs(power, &one, 1, bases, 1, 0, options, WHY));
    CHECK(one == out[0]);
    CHECK(pingala_fixed_exponent_modulo(NULL, m, &other, WHY) == PINGALA_BAD_ARGUMENT && other == NULL);
    CHECK(pingala_fixed_exponent_modulo(small, NULL, &other, WHY) == PINGALA_BAD_ARGUMENT && other == NULL);
    CHECK(pingala_fixed_power_pow_limbs(NULL, out, 1, bases, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_fixed_exponent_length(NULL) == 0 && pingala_fixed_exponent_bits(NULL) == 0);
    OK(pingala_fixed_exponent_modulo(small, m, &other, WHY));
    OK(pingala_fixed_power_pow_limbs(other, out, 1, bases + 1, 1, 0, NULL, WHY));
    CHECK(out[0] == 128);
    pingala_fixed_power_free(other);
    pingala_fixed_power_free(power);
    pingala_fixed_power_free(NULL);
    pingala_fixed_exponent_free(small);
    pingala_fixed_exponent_free(NULL);
    pingala_options_free(options);
    pingala_modulus_free(m);
}

static void squarings(const char *folder)
{
    const uint64_t m[2] = {0xffffffffffffff61u, 0x7fffffffffffffffu}, seven = 7, count = 3000;
    const uint32_t stop = 1;
    const uint8_t bytes[] = {7};
    uint8_t by_bytes[16];
    uint64_t out[2], again[2], step[2] = {7, 0}, done = 0;
    char path[512];
    size_t i;
    pingala_modulus *modulus = NULL;
    pingala_options *options = NULL;
    OK(pingala_modulus_new_limbs(&modulus, m, 2, WHY));
    OK(pingala_options_new(&options, WHY));
    OK(pingala_options_set_timeout(options, 20));
    CHECK(pingala_modulus_repeated_square_limbs(modulus, out, 2, &seven, 1, (uint64_t)1 << 40, 0, NULL, 0, options, WHY)
          == PINGALA_INTERRUPTED);
    OK(pingala_options_set_timeout(options, 0));
    OK(pingala_options_set_watch(options, NULL, &done));
    OK(pingala_modulus_repeated_square_limbs(modulus, out, 2, &seven, 1, count, 0, NULL, 0, options, WHY));
    CHECK(done == count);
    for (i = 0; i < count; i++) {
        const uint64_t two = 2;
        OK(pingala_modulus_pow_limbs(modulus, step, 2, step, 2, &two, 1, 0, NULL, WHY));
    }
    CHECK(memcmp(out, step, sizeof out) == 0);
    OK(pingala_modulus_repeated_square_be(modulus, by_bytes, 16, bytes, 1, count, PINGALA_NEGATIVE_BASE, NULL, 0, NULL, WHY));
    CHECK(by_bytes[15] == (uint8_t)out[0]);

    /* A run that is stopped leaves its state in the file, and another call goes on from there. */
    path_in(path, folder, "state");
    OK(pingala_options_set_watch(options, &stop, &done));
    CHECK(pingala_modulus_repeated_square_limbs(modulus, again, 2, &seven, 1, 2000000, 0, path, 1000, options, WHY)
          == PINGALA_INTERRUPTED);
    OK(pingala_modulus_repeated_square_limbs(modulus, out, 2, &seven, 1, 2000000, 0, path, 1000, NULL, WHY));
    OK(pingala_modulus_repeated_square_limbs(modulus, again, 2, &seven, 1, 2000000, 0, path, 1000, NULL, WHY));
    CHECK(memcmp(out, again, sizeof out) == 0);
    CHECK(pingala_modulus_repeated_square_limbs(modulus, out, 2, &count, 1, 2000000, 0, path, 1000, NULL, WHY)
          == PINGALA_BAD_FILE);
    pingala_options_free(options);
    pingala_modulus_free(modulus);
}

/* Proofs modulo a product of two random primes, of 1279 bits, and modulo 2^1279 - 1, where 2 has the order 1279. */
static void proofs(const char *folder)
{
    const uint64_t seven = 7, zero = 0, short_m = 1000003, even = 1000;
    const uint8_t byte = 7;
    const uint32_t stop = 1;
    const uint64_t m[20] = {
        0x2763c07f3dc0aee5, 0x1b7cd8dba9ae2e9c, 0xc0955652c037c999, 0xed8d93625208ce26,
        0x7fc10b4cc6ee2ef4, 0xbcf4608317afadd6, 0x5269b29c58adadfa, 0x87350ed8d35b8653,
        0x995e7d4dc899046d, 0x673d3e2cfec42972, 0xe59b02f2db88d41e, 0x7eeab303c21575ad,
        0x926e7dc6616ad88f, 0xd83e0204f76ef160, 0x20f9ac3efad04f21, 0xc0c3789047225cc9,
        0x1696b1095c5d1b28, 0xfe62182da898e5d1, 0x4f252acadec40b7a, 0x7beb4850539f5c75};
    uint64_t weak_m[20], out[21], proof[21], again[20], proof_again[20];
    uint8_t m_bytes[160], out_bytes[160], proof_bytes[160];
    uint32_t valid = 9;
    char path[512];
    pingala_modulus *modulus = NULL, *small = NULL, *of_bytes = NULL, *weak = NULL;
    pingala_options *options = NULL;
    memset(weak_m, 255, sizeof weak_m);
    weak_m[19] >>= 1;
    for (size_t i = 0; i < sizeof m_bytes; i++) m_bytes[sizeof m_bytes - 1 - i] = (uint8_t)(m[i / 8] >> (8 * (i % 8)));
    OK(pingala_options_new(&options, WHY));
    OK(pingala_modulus_new_limbs(&modulus, m, 20, WHY));
    OK(pingala_modulus_new_be(&of_bytes, m_bytes, 160, WHY));
    OK(pingala_modulus_new_limbs(&small, &short_m, 1, WHY));

    OK(pingala_modulus_new_limbs(&weak, weak_m, 20, WHY));
    OK(pingala_modulus_prove_squaring_limbs(weak, out, 20, proof, 20, &seven, 1, 3000, 0, NULL, 0, 0, NULL, WHY));
    OK(pingala_modulus_verify_squaring_limbs(weak, &valid, &seven, 1, 3000, 0, out, 20, proof, 20, NULL, WHY));
    CHECK(valid == 0 && strstr(why, "small order"));
    pingala_modulus_free(weak);
    valid = 9;

    OK(pingala_modulus_prove_squaring_limbs(modulus, out, 21, proof, 21, &seven, 1, 3000, 0, NULL, 0, 0, NULL, WHY));
    OK(pingala_modulus_repeated_square_limbs(modulus, again, 20, &seven, 1, 3000, 0, NULL, 0, NULL, WHY));
    CHECK(memcmp(out, again, sizeof again) == 0 && out[20] == 0 && proof[20] == 0);
    OK(pingala_modulus_prove_squaring_limbs(modulus, again, 20, proof_again, 20, &seven, 1, 3000, 0, NULL, 0, 1, NULL, WHY));
    CHECK(memcmp(out, again, sizeof again) == 0 && memcmp(proof, proof_again, sizeof again) == 0);
    OK(pingala_modulus_verify_squaring_limbs(modulus, &valid, &seven, 1, 3000, 0, out, 21, proof, 21, options, WHY));
    CHECK(valid == 1 && why[0] == 0);
    OK(pingala_modulus_verify_squaring_limbs(modulus, &valid, &seven, 1, 3001, 0, out, 20, proof, 20, NULL, WHY));
    CHECK(valid == 0 && strstr(why, "does not belong"));
    valid = 9;
    OK(pingala_modulus_verify_squaring_limbs(modulus, &valid, &seven, 1, 3000, PINGALA_NEGATIVE_BASE, out, 20, proof, 20, NULL, WHY));
    CHECK(valid == 0);
    proof[3] ^= 1, valid = 9;
    OK(pingala_modulus_verify_squaring_limbs(modulus, &valid, &seven, 1, 3000, 0, out, 20, proof, 20, NULL, WHY));
    CHECK(valid == 0);
    OK(pingala_modulus_verify_squaring_limbs(modulus, &valid, &seven, 1, 3000, 0, m, 20, proof, 20, NULL, WHY));
    CHECK(valid == 0 && strstr(why, "not below the modulus"));
    OK(pingala_modulus_verify_squaring_limbs(modulus, &valid, &seven, 1, 3000, 0, out, 20, m, 20, NULL, WHY));
    CHECK(valid == 0 && strstr(why, "half of the modulus"));

    OK(pingala_modulus_prove_squaring_be(of_bytes, out_bytes, 160, proof_bytes, 160, &byte, 1, 3000, PINGALA_NEGATIVE_BASE, NULL, 0, 0,
                                         NULL, WHY));
    CHECK(out_bytes[159] == (uint8_t)out[0] && out_bytes[0] == (uint8_t)(out[19] >> 56));
    OK(pingala_modulus_verify_squaring_be(modulus, &valid, &byte, 1, 3000, PINGALA_NEGATIVE_BASE, out_bytes, 160, proof_bytes, 160, NULL,
                                          WHY));
    CHECK(valid == 1);
    /* A list: the second row has another result. */
    uint8_t both[320], proofs[320], answers[2] = {9, 9};
    const uint8_t bases[2] = {7, 7}, signs[2] = {PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_BASE};
    for (size_t i = 0; i < 320; i++) both[i] = out_bytes[i % 160], proofs[i] = proof_bytes[i % 160];
    OK(pingala_modulus_verify_squaring_list_be(modulus, answers, bases, 1, 3000, both, 160, proofs, 160, 2, signs, options, WHY));
    CHECK(answers[0] == 1 && answers[1] == 1);
    both[319] ^= 1;
    OK(pingala_modulus_verify_squaring_list_be(modulus, answers, bases, 1, 3000, both, 160, proofs, 160, 2, signs, NULL, WHY));
    CHECK(answers[0] == 1 && answers[1] == 0);
    OK(pingala_modulus_verify_squaring_list_be(modulus, answers, bases, 1, 3000, both, 160, proofs, 160, 2, NULL, NULL, WHY));
    CHECK(answers[0] == 0 && answers[1] == 0);
    both[319] ^= 1;
    const uint8_t negative[2] = {PINGALA_NEGATIVE_BASE, PINGALA_NEGATIVE_BASE | PINGALA_NEGATIVE_EXPONENT};
    OK(pingala_modulus_verify_squaring_list_be(modulus, answers, bases, 1, 3000, both, 160, proofs, 160, 2, negative, NULL, WHY));
    CHECK(answers[0] == 1 && answers[1] == 0);
    OK(pingala_modulus_verify_squaring_list_be(modulus, NULL, NULL, 1, 3000, NULL, 160, NULL, 160, 0, NULL, NULL, WHY));
    answers[0] = 9;
    CHECK(pingala_modulus_verify_squaring_list_be(modulus, answers, bases, 1, 3000, NULL, 160, proofs, 160, 2, signs, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    CHECK(answers[0] == 0);
    CHECK(pingala_modulus_verify_squaring_list_be(modulus, NULL, bases, 1, 3000, both, 160, proofs, 160, 2, signs, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    /* A short modulus has proofs, which nobody accepts. */
    OK(pingala_modulus_prove_squaring_limbs(small, out, 1, proof, 1, &seven, 1, 100, 0, NULL, 0, 0, NULL, WHY));
    OK(pingala_modulus_verify_squaring_limbs(small, &valid, &seven, 1, 100, 0, out, 1, proof, 1, NULL, WHY));
    CHECK(valid == 0 && strstr(why, "too short"));

    /* A run that is stopped leaves its state in the file, and another call goes on from there. */
    path_in(path, folder, "proved");
    OK(pingala_options_set_watch(options, &stop, NULL));
    CHECK(pingala_modulus_prove_squaring_limbs(modulus, out, 20, proof, 20, &seven, 1, 100000, 0, path, 1000, 1000000, options, WHY)
          == PINGALA_INTERRUPTED);
    OK(pingala_modulus_prove_squaring_limbs(modulus, out, 20, proof, 20, &seven, 1, 100000, 0, path, 1000, 0, NULL, WHY));
    OK(pingala_modulus_verify_squaring_limbs(modulus, &valid, &seven, 1, 100000, 0, out, 20, proof, 20, NULL, WHY));
    CHECK(valid == 1);
    again[0] = 77;
    CHECK(pingala_modulus_prove_squaring_limbs(modulus, again, 20, proof, 20, &seven, 1, 100001, 0, path, 1000, 0, NULL, WHY)
          == PINGALA_BAD_FILE);
    CHECK(pingala_modulus_prove_squaring_limbs(modulus, again, 20, proof, 20, &zero, 1, 9, 0, NULL, 0, 0, NULL, WHY)
          == PINGALA_NOT_INVERTIBLE);
    CHECK(pingala_modulus_prove_squaring_limbs(modulus, again, 19, proof, 20, &seven, 1, 9, 0, NULL, 0, 0, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_prove_squaring_limbs(modulus, again, 20, proof, 19, &seven, 1, 9, 0, NULL, 0, 0, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_prove_squaring_limbs(modulus, again, 20, NULL, 20, &seven, 1, 9, 0, NULL, 0, 0, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_prove_squaring_limbs(modulus, again, 20, proof, 20, &seven, 1, 9, 2, NULL, 0, 0, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_prove_squaring_limbs(NULL, again, 20, proof, 20, &seven, 1, 9, 0, NULL, 0, 0, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    CHECK(again[0] == 77);
    valid = 9;
    CHECK(pingala_modulus_verify_squaring_limbs(modulus, NULL, &seven, 1, 9, 0, out, 20, proof, 20, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_verify_squaring_limbs(NULL, &valid, &seven, 1, 9, 0, out, 20, proof, 20, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_verify_squaring_limbs(modulus, &valid, &seven, 1, 9, 0, NULL, 20, proof, 20, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_verify_squaring_limbs(modulus, &valid, &seven, 1, 9, 0, out, 20, NULL, 20, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(valid == 0);
    pingala_modulus_free(small);
    OK(pingala_modulus_new_limbs(&small, &even, 1, WHY));
    CHECK(pingala_modulus_prove_squaring_limbs(small, again, 1, proof, 1, &seven, 1, 9, 0, NULL, 0, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    OK(pingala_modulus_verify_squaring_limbs(small, &valid, &seven, 1, 9, 0, again, 1, proof, 1, NULL, WHY));
    CHECK(valid == 0);
    pingala_options_free(options);
    pingala_modulus_free(small);
    pingala_modulus_free(of_bytes);
    pingala_modulus_free(modulus);
}

static void secrets(void)
{
    /* Two primes of 64 bits. */
    const uint64_t p = 0xffffffffffffffc5u, q = 0xffffffffffffffadu;
    const uint64_t base[2] = {12345, 0};
    const uint64_t factors[2] = {p, q}, bits[2] = {64, 64}, e = 65537;
    const uint32_t once[2] = {1, 1};
    const uint64_t exponent[2] = {0x123456789abcdef0u, 0x0fedcba987654321u};
    uint64_t product[2], out[2], open[2];
    uint8_t base_be[2] = {0x30, 0x39}, exponent_be[16], out_be[16], open_be[16];
    pingala_modulus *secret = NULL, *plain = NULL;
    pingala_options *options = NULL;
    size_t i;
    /* p q by halves of 32 bits. */
    {
        const uint64_t pl = p & 0xffffffffu, ph = p >> 32, ql = q & 0xffffffffu, qh = q >> 32;
        const uint64_t low = pl * ql, mid = ph * ql + (low >> 32), mid2 = pl * qh + (mid & 0xffffffffu);
        product[0] = (mid2 << 32) | (low & 0xffffffffu);
        product[1] = ph * qh + (mid >> 32) + (mid2 >> 32);
    }
    for (i = 0; i < 16; i++)
        exponent_be[15 - i] = (uint8_t)(exponent[i / 8] >> (8 * (i % 8)));
    OK(pingala_modulus_new_limbs(&plain, product, 2, WHY));
    OK(pingala_modulus_new_secret_limbs(&secret, product, 2, factors, 1, bits, once, 2, NULL, WHY));
    OK(pingala_modulus_pow_limbs(plain, open, 2, base, 2, exponent, 2, 0, NULL, WHY));
    OK(pingala_modulus_pow_sec_limbs(plain, out, 2, base, 2, exponent, 2, 128, NULL, WHY));
    CHECK(memcmp(out, open, sizeof out) == 0);
    OK(pingala_modulus_pow_sec_limbs(secret, out, 2, base, 2, exponent, 2, 124, NULL, WHY));
    CHECK(memcmp(out, open, sizeof out) == 0);
    OK(pingala_modulus_pow_be(plain, open_be, 16, base_be, 2, exponent_be, 16, 0, NULL, WHY));
    OK(pingala_modulus_pow_sec_be(secret, out_be, 16, base_be, 2, exponent_be, 16, 128, NULL, WHY));
    CHECK(memcmp(out_be, open_be, 16) == 0);
    /* In place. */
    memcpy(out_be, exponent_be, 16);
    OK(pingala_modulus_pow_sec_be(secret, out_be, 16, base_be, 2, out_be, 16, 128, NULL, WHY));
    CHECK(memcmp(out_be, open_be, 16) == 0);

    /* What fails its check is not released. */
    OK(pingala_options_new(&options, WHY));
    OK(pingala_options_set_public_exponent_limbs(options, &e, 1));
    out[0] = out[1] = 99;
    CHECK(pingala_modulus_pow_sec_limbs(secret, out, 2, base, 2, exponent, 2, 128, options, WHY)
          == PINGALA_BAD_ARGUMENT); /* e does not belong to the exponent */
    CHECK(out[0] == 99 && out[1] == 99);
    {
        const uint8_t one[1] = {1};
        const uint64_t unit = 1;
        OK(pingala_options_set_public_exponent_be(options, one, 1));
        OK(pingala_modulus_pow_sec_limbs(secret, out, 2, base, 2, &unit, 1, 1, options, WHY));
        CHECK(out[0] == 12345 && out[1] == 0);
    }
    /* Blinded or not, with the public exponent and without: d e = 1 modulo (p - 1) (q - 1), base^d by Python's pow. */
    {
        const uint64_t d[2] = {0x727c8d83727c98e1u, 0x93c96c3693c96be3u}, root[2] = {0x0a8b94d8772ee1b3u, 0xa6844cc887d531fcu};
        uint8_t d_be[16], root_be[16];
        for (i = 0; i < 16; i++) {
            d_be[15 - i] = (uint8_t)(d[i / 8] >> (8 * (i % 8)));
            root_be[15 - i] = (uint8_t)(root[i / 8] >> (8 * (i % 8)));
        }
        for (i = 0; i < 4; i++) {
            OK(pingala_options_set_blinding(options, (uint32_t)(i & 1)));
            OK(pingala_options_set_public_exponent_limbs(options, &e, i < 2 ? 1 : 0));
            memset(out, 0, sizeof out);
            OK(pingala_modulus_pow_sec_limbs(secret, out, 2, base, 2, d, 2, 128, options, WHY));
            CHECK(memcmp(out, root, sizeof out) == 0);
            memset(out_be, 0, sizeof out_be);
            OK(pingala_modulus_pow_sec_be(secret, out_be, 16, base_be, 2, d_be, 16, 128, options, WHY));
            CHECK(memcmp(out_be, root_be, 16) == 0);
            OK(pingala_modulus_pow_limbs(plain, open, 2, out, 2, &e, 1, 0, NULL, WHY));
            CHECK(memcmp(open, base, sizeof open) == 0);
        }
    }
    CHECK(pingala_modulus_pow_sec_limbs(plain, out, 2, base, 2, exponent, 2, 64, NULL, WHY) == PINGALA_BAD_SECRET);
    CHECK(pingala_modulus_pow_sec_limbs(plain, out, 1, base, 2, exponent, 2, 128, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    pingala_modulus_free(secret);
    {
        const uint64_t short_bits[2] = {63, 64}, long_bits[2] = {65, 64};
        uint8_t rows[16];
        for (i = 0; i < 8; i++) {
            rows[7 - i] = (uint8_t)(p >> (8 * i));
            rows[15 - i] = (uint8_t)(q >> (8 * i));
        }
        CHECK(pingala_modulus_new_secret_limbs(&secret, product, 2, factors, 1, short_bits, once, 2, NULL, WHY)
              == PINGALA_WRONG_FACTORS);
        CHECK(pingala_modulus_new_secret_limbs(&secret, product, 2, factors, 1, long_bits, once, 2, NULL, WHY)
              == PINGALA_BAD_ARGUMENT);
        OK(pingala_modulus_value_be(plain, open_be, 16, WHY));
        OK(pingala_modulus_new_secret_be(&secret, open_be, 16, rows, 8, bits, once, 2, NULL, WHY));
    }
    pingala_modulus_free(secret);
    pingala_modulus_free(plain);
    pingala_options_free(options);
}

/* Lists of secret powers, and secret exponents from a table: what the public calls give. */
static void secret_lists(void)
{
    const uint64_t value = 0xffffffffffffffc5u, bases[3] = {3, 7, value - 1}, exponents[3] = {0, 0x1234567, 0xffffffff};
    const uint8_t exponents_be[12] = {0, 0, 0, 0, 0x01, 0x23, 0x45, 0x67, 0xff, 0xff, 0xff, 0xff};
    uint8_t bases_be[24], out_be[24];
    uint64_t out[3], open[3];
    int32_t status[3];
    pingala_modulus *m = NULL, *even = NULL;
    pingala_fixed_base *table = NULL;
    size_t i;
    OK(pingala_modulus_new_limbs(&m, &value, 1, WHY));
    for (i = 0; i < 24; i++)
        bases_be[i] = (uint8_t)(bases[i / 8] >> (8 * (7 - i % 8)));
    OK(pingala_modulus_pow_list_limbs(m, open, bases, exponents, 1, 3, NULL, NULL, NULL, WHY));
    OK(pingala_modulus_pow_sec_list_limbs(m, out, bases, exponents, 1, 32, 3, 3, status, NULL, WHY));
    CHECK(memcmp(out, open, sizeof out) == 0 && status[0] == 0 && status[1] == 0 && status[2] == 0);
    OK(pingala_modulus_pow_sec_list_be(m, out_be, bases_be, exponents_be, 4, 32, 3, 3, NULL, NULL, WHY));
    for (i = 0; i < 24; i++)
        CHECK(out_be[i] == (uint8_t)(open[i / 8] >> (8 * (7 - i % 8))));
    /* One exponent for all. */
    OK(pingala_modulus_pow_sec_list_limbs(m, out, bases, exponents + 1, 1, 32, 1, 3, NULL, NULL, WHY));
    CHECK(out[1] == open[1]);
    OK(pingala_modulus_pow_sec_list_limbs(m, out, bases, exponents, 1, 32, 0, 0, NULL, NULL, WHY));
    CHECK(pingala_modulus_pow_sec_list_limbs(m, out, bases, exponents, 1, 32, 2, 3, NULL, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_modulus_pow_sec_list_limbs(m, out, bases, exponents, 1, 31, 3, 3, NULL, NULL, WHY)
          == PINGALA_BAD_SECRET);

    OK(pingala_fixed_base_new_limbs(&table, m, bases, 1, 0, 32, 1 << 14, 0, PINGALA_FOR_SECRETS | PINGALA_IN_LISTS, NULL,
                                    WHY));
    OK(pingala_fixed_base_pow_list_limbs(table, open, exponents, 1, 3, NULL, NULL, NULL, WHY));
    OK(pingala_fixed_base_pow_sec_list_limbs(table, out, exponents, 1, 32, 3, status, NULL, WHY));
    CHECK(memcmp(out, open, sizeof out) == 0 && status[2] == 0);
    OK(pingala_fixed_base_pow_sec_list_be(table, out_be, exponents_be + 4, 4, 32, 1, NULL, NULL, WHY));
    for (i = 0; i < 8; i++)
        CHECK(out_be[i] == (uint8_t)(open[1] >> (8 * (7 - i))));
    /* A width beyond the table's is an error of each element. */
    out[0] = 5;
    CHECK(pingala_fixed_base_pow_sec_list_limbs(table, out, exponents, 1, 33, 1, NULL, NULL, WHY) == PINGALA_TOO_LONG);
    OK(pingala_fixed_base_pow_sec_list_limbs(table, out, exponents, 1, 33, 1, status, NULL, WHY));
    CHECK(status[0] == PINGALA_TOO_LONG && out[0] == 0);
    pingala_fixed_base_free(table);
    CHECK(pingala_fixed_base_new_limbs(&table, m, bases, 1, 0, 32, 1 << 14, 0, 4, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    {
        const uint64_t six = 6;
        OK(pingala_modulus_new_limbs(&even, &six, 1, WHY));
        CHECK(pingala_fixed_base_new_limbs(&table, even, bases, 1, 0, 32, 1 << 14, 0, PINGALA_FOR_SECRETS, NULL, WHY)
              == PINGALA_BAD_ARGUMENT);
    }
    pingala_modulus_free(even);
    pingala_modulus_free(m);
}

static void explanations(void)
{
    const uint8_t p[8] = {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1}, rows[] = {3, 5, 7};
    const uint64_t limb = P, numbers[] = {3, 5, 7}, ends[] = {1, 3};
    const uint32_t first[] = {0, 0, 0};
    const pingala_modulus *moduli[1];
    pingala_modulus *m = NULL;
    char line[200], twin[200], cut[6], *all;
    size_t needed = 0, i;
    uint32_t format;
    OK(pingala_modulus_new_be(&m, p, 8, WHY));
    moduli[0] = m;
    OK(pingala_modulus_explain_be(m, line, sizeof line, &needed, PINGALA_PLAN, rows, 1, p, 8, 0, NULL, WHY));
    CHECK(strstr(line, " on ") != NULL && needed == strlen(line) + 1);
    OK(pingala_modulus_explain_be(m, cut, sizeof cut, &needed, PINGALA_PLAN, rows, 1, p, 8, 0, NULL, WHY));
    CHECK(strlen(cut) == 5 && strncmp(cut, line, 5) == 0 && needed == strlen(line) + 1);
    for (format = PINGALA_TEXT; format <= PINGALA_JSON; format++) {
        OK(pingala_modulus_explain_be(m, NULL, 0, &needed, format, rows, 1, p, 8, 0, NULL, WHY));
        all = (char *)malloc(needed);
        OK(pingala_modulus_explain_be(m, all, needed, NULL, format, rows, 1, p, 8, 0, NULL, WHY));
        CHECK(strlen(all) == needed - 1 && strstr(all, line) != NULL);
        if (format == PINGALA_JSON) {
            CHECK(strstr(all, "\"candidates\": [{") != NULL);
            puts(all);
        }
        free(all);
    }
    CHECK(pingala_modulus_explain_be(m, NULL, 0, &needed, 4, rows, 1, p, 8, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    OK(pingala_modulus_explain_repeated_square(m, line, 200, NULL, PINGALA_PLAN, 1000, NULL, WHY));
    CHECK(line[0] != 0);
    for (i = 0; i < 11; i++) { /* the same plan from bytes and from limbs */
        const int32_t got =
            i == 0   ? pingala_modulus_explain_exp_list_be(m, line, 200, NULL, PINGALA_PLAN, rows, 1, 3, NULL, NULL, WHY)
            : i == 1 ? pingala_modulus_explain_base_list_be(m, line, 200, NULL, PINGALA_PLAN, rows, 1, 3, p, 8, 0, NULL, WHY)
            : i == 2 ? pingala_modulus_explain_product_be(m, line, 200, NULL, PINGALA_PLAN, rows, 1, 3, NULL, NULL, WHY)
            : i == 3 ? pingala_fixed_base_explain_be(m, line, 200, NULL, PINGALA_PLAN, rows, 1, 0, 64, 1 << 14, 0, 0, NULL, WHY)
            : i == 4 ? pingala_plan_list_be(line, 200, NULL, rows, 1, rows, 1, moduli, 1, first, 3, NULL, NULL, WHY)
            : i == 5 ? pingala_plan_product_list_be(line, 200, NULL, rows, 1, rows, 1, 3, ends, moduli, 1, first, 2, NULL, NULL, WHY)
            : i == 6 ? pingala_modulus_plan_list_be(m, line, 200, NULL, p, rows, 1, 1, NULL, NULL, WHY)
            : i == 7 ? pingala_modulus_plan_product_list_be(m, line, 200, NULL, p, rows, 1, 1, ends, 1, NULL, NULL, WHY)
            : i == 8 ? pingala_explain_product_list_be(line, 200, NULL, PINGALA_PLAN, rows, 1, rows, 1, 3, ends, moduli, 1, first, 2, NULL,
                                                       NULL, WHY)
            : i == 9 ? pingala_modulus_explain_product_list_be(m, line, 200, NULL, PINGALA_PLAN, p, rows, 1, 1, ends, 1, NULL, NULL, WHY)
                     : pingala_modulus_explain_be(m, line, 200, NULL, PINGALA_PLAN, rows, 1, p, 8, 0, NULL, WHY);
        const int32_t by_limbs =
            i == 0   ? pingala_modulus_explain_exp_list_limbs(m, twin, 200, NULL, PINGALA_PLAN, numbers, 1, 3, NULL, NULL, WHY)
            : i == 1 ? pingala_modulus_explain_base_list_limbs(m, twin, 200, NULL, PINGALA_PLAN, numbers, 1, 3, &limb, 1, 0, NULL, WHY)
            : i == 2 ? pingala_modulus_explain_product_limbs(m, twin, 200, NULL, PINGALA_PLAN, numbers, 1, 3, NULL, NULL, WHY)
            : i == 3 ? pingala_fixed_base_explain_limbs(m, twin, 200, NULL, PINGALA_PLAN, numbers, 1, 0, 64, 1 << 14, 0, 0, NULL, WHY)
            : i == 4 ? pingala_plan_list_limbs(twin, 200, NULL, numbers, 1, numbers, 1, moduli, 1, first, 3, NULL, NULL, WHY)
            : i == 5 ? pingala_plan_product_list_limbs(twin, 200, NULL, numbers, 1, numbers, 1, 3, ends, moduli, 1, first, 2, NULL, NULL, WHY)
            : i == 6 ? pingala_modulus_plan_list_limbs(m, twin, 200, NULL, &limb, numbers, 1, 1, NULL, NULL, WHY)
            : i == 7 ? pingala_modulus_plan_product_list_limbs(m, twin, 200, NULL, &limb, numbers, 1, 1, ends, 1, NULL, NULL, WHY)
            : i == 8 ? pingala_explain_product_list_limbs(twin, 200, NULL, PINGALA_PLAN, numbers, 1, numbers, 1, 3, ends, moduli, 1, first, 2,
                                                          NULL, NULL, WHY)
            : i == 9 ? pingala_modulus_explain_product_list_limbs(m, twin, 200, NULL, PINGALA_PLAN, &limb, numbers, 1, 1, ends, 1, NULL,
                                                                  NULL, WHY)
                     : pingala_modulus_explain_limbs(m, twin, 200, NULL, PINGALA_PLAN, numbers, 1, &limb, 1, 0, NULL, WHY);
        CHECK(got == PINGALA_OK && by_limbs == PINGALA_OK && line[0] != 0 && strcmp(line, twin) == 0);
    }
    pingala_modulus_free(m);
}

static void settings(void)
{
    const uint64_t p = P, b = 5, long_exponent[2] = {0, 1};
    uint64_t free_choice, forced;
    char line[200];
    const uint8_t five[] = {5}, bytes[8] = {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1};
    uint8_t seven[7];
    pingala_modulus *m = NULL;
    pingala_options *options = NULL;
    OK(pingala_modulus_new_limbs(&m, &p, 1, WHY));
    OK(pingala_options_new(&options, WHY));
    OK(pingala_modulus_pow_limbs(m, &free_choice, 1, &b, 1, &p, 1, 0, NULL, WHY));
    OK(pingala_options_set_plan(options, "binary_left_to_right on portable_r64"));
    OK(pingala_modulus_pow_limbs(m, &forced, 1, &b, 1, &p, 1, 0, options, WHY));
    CHECK(forced == free_choice);
    OK(pingala_modulus_explain_be(m, line, 200, NULL, PINGALA_PLAN, five, 1, bytes, 8, 0, options, WHY));
    CHECK(strncmp(line, "binary_left_to_right on portable_r64", 36) == 0);
    OK(pingala_options_set_plan(options, NULL));
    OK(pingala_options_set_kernel(options, "no_such_kernel"));
    CHECK(pingala_modulus_pow_limbs(m, &forced, 1, &b, 1, &p, 1, 0, options, WHY) == PINGALA_BAD_PLAN);
    CHECK(strstr(why, "no kernel 'no_such_kernel'") != NULL);
    CHECK(pingala_modulus_pow_limbs(m, NULL, 1, &b, 1, &p, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(strstr(why, "out is NULL") != NULL);
    CHECK(pingala_modulus_pow_limbs(m, NULL, 0, &b, 1, &p, 1, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(strstr(why, "out is NULL; the result takes 1 limbs") != NULL);
    CHECK(pingala_modulus_pow_be(m, seven, 7, five, 1, bytes, 8, 0, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(strstr(why, "out has 7 bytes; the result takes 8 bytes") != NULL);
    CHECK(pingala_options_set_kernel(options, "\xff") == PINGALA_BAD_ARGUMENT);
    OK(pingala_options_set_kernel(options, NULL));
    OK(pingala_options_set_threads(options, 2));
    OK(pingala_options_set_memory(options, 1 << 20));
    OK(pingala_options_set_blinding(options, 0));
    OK(pingala_options_set_limits(options, 0, 64));
    OK(pingala_modulus_pow_limbs(m, &forced, 1, &b, 1, &p, 1, 0, options, WHY));
    CHECK(pingala_modulus_pow_limbs(m, &forced, 1, &b, 1, long_exponent, 2, 0, options, WHY) == PINGALA_TOO_LONG);
    CHECK(pingala_options_set_threads(NULL, 2) == PINGALA_BAD_ARGUMENT);
    pingala_options_free(options);
    pingala_options_free(NULL);
    pingala_modulus_free(m);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    constants();
    one_power();
    handles();
    factors();
    lists();
    lists_in_bytes();
    fixed_bases(argv[1]);
    fixed_exponents(argv[1]);
    squarings(argv[1]);
    proofs(argv[1]);
    secrets();
    secret_lists();
    explanations();
    settings();
    return failed;
}
