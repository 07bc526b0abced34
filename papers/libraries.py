"""How libraries raise to powers, brought up to date from their sources."""

from dataclasses import dataclass

# The day on which the sources were read.
READ = "2026-11-21"


@dataclass(frozen=True)
class Library:
    """`in_2004` is what the report said; `shared` names calls that profit from a fixed base or exponent, or several."""

    name: str
    version: str
    method: str
    source: str
    in_2004: str = "-"
    shared: str = "-"


LIBRARIES = (
    Library("GMP", "6.3.0",
            "sliding windows of 1 to 10 bits, thresholds 7, 25, 81, 241, 673, 1793, 4609, 11521, 28161; Montgomery; "
            "the power of two in an even modulus apart; `mpz_powm_sec`: fixed windows",
            "mpn/generic/powm.c, mpn/generic/sec_powm.c of https://gmplib.org/download/gmp/gmp-6.3.0.tar.xz",
            "sliding window"),
    Library("GnuPG (libgcrypt)", "e099ccfe, 2026-08-07",
            "on 64-bit machines a fixed window with least leakage, otherwise sliding windows of up to 5 bits",
            "mpi/mpi-pow.c of https://github.com/gpg/libgcrypt",
            "slightly modified GMP"),
    Library("Perl, Math::BigInt::Calc", "Perl 5.36",
            "right-to-left binary, general division",
            "`_modpow` of https://metacpan.org/pod/Math::BigInt::Calc",
            "square and multiply"),
    Library("Java, BigInteger", "OpenJDK 000261de",
            "sliding windows of 1 to 7 bits, thresholds 7, 25, 81, 241, 673, 1793; Montgomery, an intrinsic to 512 "
            "words; even moduli split",
            "src/java.base/share/classes/java/math/BigInteger.java of https://github.com/openjdk/jdk",
            "square and multiply, Montgomery"),
    Library("GNU Scientific Library", "d3d2aee4, read 2026-11-23",
            "right-to-left binary on `double` (`gsl_pow_int`): no modulus",
            "sys/pow_int.c of https://github.com/ampl/gsl",
            "square and multiply"),
    Library("ACME Labs Software bigint", "a copy of 2000, read 2026-11-23",
            "right-to-left binary, general division",
            "`bi_mod_power` of bigint_ext.c of https://www.acme.com/software/bigint/",
            "square and multiply"),
    Library("OpenSSL", "0032bfea and 3.0",
            "sliding windows of 1 to 6 bits, thresholds 23, 79, 239, 671; constant time: fixed windows, thresholds 22, "
            "89, 306, 937; Montgomery",
            "crypto/bn/bn_local.h of https://github.com/openssl/openssl",
            shared="`BN_mod_exp2_mont`: a product of two powers"),
    Library("BoringSSL", "a0689af2, 2026-08-21",
            "OpenSSL's windows for both",
            "crypto/fipsmodule/bn/exponentiation.cc.inc of https://github.com/google/boringssl",
            shared="`BN_mod_exp2_mont`"),
    Library("Mbed TLS (TF-PSA-Crypto)", "609a7064, 2025-10-15",
            "fixed windows of up to 3 bits (`MBEDTLS_MPI_WINDOW_SIZE`, to 6), constant time; Montgomery",
            "drivers/builtin/src/bignum_core.c of https://github.com/Mbed-TLS/TF-PSA-Crypto"),
    Library("Go, math/big and crypto/internal/fips140/bigmod", "1.26.8",
            "fixed windows of 4 bits in both, bigmod in constant time for odd moduli; Montgomery; math/big splits "
            "even moduli",
            "src/math/big/nat.go, src/crypto/internal/fips140/bigmod/nat.go of https://github.com/golang/go"),
    Library("CPython", "3.11 and later",
            "above 60 bits sliding windows of 5 bits, whatever the length (5-ary before); general division",
            "Objects/longobject.c of https://github.com/python/cpython and its issue 90376"),
    Library("PyPy", "rbigint at 00b6e813",
            "5-ary above a few digits (`FIVEARY_CUTOFF`), left-to-right binary below; general division",
            "rpython/rlib/rbigint.py of https://github.com/pypy/pypy"),
    Library("tcllib, math::bignum", "1.21",
            "right-to-left binary, general division, in Tcl",
            "`powm` of modules/math/bignum.tcl of https://core.tcl-lang.org/tcllib"),
    Library("libtommath", "4929f09, 2024-03-27",
            "sliding windows of 2 to 8 bits, thresholds 7, 36, 140, 450, 1303, 3529; Montgomery or Barrett",
            "s_mp_exptmod.c, s_mp_exptmod_fast.c of https://github.com/libtom/libtommath"),
    Library("NTL", "91acd5b, 2021-06-23",
            "sliding windows of the k that minimises n/(k+1) + 2^(k-1) (`OptWinSize`), at most 5; Montgomery; or GMP's "
            "powers where it is built with it",
            "src/lip.cpp of https://github.com/libntl/ntl"),
    Library("FLINT", "d4c3e372, 2026-08-22",
            "long numbers by GMP's `mpz_powm`",
            "src/fmpz/powm.c of https://github.com/flintlib/flint"),
    Library("crypto-bigint", "0.7.10",
            "fixed windows of 4 bits, constant time, odd moduli; Montgomery",
            "src/modular/pow.rs of https://docs.rs/crypto-bigint/0.7.10",
            shared="`MultiExponentiate`: a product of powers"),
    Library("num-bigint", "0.5.1",
            "odd moduli: fixed windows of 4 bits, Montgomery; even: binary with general division",
            "src/biguint/monty.rs, src/biguint/power.rs of https://docs.rs/num-bigint/0.5.1"),
)  # fmt: skip
