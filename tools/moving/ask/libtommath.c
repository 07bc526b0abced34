#include <stdio.h>
#include <stdlib.h>
#include <tommath.h>

/* VERSION is what pkg-config says. */

static mp_int *number(long value)
{
    mp_int *n = malloc(sizeof *n);
    if (n == NULL || mp_init(n) != MP_OKAY)
        exit(1);
    mp_set_i64(n, value);
    return n;
}

static void show(const char *key, mp_err status, mp_int *result)
{
    char text[100];
    if (status != MP_OKAY)
        printf("%s\terror %s\n", key, mp_error_to_string(status));
    else if (mp_to_decimal(result, text, sizeof text) == MP_OKAY)
        printf("%s\t%s\n", key, text);
}

static void power(const char *key, long b, long e, long m)
{
    mp_int *result = number(0);
    show(key, mp_exptmod(number(b), number(e), number(m), result), result);
}

static void inverse(const char *key, long a, long m)
{
    mp_int *result = number(0);
    show(key, mp_invmod(number(a), number(m), result), result);
}

static void symbol(const char *key, long a, long n)
{
    int result = 0;
    mp_err status = mp_kronecker(number(a), number(n), &result);
    if (status != MP_OKAY)
        printf("%s\terror %s\n", key, mp_error_to_string(status));
    else
        printf("%s\t%d\n", key, result);
}

int main(void)
{
    mp_bool prime = MP_NO;
    printf("version\t%s\n", VERSION);
    power("power of a negative modulus", 3, 2, -7);
    power("power of a negative exponent", 3, -1, 7);
    power("power of a negative exponent without an inverse", 2, -1, 4);
    power("power of modulus 1", 3, 0, 1);
    power("power of modulus 0", 3, 2, 0);
    power("power of 0 and 0", 0, 0, 7);
    power("power of a negative base", -3, 3, 7);
    power("power of a negative base and exponent", -3, -1, 7);
    power("power of an even modulus", 3, 5, 10);
    inverse("inverse that is missing", 2, 4);
    inverse("inverse of modulus 1", 3, 1);
    symbol("symbol of a negative number", 2, -7);
    symbol("symbol of an even number", 3, 8);
    if (mp_prime_is_prime(number(-7), 8, &prime) == MP_OKAY)
        printf("prime of a negative number\t%s\n", prime == MP_YES ? "true" : "false");
    return 0;
}
