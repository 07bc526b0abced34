package org.pingala;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What objects say of themselves: lengths, no long digits, no addresses, no secrets. */
class ShownTest {
    private static final BigInteger LONG = BigInteger.ONE.shiftLeft(2047).add(BigInteger.ONE);

    private static void check(String expected, Object one) {
        assertEquals(expected, one.toString());
        assertEquals("[" + expected + "]", List.of(one).toString());
    }

    @Test
    void modulesShowShortNumbersAndLengthsOfLongOnes() {
        try (Modulus whole = Modulus.of(LONG);
                Modulus small = Modulus.of(BigInteger.valueOf(97));
                Modulus edge = Modulus.of(BigInteger.ONE.shiftLeft(255));
                Modulus beyond = Modulus.of(BigInteger.ONE.shiftLeft(256))) {
            check("<Modulus of 2048 bits>", whole);
            check("Modulus(0x61)", small);
            check("Modulus(0x" + BigInteger.ONE.shiftLeft(255).toString(16) + ")", edge);
            check("<Modulus of 257 bits>", beyond);
        }
    }

    @Test
    void objectsShowLengthsAlsoWhenTheyAreClosed() {
        Modulus modulus = Modulus.of(LONG);
        FixedBase table = FixedBase.of(modulus, BigInteger.valueOf(3), FixedBase.Table.of(300, 1 << 20));
        FixedExponent exponent = FixedExponent.search(BigInteger.valueOf(99), 1000, Duration.ZERO, 1, Options.DEFAULT);
        FixedPower power = exponent.modulo(modulus);
        Key rsa = Key.ofRsa(LONG, BigInteger.valueOf(65537));
        Key dsa = Key.ofDsa(LONG, BigInteger.valueOf(97), BigInteger.TWO, BigInteger.valueOf(3));
        SecretExponent secret = SecretExponent.of(BigInteger.valueOf(0xdeadbeefL), 256);
        check("<FixedBase modulo 2048 bits, exponents of 300 bits: " + table.plan() + ">", table);
        check("<FixedExponent of 7 bits, " + exponent.products() + " steps>", exponent);
        check("<FixedPower modulo 2048 bits>", power);
        check("<RSAPublicKey of 2048 bits>", rsa);
        check("<DSAPublicKey of 2048 bits>", dsa);
        check("<SecretExponent of 256 bits>", secret);
        modulus.close();
        table.close();
        exponent.close();
        power.close();
        rsa.close();
        dsa.close();
        secret.close();
        check("<Modulus of 2048 bits>", modulus);
        check("<FixedBase modulo 2048 bits, closed>", table);
        check("<FixedExponent: closed>", exponent);
        check("<FixedPower modulo 2048 bits>", power);
        check("<PublicKey: closed>", rsa);
        check("<SecretExponent of 256 bits>", secret);
    }

    @Test
    void resultsShowHowManyThereAre() {
        BigInteger[] bases = new BigInteger[1000];
        java.util.Arrays.fill(bases, BigInteger.TWO);
        try (Modulus modulus = Modulus.of(LONG)) {
            check("<Results: 1000 numbers of 256 bytes>", modulus.powList(Rows.of(bases), Rows.of(bases)));
            Results some = modulus.invertList(Rows.of(BigInteger.ZERO, BigInteger.TWO, BigInteger.ZERO));
            check("<Results: 3 numbers of 256 bytes, 2 with errors>", some);
        }
        check("<Rows: 1000 numbers of up to 1 bytes>", Rows.of(bases));
    }

    @Test
    void settingsShowWhatIsNotTheDefault() {
        check("Options{}", Options.DEFAULT);
        Options options = Options.DEFAULT.withKernel("portable_r64").withThreads(2).withBlinding(false);
        check("Options{kernel=portable_r64, threads=2, blinding=false}", options);
        check("Options{timeout=5000 ms, progress=..., publicExponent=0x10001}", Options.DEFAULT.withProgress(done -> {})
                .withTimeout(Duration.ofSeconds(5)).withPublicExponent(BigInteger.valueOf(65537)));
        check("Options{residue=-0x1, divisor=a number of 2048 bits}", Options.DEFAULT.withPrimeResidue(BigInteger.ONE.negate(), LONG));
        check("<Factor of 2048 bits, multiplicity 2>", Factor.of(LONG, 2));
        check("<Table: exponents of 300 bits, 1000 bytes, 7 powers, lists, secrets>",
                FixedBase.Table.of(300, 1000).forPowers(7).inLists().forSecrets());
        check("<Checkpoint: none>", Checkpoint.NONE);
        check("<Checkpoint: state, 60000 ms>", Checkpoint.in(Paths.get("state"), Duration.ofMinutes(1)));
        check("<ProvedSquaring: result a number of 2048 bits, proof 0xa>", new ProvedSquaring(LONG, BigInteger.TEN));
        check("Scheme(DSA, SHA256)", Scheme.of(Scheme.Algorithm.DSA, Scheme.Hash.SHA256));
        check("Scheme(RSA_PSS, mask SHA1, OPENPGP, MODERN)", Scheme.of(Scheme.Algorithm.RSA_PSS, null)
                .withMask(Scheme.Hash.SHA1).with(Scheme.Encoding.OPENPGP).with(Scheme.Policy.MODERN));
        assertTrue(Primes.estimateRandom(512, false, Options.DEFAULT).toString().matches("<Estimate: .* tests, .* s>"));
    }

    private static void refused(String expected, org.junit.jupiter.api.function.Executable call) {
        String message = assertThrows(RuntimeException.class, call).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void errorsGiveTheValueThatWasFound() {
        BigInteger minus = BigInteger.valueOf(-7);
        refused("exponent -0x7: expected 1 or more", () -> FixedExponent.search(minus, 1, Duration.ZERO, 1, Options.DEFAULT));
        refused("moves -1: expected 0 or more", () -> FixedExponent.search(BigInteger.TEN, -1, Duration.ZERO, 1, Options.DEFAULT));
        refused("time PT-1S: expected zero or more", () -> FixedExponent.search(BigInteger.TEN, 1, Duration.ofSeconds(-1), 1, Options.DEFAULT));
        refused("a factor of -0x7: expected 1 or more", () -> Factor.of(minus));
        refused("a multiplicity of 0: expected 1 or more", () -> Factor.of(BigInteger.TEN, 0));
        refused("a number of a key is a negative number of 2048 bits: expected 0 or more", () -> Key.ofRsa(LONG.negate(), BigInteger.TEN));
        refused("n must be odd and positive, not 8", () -> Primes.jacobi(BigInteger.TEN, BigInteger.valueOf(8)));
        refused("15 is composite", () -> Primes.sqrtMod(BigInteger.valueOf(4), BigInteger.valueOf(15), Options.DEFAULT));
        try (Modulus modulus = Modulus.of(LONG, Options.DEFAULT.withKernel("nope"))) {
            refused("no kernel 'nope'", () -> modulus.pow(BigInteger.TWO, BigInteger.valueOf(65537)));
        }
    }
}
