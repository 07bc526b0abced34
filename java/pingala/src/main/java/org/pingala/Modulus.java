package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A modulus with its prepared constants. It never changes: any threads may use one at the same time. After {@link #close} its calls throw
 * IllegalStateException; calls that run come to their end first. One that is not closed is freed when nothing refers to it.
 *
 * <p>Long calls end with the code {@code interrupted} soon after their thread is interrupted, whose flag stays set. An argument that is null
 * is a NullPointerException. A list has results of {@link #width} bytes; where a call takes {@code out}, they are written there, from its
 * position on.
 */
public final class Modulus extends ModulusCalls {
    final BigInteger value;

    private Modulus(Handle handle, Options options, BigInteger value) {
        super(handle, options, value.bitLength());
        this.value = value;
    }

    /**
     * Makes a modulus.
     *
     * @param value 1 or more, of at most 2^24 bits
     * @return the modulus
     * @throws ArithmeticException "BigInteger: modulus not positive"
     */
    public static Modulus of(BigInteger value) {
        return of(value, Options.DEFAULT);
    }

    /**
     * Makes a modulus whose factors may be known and public: powers are computed modulo each.
     *
     * @param value 1 or more
     * @param options limits and the settings of its calls
     * @param factors pairwise coprime, with this product; none if they are not known
     * @return the modulus
     * @throws PingalaException {@code wrong_factors}, {@code too_long}
     * @throws ArithmeticException "BigInteger: modulus not positive"
     */
    public static Modulus of(BigInteger value, Options options, Factor... factors) {
        return made(value, options, false, factors);
    }

    /**
     * Makes an odd modulus whose factors are secret. Only {@link #powSecure} and its lists use them; each result is checked before it is released.
     * The lengths of the factors are public.
     *
     * @param value an odd number
     * @param options limits, the public exponent, and the settings of its calls
     * @param factors two or more, primes or numbers of unknown factors
     * @return the modulus
     * @throws PingalaException {@code wrong_factors}, {@code too_long}
     */
    public static Modulus ofSecretFactors(BigInteger value, Options options, Factor... factors) {
        return made(value, options, true, factors);
    }

    private static Modulus made(BigInteger value, Options options, boolean secret, Factor... factors) {
        Calls.positive(value);
        Native library = Library.get();
        BigInteger[] values = new BigInteger[factors.length];
        int[] multiplicities = new int[factors.length];
        long[] lengths = new long[factors.length];
        for (int i = 0; i < factors.length; i++) {
            values[i] = factors[i].value;
            multiplicities[i] = factors[i].multiplicity;
            lengths[i] = values[i].bitLength();
        }
        Rows rows = Rows.of(values);
        try (Scratch scratch = secret ? Scratch.openSecret() : Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            long number = scratch.number(value);
            int length = scratch.length;
            long factorRows = rows.place(scratch, rows.width);
            long multiplicitiesAt = scratch.ints(multiplicities);
            long made = scratch.reserve(8);
            ByteBuffer madeBytes = scratch.bytes;
            int madeAt = scratch.at;
            int status;
            if (secret) {
                status = library.modulusNewSecret(
                        made, number, length, factorRows, rows.width, scratch.longs(lengths), multiplicitiesAt, factors.length,
                        session.options, scratch.why(), Scratch.WHY_LENGTH);
            } else if (factors.length == 0 && session == Session.NONE) {
                status = library.modulusNew(made, number, length, scratch.why(), Scratch.WHY_LENGTH);
            } else {
                status = library.modulusNewFactored(
                        made, number, length, factorRows, rows.width, multiplicitiesAt, factors.length, session.options, scratch.why(),
                        Scratch.WHY_LENGTH);
            }
            session.check(scratch, status);
            return new Modulus(new Handle(madeBytes.getLong(madeAt), library::modulusFree), options, value);
        }
    }

    /** The modulus of another handle, which this call takes over. */
    static Modulus taken(long address) {
        Native library = Library.get();
        Handle handle = new Handle(address, library::modulusFree);
        int width = Math.toIntExact(library.modulusWidth(address));
        if (width != Calls.bytes(library.modulusBits(address))) {
            throw new AssertionError("the width of a modulus");
        }
        try (Scratch scratch = Scratch.open()) {
            long out = scratch.reserve(width);
            scratch.check(library.modulusValue(address, out, width, scratch.why(), Scratch.WHY_LENGTH));
            return new Modulus(handle, Options.DEFAULT, scratch.result(width));
        }
    }

    /**
     * Returns the same modulus with other settings for its calls. Closing either closes both.
     *
     * @param options the settings
     * @return a view
     */
    public Modulus with(Options options) {
        return new Modulus(handle, options, value);
    }

    /**
     * Returns the number.
     *
     * @return 1 or more
     */
    public BigInteger value() {
        return value;
    }

    /**
     * Returns the length of the number.
     *
     * @return in bits
     */
    public int bits() {
        return bits;
    }

    /**
     * Returns the width of results.
     *
     * @return in bytes
     */
    public int width() {
        return width;
    }

    /**
     * Raises a number to a power.
     *
     * @param base any number
     * @param exponent any number; a negative one takes the inverse of the base
     * @return base^exponent modulo this number, from 0 up
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code too_long}, {@code bad_plan}, {@code interrupted}
     */
    public BigInteger pow(BigInteger base, BigInteger exponent) {
        long modulus = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, Calls.products(exponent))) {
            long out = scratch.reserve(width);
            ByteBuffer bytes = scratch.bytes;
            int at = scratch.at;
            long b = scratch.number(base);
            int baseLength = scratch.length;
            long e = scratch.number(exponent);
            int signs = Calls.sign(base, Status.NEGATIVE_BASE) | Calls.sign(exponent, Status.NEGATIVE_EXPONENT);
            session.check(
                    scratch,
                    Library.get().modulusPow(
                            modulus, out, width, b, baseLength, e, scratch.length, signs, session.options, scratch.why(),
                            Scratch.WHY_LENGTH));
            return Scratch.result(bytes, at, width);
        } finally {
            handle.release();
        }
    }

    /**
     * As {@link #powList(Rows, Rows)}.
     *
     * @param bases any numbers
     * @param exponents as many
     * @return the powers
     */
    public Results powList(List<BigInteger> bases, List<BigInteger> exponents) {
        return powList(Rows.of(bases), Rows.of(exponents));
    }

    /**
     * Raises a number to a secret power in constant time: no branch and no address depends on the values of base and exponent. Public are the
     * modulus, the lengths of the numbers, and the declared width of the exponent. What BigInteger does with a base is outside of this.
     *
     * @param base 0 or more
     * @param exponent the exponent
     * @return base^exponent modulo this number
     * @throws PingalaException {@code fault} if a result fails its check and is not released; {@code bad_secret}, {@code bad_plan}
     */
    public BigInteger powSecure(BigInteger base, SecretExponent exponent) {
        Calls.notNegative("base", base);
        return powSecure(base, exponent, false);
    }

    /** The power, or that of the inverse of any base, which is computed in memory that is wiped. */
    BigInteger powSecure(BigInteger base, SecretExponent exponent, boolean inverse) {
        long modulus = handle.acquire();
        try (SecretExponent.Use secret = exponent.use();
                Scratch scratch = Scratch.openSecret();
                Session session = Session.open(options, bits, exponent.bits() + (inverse ? Calls.products(Pingala.MINUS_ONE) : 0))) {
            long b = scratch.number(base);
            int baseLength = scratch.length;
            if (inverse) {
                long one = scratch.number(BigInteger.ONE);
                int oneLength = scratch.length;
                long inverted = scratch.reserve(width);
                int signs = Calls.sign(base, Status.NEGATIVE_BASE) | Status.NEGATIVE_EXPONENT;
                session.check(
                        scratch,
                        Library.get().modulusPow(
                                modulus, inverted, width, b, baseLength, one, oneLength, signs, session.options, scratch.why(),
                                Scratch.WHY_LENGTH));
                b = inverted;
                baseLength = width;
            }
            long out = scratch.reserve(width);
            session.check(
                    scratch,
                    Library.get().modulusPowSec(
                            modulus, out, width, b, baseLength, secret.address, secret.length, exponent.bits(), session.options,
                            scratch.why(), Scratch.WHY_LENGTH));
            return scratch.result(width);
        } finally {
            handle.release();
        }
    }

    /**
     * Raises many numbers to one secret power, as {@link #powSecure} does.
     *
     * @param bases numbers of 0 or more
     * @param exponent the exponent
     * @return the powers
     * @throws PingalaException as {@link #powSecure}
     */
    public Results powSecureBases(Rows bases, SecretExponent exponent) {
        try (SecretExponent.Use secret = exponent.use()) {
            return secretList(bases, exponent.bits(), (modulus, b, output, scratch, session) -> Library.get().modulusPowSecList(
                    modulus, output.address, b, secret.address, secret.length, exponent.bits(), 1, bases.count, output.status,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
        }
    }

    /**
     * Raises numbers to secret powers, as {@link #powSecure} does.
     *
     * @param bases numbers of 0 or more
     * @param exponents as many; if one is longer than declared, the call is {@code bad_secret}
     * @param exponentBits the declared width of each exponent
     * @return the powers
     * @throws PingalaException as {@link #powSecure}
     */
    public Results powSecureList(Rows bases, Rows exponents, int exponentBits) {
        Calls.same("bases", bases, "exponents", exponents);
        SecretExponent.declared(exponents, exponentBits);
        try {
            return secretList(bases, exponentBits, (modulus, b, output, scratch, session) -> Library.get().modulusPowSecList(
                    modulus, output.address, b, exponents.place(scratch, exponents.width), exponents.width, exponentBits, bases.count,
                    bases.count, output.status, session.options, scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            exponents.keep();
        }
    }

    private interface Secret {
        int call(long modulus, long bases, Calls.Output output, Scratch scratch, Session session);
    }

    private Results secretList(Rows bases, int exponentBits, Secret call) {
        Calls.notNegative("bases", bases);
        int wide = Math.max(width, bases.width);
        long modulus = handle.acquire();
        try (Scratch scratch = Scratch.openSecret();
                Session session = Session.open(options, bits, (double) exponentBits * bases.count, wide == width ? 0 : wide)) {
            Calls.Output output = new Calls.Output(scratch, null, bases.count, width, wide);
            session.check(scratch, call.call(modulus, bases.place(scratch, wide), output, scratch, session));
            return output.results();
        } finally {
            handle.release();
            bases.keep();
        }
    }

    /**
     * Returns the number, or its length beyond 256 bits.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        return Shown.modulus(value);
    }
}
