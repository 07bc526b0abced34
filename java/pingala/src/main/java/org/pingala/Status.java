package org.pingala;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;

/** Statuses of the C library as exceptions. */
final class Status {
    static final int OK = 0;
    static final int TOO_LONG = 2;
    static final int ZERO_MODULUS = 3;
    static final int NEGATIVE_MODULUS = 4;
    static final int NOT_INVERTIBLE = 5;
    static final int BAD_ARGUMENT = 9;
    static final int INTERRUPTED = 10;

    /** Flags of signs. */
    static final int NEGATIVE_BASE = 1;

    static final int NEGATIVE_EXPONENT = 2;

    /** The longest modulus, unless options have another limit. */
    private static final long MODULUS_BITS = 1 << 24;

    /** The messages of BigInteger. */
    static final String NOT_POSITIVE = "BigInteger: modulus not positive";

    static final String NO_INVERSE = "BigInteger not invertible.";

    private static final Map<Integer, String> NAMES = new HashMap<>();

    private Status() {}

    /** The stable name of a status. */
    static synchronized String name(int status) {
        return NAMES.computeIfAbsent(status, s -> Library.text(Library.get().statusName(s)));
    }

    /** The exception of a call that failed. */
    static RuntimeException failure(int status, String why) {
        switch (status) {
            case ZERO_MODULUS:
                return new ArithmeticException(NOT_POSITIVE);
            case NOT_INVERTIBLE:
                return new ArithmeticException(NO_INVERSE);
            case BAD_ARGUMENT:
                return new IllegalArgumentException(why);
            default:
                return new PingalaException(name(status), -1, why.isEmpty() ? name(status) : why);
        }
    }

    /** What is wrong with a modulus of a list, if anything is. */
    static int ofModulus(BigInteger modulus, Options options) {
        if (modulus.signum() <= 0) {
            return modulus.signum() == 0 ? ZERO_MODULUS : NEGATIVE_MODULUS;
        }
        return modulus.bitLength() > (options.maxModulusBits > 0 ? options.maxModulusBits : MODULUS_BITS) ? TOO_LONG : OK;
    }

    /** The exception of an element of a list. */
    static PingalaException failure(int status, int index) {
        String why = name(status).replace('_', ' ');
        return new PingalaException(name(status), index, "element " + index + ": " + why);
    }
}
