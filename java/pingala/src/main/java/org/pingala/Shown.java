package org.pingala;

import java.math.BigInteger;
import java.util.StringJoiner;
import java.util.function.Supplier;

/** The texts of objects: lengths instead of long numbers, and no addresses. */
final class Shown {
    /** The length of the longest number that a text shows whole. */
    private static final int BITS = 256;

    private final String name;
    private final StringJoiner settings = new StringJoiner(", ", "{", "}");

    Shown(String name) {
        this.name = name;
    }

    /** A short number in hexadecimal, or the length of a longer one. */
    static String number(BigInteger number) {
        if (number.bitLength() > BITS) {
            return (number.signum() < 0 ? "a negative number of " : "a number of ") + number.abs().bitLength() + " bits";
        }
        return (number.signum() < 0 ? "-0x" : "0x") + number.abs().toString(16);
    }

    /** A modulus, or its length. */
    static String modulus(BigInteger value) {
        int bits = value.bitLength();
        return bits > BITS ? "<Modulus of " + bits + " bits>" : "Modulus(" + number(value) + ")";
    }

    /** What an open object says of itself; of a closed one {@code closed}. */
    static String open(Supplier<String> text, String closed) {
        try {
            return text.get();
        } catch (IllegalStateException e) {
            return closed;
        }
    }

    /** Adds a setting. */
    void add(String setting, Object value) {
        settings.add(setting + "=" + (value instanceof BigInteger ? number((BigInteger) value) : value));
    }

    @Override
    public String toString() {
        return name + settings;
    }
}
