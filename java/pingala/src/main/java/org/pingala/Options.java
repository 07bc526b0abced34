package org.pingala;

import java.math.BigInteger;
import java.time.Duration;
import java.util.function.LongConsumer;

/** Settings of calls. They never change: each {@code with} method returns others. */
public final class Options {
    /** The settings of calls that name none. */
    public static final Options DEFAULT = new Options();

    int threads;
    String kernel;
    String plan;
    long memoryBytes;
    long modulusBits;
    long exponentBits;
    long timeoutMilliseconds;
    LongConsumer listener;
    BigInteger publicExponent;
    boolean blinding = true;
    int primeRounds;
    BigInteger residue;
    BigInteger divisor;
    long saltBytes = -1;

    private Options() {}

    private Options(Options other) {
        threads = other.threads;
        kernel = other.kernel;
        plan = other.plan;
        memoryBytes = other.memoryBytes;
        modulusBits = other.modulusBits;
        exponentBits = other.exponentBits;
        timeoutMilliseconds = other.timeoutMilliseconds;
        listener = other.listener;
        publicExponent = other.publicExponent;
        blinding = other.blinding;
        primeRounds = other.primeRounds;
        residue = other.residue;
        divisor = other.divisor;
        saltBytes = other.saltBytes;
    }

    private static long notNegative(String what, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(what + " " + value + ": expected 0 or more");
        }
        return value;
    }

    /**
     * Sets the most threads for lists.
     *
     * @param threads 0 for all processors, which is the default
     * @return other options
     */
    public Options withThreads(int threads) {
        Options other = new Options(this);
        other.threads = (int) notNegative("threads", threads);
        return other;
    }

    /**
     * Forces a kernel.
     *
     * @param kernel its name, such as {@code "portable_r64"}; null for none
     * @return other options
     */
    public Options withKernel(String kernel) {
        Options other = new Options(this);
        other.kernel = kernel;
        return other;
    }

    /**
     * Forces a plan.
     *
     * @param plan its line, as {@link Format#PLAN} prints it; null for none
     * @return other options
     */
    public Options withPlan(String plan) {
        Options other = new Options(this);
        other.plan = plan;
        return other;
    }

    /**
     * Sets the most memory for powers that share work.
     *
     * @param bytes 0 for the default, 2^30
     * @return other options
     */
    public Options withMemory(long bytes) {
        Options other = new Options(this);
        other.memoryBytes = notNegative("memory", bytes);
        return other;
    }

    /**
     * Sets the longest modulus and exponent that calls accept; longer ones are {@code too_long}.
     *
     * @param modulusBits 0 for the default, 2^24
     * @param exponentBits 0 for the default, 2^26
     * @return other options
     */
    public Options withLimits(long modulusBits, long exponentBits) {
        Options other = new Options(this);
        other.modulusBits = notNegative("limit of moduli", modulusBits);
        other.exponentBits = notNegative("limit of exponents", exponentBits);
        return other;
    }

    /**
     * Sets the time after which a call ends with {@code interrupted}.
     *
     * @param timeout zero for no limit, which is the default
     * @return other options
     */
    public Options withTimeout(Duration timeout) {
        Options other = new Options(this);
        long milliseconds = notNegative("timeout", timeout.toMillis());
        other.timeoutMilliseconds = timeout.isZero() ? 0 : Math.max(1, milliseconds);
        return other;
    }

    /**
     * Sets who gets the progress of long calls, about ten times a second, on a thread of this library: elements of a list, squarings, bits
     * of an exponent. One that returns late delays the others. What it throws ends the call, which throws it.
     *
     * @param listener null for none
     * @return other options
     */
    public Options withProgress(LongConsumer listener) {
        Options other = new Options(this);
        other.listener = listener;
        return other;
    }

    /**
     * Sets the public exponent of a secret one: a secret power is released only if its power with this exponent is the base again.
     *
     * @param exponent null for none
     * @return other options
     */
    public Options withPublicExponent(BigInteger exponent) {
        Options other = new Options(this);
        if (exponent != null && exponent.signum() <= 0) {
            throw new IllegalArgumentException("the public exponent " + exponent + ": expected 1 or more");
        }
        other.publicExponent = exponent;
        return other;
    }

    /**
     * Sets whether secret powers modulo known primes are blinded, which is the default.
     *
     * @param blinding false switches it off
     * @return other options
     */
    public Options withBlinding(boolean blinding) {
        Options other = new Options(this);
        other.blinding = blinding;
        return other;
    }

    /**
     * Sets the rounds of Miller and Rabin's test.
     *
     * @param rounds 0 for the default of each call
     * @return other options
     */
    public Options withPrimeRounds(int rounds) {
        Options other = new Options(this);
        other.primeRounds = (int) notNegative("rounds", rounds);
        return other;
    }

    /**
     * Sets that random primes are a residue modulo a divisor.
     *
     * @param residue any number
     * @param divisor 1 or more; null for any prime
     * @return other options
     */
    public Options withPrimeResidue(BigInteger residue, BigInteger divisor) {
        Options other = new Options(this);
        if (divisor != null && (divisor.signum() <= 0 || residue == null)) {
            throw new IllegalArgumentException("the divisor " + divisor + ": expected 1 or more, and a residue");
        }
        other.residue = residue;
        other.divisor = divisor;
        return other;
    }

    /**
     * Sets the length of the salt of PSS that a signature must have.
     *
     * @param bytes below 0 for any, which is the default
     * @return other options
     */
    public Options withSalt(int bytes) {
        Options other = new Options(this);
        other.saltBytes = bytes;
        return other;
    }
}
