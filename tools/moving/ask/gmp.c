#include <gmp.h>
#include <stdio.h>

/* The manual excludes modulus 0 and, for powers, a missing inverse: they are not asked. */
static void power(const char *key, long b, long e, long m)
{
    mpz_t base, exponent, modulus, result;
    mpz_init_set_si(base, b);
    mpz_init_set_si(exponent, e);
    mpz_init_set_si(modulus, m);
    mpz_init(result);
    mpz_powm(result, base, exponent, modulus);
    gmp_printf("%s\t%Zd\n", key, result);
    mpz_clears(base, exponent, modulus, result, NULL);
}

static void inverse(const char *key, long a, long m)
{
    mpz_t value, modulus, result;
    mpz_init_set_si(value, a);
    mpz_init_set_si(modulus, m);
    mpz_init(result);
    if (mpz_invert(result, value, modulus)) {
        gmp_printf("%s\t%Zd\n", key, result);
    } else {
        printf("%s\t0 returned\n", key);
    }
    mpz_clears(value, modulus, result, NULL);
}

static void symbol(const char *key, long a, long n)
{
    mpz_t value, modulus;
    mpz_init_set_si(value, a);
    mpz_init_set_si(modulus, n);
    printf("%s\t%d\n", key, mpz_jacobi(value, modulus));
    mpz_clears(value, modulus, NULL);
}

int main(void)
{
    mpz_t negative;
    printf("version\t%s\n", gmp_version);
    power("power of a negative modulus", 3, 2, -7);
    power("power of a negative exponent", 3, -1, 7);
    power("power of modulus 1", 3, 0, 1);
    power("power of 0 and 0", 0, 0, 7);
    power("power of a negative base", -3, 3, 7);
    power("power of a negative base and exponent", -3, -1, 7);
    power("power of an even modulus", 3, 5, 10);
    inverse("inverse that is missing", 2, 4);
    inverse("inverse of modulus 1", 3, 1);
    symbol("symbol of a negative number", 2, -7);
    symbol("symbol of an even number", 3, 8);
    mpz_init_set_si(negative, -7);
    printf("prime of a negative number\t%s\n", mpz_probab_prime_p(negative, 25) ? "true" : "false");
    mpz_clear(negative);
    return 0;
}
