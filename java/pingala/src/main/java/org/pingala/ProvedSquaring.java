package org.pingala;

import java.math.BigInteger;
import java.util.Objects;

/** The result of repeated squaring, and the number of Wesolowski's proof for it. */
public final class ProvedSquaring {
    private final BigInteger result;
    private final BigInteger proof;

    /**
     * Puts a result and a proof together.
     *
     * @param result the result
     * @param proof the number that proves it
     */
    public ProvedSquaring(BigInteger result, BigInteger proof) {
        this.result = Objects.requireNonNull(result);
        this.proof = Objects.requireNonNull(proof);
    }

    /**
     * Returns the result.
     *
     * @return base^(2^squarings) modulo the modulus
     */
    public BigInteger result() {
        return result;
    }

    /**
     * Returns the number that proves the result.
     *
     * @return a number below half of the modulus
     */
    public BigInteger proof() {
        return proof;
    }

    /**
     * Returns both numbers, or their lengths.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        return "<ProvedSquaring: result " + Shown.number(result) + ", proof " + Shown.number(proof) + ">";
    }
}
