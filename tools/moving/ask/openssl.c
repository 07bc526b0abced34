#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>

static BN_CTX *context;

static BIGNUM *number(long value)
{
    BIGNUM *n = BN_new();
    BN_set_word(n, labs(value));
    BN_set_negative(n, value < 0);
    return n;
}

static void show(const char *key, int ok, BIGNUM *result)
{
    char *text = ok ? BN_bn2dec(result) : NULL;
    printf("%s\t%s\n", key, ok ? text : "error 0 returned");
    OPENSSL_free(text);
    BN_free(result);
}

static void power(const char *key, long b, long e, long m)
{
    BIGNUM *base = number(b), *exponent = number(e), *modulus = number(m), *result = BN_new();
    int ok = BN_mod_exp(result, base, exponent, modulus, context);
    show(key, ok, result);
    BN_free(base);
    BN_free(exponent);
    BN_free(modulus);
}

static void inverse(const char *key, long a, long m)
{
    BIGNUM *value = number(a), *modulus = number(m), *result = BN_new();
    int ok = BN_mod_inverse(result, value, modulus, context) != NULL;
    show(key, ok, result);
    BN_free(value);
    BN_free(modulus);
}

int main(void)
{
    context = BN_CTX_new();
    printf("version\t%s\n", OpenSSL_version(OPENSSL_VERSION_STRING));
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
    printf("symbol of a negative number\t%d\n", BN_kronecker(number(2), number(-7), context));
    printf("symbol of an even number\t%d\n", BN_kronecker(number(3), number(8), context));
    printf("prime of a negative number\t%s\n", BN_check_prime(number(-7), context, NULL) == 1 ? "true" : "false");
    BN_CTX_free(context);
    return 0;
}
