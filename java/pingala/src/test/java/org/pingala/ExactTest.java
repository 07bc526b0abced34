package org.pingala;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Results, exceptions and messages are those of BigInteger. */
class ExactTest {
    private static void compare(BigInteger b, BigInteger e, BigInteger m) {
        String expected = Cases.outcome(() -> b.modPow(e, m));
        assertEquals(expected, Cases.outcome(() -> Pingala.modPow(b, e, m)), () -> b + ".modPow(" + e + ", " + m + ")");
    }

    private static void compareInverse(BigInteger b, BigInteger m) {
        String expected = Cases.outcome(() -> b.modInverse(m));
        assertEquals(expected, Cases.outcome(() -> Pingala.modInverse(b, m)), () -> b + ".modInverse(" + m + ")");
    }

    private static void compareSecure(BigInteger b, BigInteger e, BigInteger m) {
        String expected = Cases.outcome(() -> b.modPow(e, m));
        assertEquals(expected, Cases.outcome(() -> Pingala.modPowSecure(b, e, m)), () -> b + " to " + e + " modulo " + m);
    }

    private static void structured(int cases) {
        Random random = new Random(45);
        for (int i = 0; i < cases; i++) {
            BigInteger b = Cases.number(random);
            BigInteger e = Cases.number(random);
            BigInteger m = i % 50 == 0 ? Cases.number(random) : Cases.magnitude(random, Cases.length(random));
            if (i % 4 == 0) {
                m = m.setBit(0);
            }
            if (i % 10 == 0) {
                b = m.multiply(BigInteger.valueOf(random.nextInt(3))).add(BigInteger.valueOf(random.nextInt(3) - 1));
            }
            compare(b, e, m);
            compareInverse(b, m);
            if (i % 8 == 0) {
                compareSecure(b, e, m);
            }
        }
    }

    @Test
    void secureExponentsAroundPowersOfTwo() {
        BigInteger m = BigInteger.ONE.shiftLeft(89).subtract(BigInteger.ONE);
        for (BigInteger modulus : new BigInteger[] {m, BigInteger.ONE, BigInteger.TWO, m.shiftLeft(3), m.multiply(m), m.negate(), BigInteger.ZERO}) {
            for (int bits = 0; bits <= 200; bits++) {
                for (int step = -1; step <= 1; step++) {
                    BigInteger e = BigInteger.ONE.shiftLeft(bits).add(BigInteger.valueOf(step));
                    for (BigInteger b : new BigInteger[] {BigInteger.valueOf(-3), BigInteger.valueOf(5), m, m.pow(3).add(BigInteger.TEN)}) {
                        compareSecure(b, e, modulus);
                        compareSecure(b, e.negate(), modulus);
                    }
                }
            }
        }
    }

    @Test
    void structuredCases() {
        structured(10_000);
    }

    @Test
    @Tag("long")
    void manyStructuredCases() {
        structured(200_000);
    }

    @Test
    void smallNumbers() {
        for (int m = -1; m < 13; m++) {
            for (int b = -13; b < 14; b++) {
                BigInteger base = BigInteger.valueOf(b);
                BigInteger modulus = BigInteger.valueOf(m);
                compareInverse(base, modulus);
                for (int e = -4; e < 6; e++) {
                    compare(base, BigInteger.valueOf(e), modulus);
                    compareSecure(base, BigInteger.valueOf(e), modulus);
                }
            }
        }
    }

    @Property(tries = 2000)
    void anyNumbers(@ForAll BigInteger b, @ForAll BigInteger e, @ForAll BigInteger m) {
        compare(b, e, m);
        compareInverse(b, m);
        compare(b.pow(3), e, m.pow(2));
    }

    @Test
    void longNumbers() {
        Random random = new Random(1);
        for (int bits : new int[] {1024, 2048, 3072, 4099}) {
            BigInteger m = Cases.magnitude(random, bits).add(BigInteger.TEN);
            BigInteger b = new BigInteger(bits + 5, random);
            compare(b, new BigInteger(400, random), m);
            compareInverse(b, m);
            compareSecure(b, new BigInteger(100, random), m);
        }
    }

    @Test
    void nullIsRefused() {
        BigInteger two = BigInteger.TWO;
        assertThrows(NullPointerException.class, () -> Pingala.modPow(null, two, two));
        assertThrows(NullPointerException.class, () -> Pingala.modPow(two, null, two));
        assertThrows(NullPointerException.class, () -> Pingala.modPow(two, two, null));
        assertThrows(NullPointerException.class, () -> Pingala.modInverse(null, two));
        assertThrows(NullPointerException.class, () -> Pingala.modInverse(two, null));
        assertThrows(NullPointerException.class, () -> Pingala.modPowSecure(two, null, two));
    }

    @Test
    void tooLongIsRefused() {
        BigInteger long1 = BigInteger.ONE.shiftLeft(1 << 24);
        PingalaException e = assertThrows(PingalaException.class, () -> Pingala.modPow(BigInteger.TWO, BigInteger.TEN, long1));
        assertEquals("too_long", e.code());
    }
}
