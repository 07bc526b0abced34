package org.pingala;

import java.math.BigInteger;
import java.util.Random;
import java.util.function.Supplier;

/** Numbers for tests, and outcomes that can be compared. */
final class Cases {
    private static final int[] LENGTHS = {0, 1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 320, 415, 416, 417};

    private Cases() {}

    static int length(Random random) {
        return random.nextInt(3) == 0 ? random.nextInt(300) : LENGTHS[random.nextInt(LENGTHS.length)];
    }

    /** A number of 0 or more: often one at the edges of words. */
    static BigInteger magnitude(Random random, int bits) {
        BigInteger top = BigInteger.ONE.shiftLeft(bits);
        switch (random.nextInt(7)) {
            case 0:
                return top;
            case 1:
                return top.subtract(BigInteger.ONE);
            case 2:
                return top.add(BigInteger.ONE);
            case 3:
                return new BigInteger(bits, random).shiftLeft(random.nextInt(70));
            case 4:
                // Runs of ones and zeros.
                BigInteger runs = BigInteger.ZERO;
                for (int at = 0; at < bits; at += 1 + random.nextInt(64)) {
                    runs = runs.shiftLeft(1 + random.nextInt(64)).add(BigInteger.valueOf(random.nextInt(2)));
                }
                return runs;
            default:
                return new BigInteger(bits, random);
        }
    }

    static BigInteger number(Random random) {
        BigInteger magnitude = magnitude(random, length(random));
        return random.nextInt(3) == 0 ? magnitude.negate() : magnitude;
    }

    /** A result as text, or the exception with its message. */
    static String outcome(Supplier<BigInteger> call) {
        try {
            return call.get().toString(16);
        } catch (RuntimeException e) {
            return e.getClass().getName() + ": " + e.getMessage();
        }
    }

    static BigInteger odd(Random random, int bits) {
        return new BigInteger(bits, random).setBit(bits - 1).setBit(0);
    }
}
