/* As many calls with operands of 64 bits as the argument says; the test counts what they allocate. */
#include "check.h"

int main(int argc, char **argv)
{
    const uint64_t base = 3, exponent = 0x123456789abcdefu, m = 0xffffffffffffffc5u;
    const uint8_t bytes[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xc5};
    uint64_t out = 0;
    uint8_t out_be[8];
    long calls = argc > 1 ? atol(argv[1]) : 1;
    pingala_modulus *modulus = NULL;
    OK(pingala_modulus_new_limbs(&modulus, &m, 1, WHY));
    for (; calls > 0; calls--) {
        OK(pingala_powmod_limbs(&out, 1, &base, 1, &exponent, 1, &m, 1, PINGALA_NEGATIVE_BASE, NULL, WHY));
        OK(pingala_modulus_pow_limbs(modulus, &out, 1, &base, 1, &exponent, 1, 0, NULL, WHY));
        OK(pingala_powmod_be(out_be, 8, bytes, 7, bytes, 8, bytes, 8, 0, NULL, WHY));
        OK(pingala_modulus_pow_be(modulus, out_be, 8, bytes, 7, bytes, 8, 0, NULL, WHY));
    }
    pingala_modulus_free(modulus);
    return failed;
}
