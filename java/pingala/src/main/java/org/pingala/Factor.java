package org.pingala;

import java.math.BigInteger;

/** A factor of a modulus. */
public final class Factor {
    final BigInteger value;
    final int multiplicity;

    private Factor(BigInteger value, int multiplicity) {
        if (value.signum() <= 0) {
            throw new IllegalArgumentException("a factor of " + Shown.number(value) + ": expected 1 or more");
        }
        if (multiplicity < 1) {
            throw new IllegalArgumentException("a multiplicity of " + multiplicity + ": expected 1 or more");
        }
        this.value = value;
        this.multiplicity = multiplicity;
    }

    /**
     * Returns a factor that the modulus has once.
     *
     * @param value 1 or more
     * @return the factor
     */
    public static Factor of(BigInteger value) {
        return new Factor(value, 1);
    }

    /**
     * Returns a factor with its multiplicity.
     *
     * @param value 1 or more
     * @param multiplicity 1 or more
     * @return the factor
     */
    public static Factor of(BigInteger value, int multiplicity) {
        return new Factor(value, multiplicity);
    }

    /**
     * Returns the length and the multiplicity, without the number.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        return "<Factor of " + value.bitLength() + " bits, multiplicity " + multiplicity + ">";
    }
}
