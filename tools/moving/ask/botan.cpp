#include <botan/bigint.h>
#include <botan/numthry.h>
#include <botan/system_rng.h>
#include <botan/version.h>
#include <exception>
#include <functional>
#include <iostream>
#include <sstream>

using Botan::BigInt;

static BigInt number(int value)
{
    BigInt n(static_cast<uint64_t>(value < 0 ? -value : value));
    if (value < 0)
        n.flip_sign();
    return n;
}

static std::string text(const BigInt &n)
{
    std::ostringstream out;
    out << n;
    return out.str();
}

static void show(const std::string &key, const std::function<std::string()> &ask)
{
    std::string answer;
    try {
        answer = ask();
    } catch (const std::exception &) {
        answer = "error exception";
    }
    std::cout << key << '\t' << answer << '\n';
}

static void power(const std::string &key, int b, int e, int m)
{
    show(key, [=] { return text(Botan::power_mod(number(b), number(e), number(m))); });
}

int main()
{
    std::cout << "version\t" << Botan::short_version_string() << '\n';
    power("power of a negative modulus", 3, 2, -7);
    power("power of a negative exponent", 3, -1, 7);
    power("power of a negative exponent without an inverse", 2, -1, 4);
    power("power of modulus 1", 3, 0, 1);
    power("power of modulus 0", 3, 2, 0);
    power("power of 0 and 0", 0, 0, 7);
    power("power of a negative base", -3, 3, 7);
    power("power of a negative base and exponent", -3, -1, 7);
    power("power of an even modulus", 3, 5, 10);
    show("inverse that is missing", [] { return text(Botan::inverse_mod(number(2), number(4))); });
    show("inverse of modulus 1", [] { return text(Botan::inverse_mod(number(3), number(1))); });
    show("symbol of a negative number", [] { return std::to_string(Botan::jacobi(number(2), number(-7))); });
    show("symbol of an even number", [] { return std::to_string(Botan::jacobi(number(3), number(8))); });
    show("prime of a negative number", [] {
        return std::string(Botan::is_prime(number(-7), Botan::system_rng()) ? "true" : "false");
    });
}
