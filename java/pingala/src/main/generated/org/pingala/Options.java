// Generated from border/ and pingala.h by tools/border/java (make border); do not edit.
package org.pingala;

import java.math.BigInteger;
import java.time.Duration;
import java.util.function.LongConsumer;

/** Settings of calls. They never change: each {@code with} method returns others. */
public final class Options {
    /** The settings of calls that name none. */
    public static final Options DEFAULT = new Options();

    String kernel;
    String plan;
    int threads;
    long memory;
    long maxModulusBits;
    long maxExponentBits;
    long timeout;
    LongConsumer progress;
    BigInteger publicExponent;
    boolean blinding = true;
    int rounds;
    BigInteger residue;
    BigInteger divisor;
    int salt = -1;

    private Options() {}

    private Options(Options other) {
        kernel = other.kernel;
        plan = other.plan;
        threads = other.threads;
        memory = other.memory;
        maxModulusBits = other.maxModulusBits;
        maxExponentBits = other.maxExponentBits;
        timeout = other.timeout;
        progress = other.progress;
        publicExponent = other.publicExponent;
        blinding = other.blinding;
        rounds = other.rounds;
        residue = other.residue;
        divisor = other.divisor;
        salt = other.salt;
    }

    /** Gives the library what differs from the default. */
    void give(Native library, Scratch scratch, long options) {
        if (kernel != null) {
            scratch.check(library.optionsSetKernel(options, scratch.text(kernel)));
        }
        if (plan != null) {
            scratch.check(library.optionsSetPlan(options, scratch.text(plan)));
        }
        if (threads > 0) {
            scratch.check(library.optionsSetThreads(options, threads));
        }
        if (memory > 0) {
            scratch.check(library.optionsSetMemory(options, memory));
        }
        if (maxModulusBits > 0 || maxExponentBits > 0) {
            scratch.check(library.optionsSetLimits(options, maxModulusBits, maxExponentBits));
        }
        if (timeout > 0) {
            scratch.check(library.optionsSetTimeout(options, timeout));
        }
        if (publicExponent != null) {
            long publicExponentAt = scratch.number(publicExponent);
            int publicExponentLength = scratch.length;
            scratch.check(library.optionsSetPublicExponent(options, publicExponentAt, publicExponentLength));
        }
        if (!blinding) {
            scratch.check(library.optionsSetBlinding(options, blinding ? 1 : 0));
        }
        if (rounds > 0) {
            scratch.check(library.optionsSetPrimeRounds(options, rounds));
        }
        if (divisor != null) {
            long residueAt = scratch.number(residue.mod(divisor));
            int residueLength = scratch.length;
            long divisorAt = scratch.number(divisor);
            int divisorLength = scratch.length;
            scratch.check(library.optionsSetPrimeResidue(options, residueAt, residueLength, divisorAt, divisorLength));
        }
        if (salt >= 0) {
            scratch.check(library.optionsSetSalt(options, salt));
        }
    }

    /**
     * Returns the settings that are not the default ones.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        Shown shown = new Shown("Options");
        if (kernel != null) {
            shown.add("kernel", kernel);
        }
        if (plan != null) {
            shown.add("plan", plan);
        }
        if (threads > 0) {
            shown.add("threads", threads);
        }
        if (memory > 0) {
            shown.add("memory", memory);
        }
        if (maxModulusBits > 0) {
            shown.add("maxModulusBits", maxModulusBits);
        }
        if (maxExponentBits > 0) {
            shown.add("maxExponentBits", maxExponentBits);
        }
        if (timeout > 0) {
            shown.add("timeout", timeout + " ms");
        }
        if (progress != null) {
            shown.add("progress", "...");
        }
        if (publicExponent != null) {
            shown.add("publicExponent", publicExponent);
        }
        if (!blinding) {
            shown.add("blinding", blinding);
        }
        if (rounds > 0) {
            shown.add("rounds", rounds);
        }
        if (divisor != null) {
            shown.add("residue", residue);
            shown.add("divisor", divisor);
        }
        if (salt >= 0) {
            shown.add("salt", salt);
        }
        return shown.toString();
    }

    /**
     * Forces a kernel by its name, such as portable_r64.
     *
     * @param kernel null for none
     * @return other options
     */
    public Options withKernel(String kernel) {
        Options other = new Options(this);
        other.kernel = kernel;
        return other;
    }

    /**
     * Forces a plan by its line, such as sliding_window(w=7) on portable_r64(n=32).
     *
     * @param plan null for none
     * @return other options
     */
    public Options withPlan(String plan) {
        Options other = new Options(this);
        other.plan = plan;
        return other;
    }

    /**
     * Sets the most threads that a call uses.
     *
     * @param threads 0 for the default, all cores
     * @return other options
     */
    public Options withThreads(int threads) {
        Options other = new Options(this);
        Calls.notNegative("threads", threads);
        other.threads = threads;
        return other;
    }

    /**
     * Sets the most memory for powers that share work.
     *
     * @param memory 0 for the default, 2^30
     * @return other options
     */
    public Options withMemory(long memory) {
        Options other = new Options(this);
        Calls.notNegative("memory", memory);
        other.memory = memory;
        return other;
    }

    /**
     * Sets the longest modulus that a call accepts; a longer one is {@code too_long}. Sets the longest exponent that a
     * call accepts; a longer one is {@code too_long}.
     *
     * @param maxModulusBits 0 for the default, 2^24
     * @param maxExponentBits 0 for the default, 2^26
     * @return other options
     */
    public Options withLimits(long maxModulusBits, long maxExponentBits) {
        Options other = new Options(this);
        Calls.notNegative("maxModulusBits", maxModulusBits);
        other.maxModulusBits = maxModulusBits;
        Calls.notNegative("maxExponentBits", maxExponentBits);
        other.maxExponentBits = maxExponentBits;
        return other;
    }

    /**
     * Sets the time that a call may take before it ends with interrupted.
     *
     * @param timeout zero for the default, no limit
     * @return other options
     */
    public Options withTimeout(Duration timeout) {
        Options other = new Options(this);
        other.timeout = Calls.notNegative("timeout", timeout.toMillis());
        if (other.timeout == 0 && !timeout.isZero()) {
            other.timeout = 1; // 0 is no limit
        }
        return other;
    }

    /**
     * Sets who gets the elements, squarings or bits that are done. The calls of it come about ten times a second, on a
     * thread of this library; one that returns late delays the others. What it throws ends the call, which throws it.
     *
     * @param progress null for none
     * @return other options
     */
    public Options withProgress(LongConsumer progress) {
        Options other = new Options(this);
        other.progress = progress;
        return other;
    }

    /**
     * Sets the public exponent of a secret one: a secret power is released only if its power with this exponent is the
     * base again.
     *
     * @param publicExponent 1 or more; null for none
     * @return other options
     */
    public Options withPublicExponent(BigInteger publicExponent) {
        Options other = new Options(this);
        if (publicExponent != null && (publicExponent.signum() <= 0)) {
            throw new IllegalArgumentException("publicExponent " + publicExponent + ": expected 1 or more");
        }
        other.publicExponent = publicExponent;
        return other;
    }

    /**
     * Sets whether secret powers modulo known primes are blinded.
     *
     * @param blinding the default is true
     * @return other options
     */
    public Options withBlinding(boolean blinding) {
        Options other = new Options(this);
        other.blinding = blinding;
        return other;
    }

    /**
     * Sets the rounds of Miller and Rabin's test, with random bases.
     *
     * @param rounds 0 for the default, 1, for secret primes more by length
     * @return other options
     */
    public Options withPrimeRounds(int rounds) {
        Options other = new Options(this);
        Calls.notNegative("rounds", rounds);
        other.rounds = rounds;
        return other;
    }

    /**
     * Sets that random primes are r modulo q.
     *
     * @param residue any number
     * @param divisor 1 or more; null for none
     * @return other options
     */
    public Options withPrimeResidue(BigInteger residue, BigInteger divisor) {
        Options other = new Options(this);
        if (divisor != null && (divisor.signum() <= 0 || residue == null)) {
            throw new IllegalArgumentException("divisor " + divisor + ": expected 1 or more, and a residue");
        }
        other.residue = residue;
        other.divisor = divisor;
        return other;
    }

    /**
     * Sets the length of the salt of PSS.
     *
     * @param salt below 0 for any, which is the default
     * @return other options
     */
    public Options withSalt(int salt) {
        Options other = new Options(this);
        other.salt = salt;
        return other;
    }
}
