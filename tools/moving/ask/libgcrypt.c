#include <gcrypt.h>
#include <stdio.h>
#include <stdlib.h>

static gcry_mpi_t number(long value)
{
    gcry_mpi_t n = gcry_mpi_set_ui(NULL, (unsigned long)labs(value));
    if (value < 0)
        gcry_mpi_neg(n, n);
    return n;
}

static void show(const char *key, gcry_mpi_t result)
{
    unsigned char *text;
    gcry_mpi_aprint(GCRYMPI_FMT_HEX, &text, NULL, result);
    printf("%s\t%ld\n", key, strtol((char *)text, NULL, 16));
    gcry_free(text);
}

static void power(const char *key, long b, long e, long m)
{
    gcry_mpi_t result = gcry_mpi_new(0);
    gcry_mpi_powm(result, number(b), number(e), number(m));
    show(key, result);
}

static void inverse(const char *key, long a, long m)
{
    gcry_mpi_t result = gcry_mpi_new(0);
    if (gcry_mpi_invm(result, number(a), number(m)))
        show(key, result);
    else
        printf("%s\t0 returned\n", key);
}

int main(void)
{
    printf("version\t%s\n", gcry_check_version(NULL));
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    power("power of a negative modulus", 3, 2, -7);
    power("power of a negative exponent", 3, -1, 7);
    power("power of a negative exponent without an inverse", 2, -1, 4);
    power("power of modulus 1", 3, 0, 1);
    power("power of 0 and 0", 0, 0, 7);
    power("power of a negative base", -3, 3, 7);
    power("power of a negative base and exponent", -3, -1, 7);
    power("power of an even modulus", 3, 5, 10);
    inverse("inverse that is missing", 2, 4);
    inverse("inverse of modulus 1", 3, 1);
    return 0;
}
