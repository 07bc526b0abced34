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
public final class Modulus implements AutoCloseable {
    final Handle handle;
    final Options options;
    final BigInteger value;
    final int bits;
    final int width;

    private Modulus(Handle handle, Options options, BigInteger value) {
        this.handle = handle;
        this.options = options;
        this.value = value;
        bits = value.bitLength();
        width = Calls.bytes(bits);
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
        if (value.signum() <= 0) {
            throw new ArithmeticException(Status.NOT_POSITIVE);
        }
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
        if (options == null) {
            throw new NullPointerException("options");
        }
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

    /** Frees the modulus. A second call does nothing. */
    @Override
    public void close() {
        handle.close();
    }

    /** A call that writes one number as wide as the modulus. */
    private interface One {
        int call(long modulus, long out, Scratch scratch, Session session);
    }

    private BigInteger one(double products, int wide, One call) {
        long modulus = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, products, wide == width ? 0 : wide)) {
            long out = scratch.reserve(wide);
            ByteBuffer bytes = scratch.bytes;
            int at = scratch.at;
            session.check(scratch, call.call(modulus, out, scratch, session));
            return Scratch.result(bytes, at, wide);
        } finally {
            handle.release();
        }
    }

    /** A call that writes rows and statuses. */
    private interface Many {
        int call(long modulus, Calls.Output output, Scratch scratch, Session session);
    }

    private Results many(double products, int count, int wide, ByteBuffer out, Many call) {
        long modulus = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, products * count, wide == width ? 0 : wide)) {
            Calls.Output output = new Calls.Output(scratch, out, count, width, wide);
            session.check(scratch, call.call(modulus, output, scratch, session));
            return output.results();
        } finally {
            handle.release();
        }
    }

    /** A call that writes a text. */
    private interface Explained {
        int call(long modulus, long text, long length, long needed, Scratch scratch, Session session);
    }

    private String explained(int wide, Explained call, Rows... rows) {
        long modulus = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0, wide == width ? 0 : wide)) {
            return Calls.text(scratch, (text, length, needed) -> call.call(modulus, text, length, needed, scratch, session));
        } finally {
            handle.release();
            for (Rows one : rows) {
                one.keep();
            }
        }
    }

    private int wide(Rows rows) {
        return Math.max(width, rows.width);
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
        return one(Calls.products(exponent), width, (modulus, out, scratch, session) -> {
            long b = scratch.number(base);
            int baseLength = scratch.length;
            long e = scratch.number(exponent);
            int signs = Calls.sign(base, Status.NEGATIVE_BASE) | Calls.sign(exponent, Status.NEGATIVE_EXPONENT);
            return Library.get().modulusPow(
                    modulus, out, width, b, baseLength, e, scratch.length, signs, session.options, scratch.why(), Scratch.WHY_LENGTH);
        });
    }

    /**
     * Inverts a number.
     *
     * @param number any number
     * @return its inverse; 0 modulo 1
     * @throws ArithmeticException "BigInteger not invertible."
     */
    public BigInteger invert(BigInteger number) {
        return one(0, width, (modulus, out, scratch, session) -> {
            long n = scratch.number(number);
            return Library.get().modulusInvert(
                    modulus, out, width, n, scratch.length, Calls.sign(number, Status.NEGATIVE_BASE), scratch.why(), Scratch.WHY_LENGTH);
        });
    }

    /**
     * Raises each base to its exponent, on several threads, and several powers at a time if the processor can.
     *
     * @param bases any numbers
     * @param exponents as many; an element with a negative one and no inverse has the error {@code not_invertible}
     * @return the powers
     * @throws PingalaException {@code bad_plan}, {@code interrupted}
     */
    public Results powList(Rows bases, Rows exponents) {
        return powList(bases, exponents, null);
    }

    /**
     * As {@link #powList(Rows, Rows)}, into a buffer.
     *
     * @param bases any numbers
     * @param exponents as many
     * @param out room for as many rows; null for a new buffer
     * @return the powers
     */
    public Results powList(Rows bases, Rows exponents, ByteBuffer out) {
        Calls.same(bases.count, exponents.count, "exponents");
        int wide = wide(bases);
        try {
            return many(8.0 * exponents.width, bases.count, wide, out, (modulus, output, scratch, session) -> {
                long b = bases.place(scratch, wide);
                long e = exponents.place(scratch, exponents.width);
                byte[] signs = exponents.flags(bases.flags(null, Status.NEGATIVE_BASE), Status.NEGATIVE_EXPONENT);
                return Library.get().modulusPowList(
                        modulus, output.address, b, e, exponents.width, bases.count, output.status, scratch.flags(signs), session.options,
                        scratch.why(), Scratch.WHY_LENGTH);
            });
        } finally {
            bases.keep();
            exponents.keep();
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
     * Raises one base to many exponents, which share squarings or a table.
     *
     * @param base any number
     * @param exponents any numbers
     * @return the powers
     * @throws PingalaException {@code bad_plan}, {@code interrupted}
     */
    public Results powExponents(BigInteger base, Rows exponents) {
        return powExponents(base, exponents, null);
    }

    /**
     * As {@link #powExponents(BigInteger, Rows)}, into a buffer.
     *
     * @param base any number
     * @param exponents any numbers
     * @param out room for as many rows; null for a new buffer
     * @return the powers
     */
    public Results powExponents(BigInteger base, Rows exponents, ByteBuffer out) {
        try {
            return many(8.0 * exponents.width, exponents.count, width, out, (modulus, output, scratch, session) -> {
                long b = scratch.number(base);
                int baseLength = scratch.length;
                long e = exponents.place(scratch, exponents.width);
                byte[] signs = exponents.flags(null, Status.NEGATIVE_EXPONENT);
                return Library.get().modulusPowExpList(
                        modulus, output.address, b, baseLength, Calls.sign(base, Status.NEGATIVE_BASE), e, exponents.width, exponents.count,
                        output.status, scratch.flags(signs), session.options, scratch.why(), Scratch.WHY_LENGTH);
            });
        } finally {
            exponents.keep();
        }
    }

    /**
     * Raises many bases to one exponent, which is recoded once.
     *
     * @param bases any numbers
     * @param exponent any number
     * @return the powers
     * @throws PingalaException {@code bad_plan}, {@code interrupted}
     */
    public Results powBases(Rows bases, BigInteger exponent) {
        return powBases(bases, exponent, null);
    }

    /**
     * As {@link #powBases(Rows, BigInteger)}, into a buffer.
     *
     * @param bases any numbers
     * @param exponent any number
     * @param out room for as many rows; null for a new buffer
     * @return the powers
     */
    public Results powBases(Rows bases, BigInteger exponent, ByteBuffer out) {
        int wide = wide(bases);
        try {
            return many(exponent.bitLength(), bases.count, wide, out, (modulus, output, scratch, session) -> {
                long b = bases.place(scratch, wide);
                long e = scratch.number(exponent);
                int exponentLength = scratch.length;
                byte[] signs = bases.flags(null, Status.NEGATIVE_BASE);
                return Library.get().modulusPowBaseList(
                        modulus, output.address, b, e, exponentLength, Calls.sign(exponent, Status.NEGATIVE_EXPONENT), bases.count,
                        output.status, scratch.flags(signs), session.options, scratch.why(), Scratch.WHY_LENGTH);
            });
        } finally {
            bases.keep();
        }
    }

    /**
     * Inverts many numbers, about a hundred of which share one inversion.
     *
     * @param numbers any numbers; one without an inverse has the error {@code not_invertible}
     * @return the inverses
     * @throws PingalaException {@code interrupted}
     */
    public Results invertList(Rows numbers) {
        return invertList(numbers, null);
    }

    /**
     * As {@link #invertList(Rows)}, into a buffer.
     *
     * @param numbers any numbers
     * @param out room for as many rows; null for a new buffer
     * @return the inverses
     */
    public Results invertList(Rows numbers, ByteBuffer out) {
        return unary(numbers, 30, out, (modulus, n, signs, output, scratch, session) -> Library.get().modulusInvertList(
                modulus, output.address, n, numbers.count, output.status, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
    }

    private interface Unary {
        int call(long modulus, long numbers, long signs, Calls.Output output, Scratch scratch, Session session);
    }

    private Results unary(Rows numbers, double products, ByteBuffer out, Unary call) {
        int wide = wide(numbers);
        try {
            return many(products, numbers.count, wide, out, (modulus, output, scratch, session) -> {
                long n = numbers.place(scratch, wide);
                long signs = scratch.flags(numbers.flags(null, Status.NEGATIVE_BASE));
                return call.call(modulus, n, signs, output, scratch, session);
            });
        } finally {
            numbers.keep();
        }
    }

    /**
     * Multiplies pairs of numbers.
     *
     * @param a any numbers
     * @param b as many
     * @return the products
     * @throws PingalaException {@code interrupted}
     */
    public Results multiplyList(Rows a, Rows b) {
        return multiplyList(a, b, null);
    }

    /**
     * As {@link #multiplyList(Rows, Rows)}, into a buffer.
     *
     * @param a any numbers
     * @param b as many
     * @param out room for as many rows; null for a new buffer
     * @return the products
     */
    public Results multiplyList(Rows a, Rows b, ByteBuffer out) {
        Calls.same(a.count, b.count, "factors");
        int wide = Math.max(wide(a), b.width);
        try {
            return many(3, a.count, wide, out, (modulus, output, scratch, session) -> {
                long left = a.place(scratch, wide);
                long right = b.place(scratch, wide);
                byte[] signs = b.flags(a.flags(null, Status.NEGATIVE_BASE), Status.NEGATIVE_EXPONENT);
                return Library.get().modulusMulList(
                        modulus, output.address, left, right, a.count, output.status, scratch.flags(signs), session.options, scratch.why(),
                        Scratch.WHY_LENGTH);
            });
        } finally {
            a.keep();
            b.keep();
        }
    }

    /**
     * Squares numbers.
     *
     * @param numbers any numbers
     * @return the squares
     * @throws PingalaException {@code interrupted}
     */
    public Results squareList(Rows numbers) {
        return unary(numbers, 3, null, (modulus, n, signs, output, scratch, session) -> Library.get().modulusSquareList(
                modulus, output.address, n, numbers.count, output.status, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
    }

    /**
     * Multiplies the numbers up to each place.
     *
     * @param numbers any numbers
     * @return the products of the first one, the first two, and so on
     * @throws PingalaException {@code interrupted}
     */
    public Results runningProduct(Rows numbers) {
        return unary(numbers, 3, null, (modulus, n, signs, output, scratch, session) -> Library.get().modulusRunningProduct(
                modulus, output.address, n, numbers.count, output.status, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
    }

    /**
     * Multiplies numbers.
     *
     * @param numbers any numbers
     * @return their product; 1 modulo this number if there are none
     * @throws PingalaException {@code interrupted}
     */
    public BigInteger product(Rows numbers) {
        int wide = wide(numbers);
        try {
            return one(3.0 * numbers.count, wide, (modulus, out, scratch, session) -> {
                long n = numbers.place(scratch, wide);
                return Library.get().modulusProduct(
                        modulus, out, wide, n, numbers.count, scratch.flags(numbers.flags(null, Status.NEGATIVE_BASE)), session.options,
                        scratch.why(), Scratch.WHY_LENGTH);
            });
        } finally {
            numbers.keep();
        }
    }

    /**
     * Multiplies powers, which share squarings.
     *
     * @param bases any numbers
     * @param exponents as many; negative ones share one inversion
     * @return the product of all base^exponent; 1 modulo this number if there are none
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code bad_plan}, {@code interrupted}
     */
    public BigInteger powProduct(Rows bases, Rows exponents) {
        Calls.same(bases.count, exponents.count, "exponents");
        int wide = wide(bases);
        try {
            return one(8.0 * exponents.width * bases.count, wide, (modulus, out, scratch, session) -> {
                long b = bases.place(scratch, wide);
                long e = exponents.place(scratch, exponents.width);
                byte[] signs = exponents.flags(bases.flags(null, Status.NEGATIVE_BASE), Status.NEGATIVE_EXPONENT);
                return Library.get().modulusPowProduct(
                        modulus, out, wide, b, e, exponents.width, bases.count, scratch.flags(signs), session.options, scratch.why(),
                        Scratch.WHY_LENGTH);
            });
        } finally {
            bases.keep();
            exponents.keep();
        }
    }

    /**
     * Multiplies powers for many products; products of equal shape are computed several at a time if the processor can.
     *
     * @param bases the bases of all products, one product after the other
     * @param exponents as many
     * @param ends for each product the place after its last power; a product may have none
     * @return the products
     * @throws PingalaException {@code bad_plan}, {@code interrupted}
     */
    public Results powProductList(Rows bases, Rows exponents, int[] ends) {
        Calls.same(bases.count, exponents.count, "exponents");
        long[] all = Calls.ends(ends, bases.count);
        int wide = wide(bases);
        double products = ends.length == 0 ? 0 : 8.0 * exponents.width * bases.count / ends.length;
        try {
            return many(products, ends.length, wide, null, (modulus, output, scratch, session) -> {
                long b = bases.place(scratch, wide);
                long e = exponents.place(scratch, exponents.width);
                byte[] signs = exponents.flags(bases.flags(null, Status.NEGATIVE_BASE), Status.NEGATIVE_EXPONENT);
                return Library.get().modulusPowProductList(
                        modulus, output.address, b, e, exponents.width, bases.count, scratch.longs(all), ends.length, output.status,
                        scratch.flags(signs), session.options, scratch.why(), Scratch.WHY_LENGTH);
            });
        } finally {
            bases.keep();
            exponents.keep();
        }
    }

    /**
     * Squares a number many times.
     *
     * @param base any number
     * @param squarings 0 or more
     * @param checkpoint where the state is kept; {@link Checkpoint#NONE} for nowhere
     * @return base^(2^squarings) modulo this number
     * @throws PingalaException {@code interrupted}, {@code bad_file}, {@code too_long}
     */
    public BigInteger repeatedSquare(BigInteger base, long squarings, Checkpoint checkpoint) {
        notNegative(squarings);
        return one(squarings, width, (modulus, out, scratch, session) -> {
            long b = scratch.number(base);
            int baseLength = scratch.length;
            return Library.get().modulusRepeatedSquare(
                    modulus, out, width, b, baseLength, squarings, Calls.sign(base, Status.NEGATIVE_BASE), scratch.text(checkpoint.path),
                    checkpoint.everyMilliseconds, session.options, scratch.why(), Scratch.WHY_LENGTH);
        });
    }

    private static void notNegative(long squarings) {
        if (squarings < 0) {
            throw new IllegalArgumentException(squarings + " squarings: expected 0 or more");
        }
    }

    /**
     * Squares a number many times, and proves it by Wesolowski's method.
     *
     * @param base prime to this number, which is odd
     * @param squarings 0 or more
     * @param checkpoint where the state is kept
     * @param memoryBytes about how much the residues for the proof take; 0 for 64 MB
     * @return base^(2^squarings) modulo this number, and the number that proves it
     * @throws PingalaException {@code interrupted}, {@code bad_file}, {@code too_long}
     * @throws IllegalArgumentException if this number is even or 1
     * @throws ArithmeticException "BigInteger not invertible."
     */
    public ProvedSquaring proveSquaring(BigInteger base, long squarings, Checkpoint checkpoint, long memoryBytes) {
        notNegative(squarings);
        if (memoryBytes < 0) {
            throw new IllegalArgumentException("memory " + memoryBytes + ": expected 0 or more");
        }
        BigInteger[] proof = new BigInteger[1];
        BigInteger result = one(squarings, width, (modulus, out, scratch, session) -> {
            long b = scratch.number(base);
            int baseLength = scratch.length;
            long path = scratch.text(checkpoint.path);
            long proofAt = scratch.reserve(width);
            int status = Library.get().modulusProveSquaring(
                    modulus, out, width, proofAt, width, b, baseLength, squarings, Calls.sign(base, Status.NEGATIVE_BASE), path,
                    checkpoint.everyMilliseconds, memoryBytes, session.options, scratch.why(), Scratch.WHY_LENGTH);
            proof[0] = scratch.result(width);
            return status;
        });
        return new ProvedSquaring(result, proof[0]);
    }

    /**
     * Checks a proof of repeated squaring, much faster than by squaring.
     *
     * @param base the base
     * @param squarings 0 or more
     * @param proved the result, and the number that proves it
     * @return whether the proof is valid; false for a modulus below 1024 bits: its factors can be found, and with them any result can be proved
     * @throws PingalaException {@code interrupted}, {@code bad_plan}
     */
    public boolean verifySquaring(BigInteger base, long squarings, ProvedSquaring proved) {
        notNegative(squarings);
        if (proved.result().signum() < 0 || proved.proof().signum() < 0) {
            return false;
        }
        long modulus = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 1000)) {
            long b = scratch.number(base);
            int baseLength = scratch.length;
            long r = scratch.number(proved.result());
            int resultLength = scratch.length;
            long p = scratch.number(proved.proof());
            int proofLength = scratch.length;
            long valid = scratch.ints(new int[1]);
            session.check(
                    scratch,
                    Library.get().modulusVerifySquaring(
                            modulus, valid, b, baseLength, squarings, Calls.sign(base, Status.NEGATIVE_BASE), r, resultLength, p, proofLength,
                            session.options, scratch.why(), Scratch.WHY_LENGTH));
            return scratch.bytes.getInt(scratch.at) == 1;
        } finally {
            handle.release();
        }
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
        if (base.signum() < 0) {
            throw new IllegalArgumentException("a negative base: expected 0 or more");
        }
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
        Calls.same(bases.count, exponents.count, "exponents");
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
        if (bases.flags(null, Status.NEGATIVE_BASE) != null) {
            throw new IllegalArgumentException("a negative base: expected 0 or more");
        }
        int wide = wide(bases);
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
     * Explains the plan of {@link #pow}.
     *
     * @param format how
     * @param base the base
     * @param exponent the exponent
     * @return the plan
     */
    public String explain(Format format, BigInteger base, BigInteger exponent) {
        return explained(width, (modulus, text, length, needed, scratch, session) -> {
            long b = scratch.number(base);
            int baseLength = scratch.length;
            long e = scratch.number(exponent);
            int exponentLength = scratch.length;
            int signs = Calls.sign(base, Status.NEGATIVE_BASE) | Calls.sign(exponent, Status.NEGATIVE_EXPONENT);
            return Library.get().modulusExplain(
                    modulus, text, length, needed, format.ordinal(), b, baseLength, e, exponentLength, signs, session.options,
                    scratch.why(), Scratch.WHY_LENGTH);
        });
    }

    /**
     * Explains the plan of {@link #powExponents(BigInteger, Rows)}.
     *
     * @param format how
     * @param exponents the exponents
     * @return the plan
     */
    public String explainExponents(Format format, Rows exponents) {
        return explained(width, (modulus, text, length, needed, scratch, session) -> {
            long e = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(null, Status.NEGATIVE_EXPONENT));
            return Library.get().modulusExplainExpList(
                    modulus, text, length, needed, format.ordinal(), e, exponents.width, exponents.count, signs, session.options,
                    scratch.why(), Scratch.WHY_LENGTH);
        }, exponents);
    }

    /**
     * Explains the plan of {@link #powBases(Rows, BigInteger)}, and of {@link #powList(Rows, Rows)} with exponents of this length.
     *
     * @param format how
     * @param bases the bases, 0 or more
     * @param exponent the exponent
     * @return the plan
     */
    public String explainBases(Format format, Rows bases, BigInteger exponent) {
        return explained(width, (modulus, text, length, needed, scratch, session) -> {
            long b = bases.place(scratch, bases.width);
            long e = scratch.number(exponent);
            return Library.get().modulusExplainBaseList(
                    modulus, text, length, needed, format.ordinal(), b, bases.width, bases.count, e, scratch.length,
                    Calls.sign(exponent, Status.NEGATIVE_EXPONENT), session.options, scratch.why(), Scratch.WHY_LENGTH);
        }, bases);
    }

    /**
     * Explains the plan of {@link #powProduct} with these exponents.
     *
     * @param format how
     * @param exponents the exponents
     * @return the plan
     */
    public String explainProduct(Format format, Rows exponents) {
        return explained(width, (modulus, text, length, needed, scratch, session) -> {
            long e = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(null, Status.NEGATIVE_EXPONENT));
            return Library.get().modulusExplainProduct(
                    modulus, text, length, needed, format.ordinal(), e, exponents.width, exponents.count, signs, session.options,
                    scratch.why(), Scratch.WHY_LENGTH);
        }, exponents);
    }

    /**
     * Explains the plan of {@link #repeatedSquare}.
     *
     * @param format how
     * @param squarings 0 or more
     * @return the plan
     */
    public String explainRepeatedSquare(Format format, long squarings) {
        notNegative(squarings);
        return explained(width, (modulus, text, length, needed, scratch, session) -> Library.get().modulusExplainRepeatedSquare(
                modulus, text, length, needed, format.ordinal(), squarings, session.options, scratch.why(), Scratch.WHY_LENGTH));
    }

    /**
     * Explains the plan of {@link #powProductList}.
     *
     * @param format how
     * @param bases the bases
     * @param exponents the exponents
     * @param ends where each product ends
     * @return the plan
     */
    public String explainProductList(Format format, Rows bases, Rows exponents, int[] ends) {
        Calls.same(bases.count, exponents.count, "exponents");
        long[] all = Calls.ends(ends, bases.count);
        int wide = wide(bases);
        return explained(wide, (modulus, text, length, needed, scratch, session) -> {
            long b = bases.place(scratch, wide);
            long e = exponents.place(scratch, exponents.width);
            byte[] signs = exponents.flags(bases.flags(null, Status.NEGATIVE_BASE), Status.NEGATIVE_EXPONENT);
            long flags = scratch.flags(signs);
            long endsAt = scratch.longs(all);
            return format == Format.PLAN
                    ? Library.get().modulusPlanProductList(
                            modulus, text, length, needed, b, e, exponents.width, bases.count, endsAt, ends.length, flags, session.options,
                            scratch.why(), Scratch.WHY_LENGTH)
                    : Library.get().modulusExplainProductList(
                            modulus, text, length, needed, format.ordinal(), b, e, exponents.width, bases.count, endsAt, ends.length, flags,
                            session.options, scratch.why(), Scratch.WHY_LENGTH);
        }, bases, exponents);
    }

    /**
     * Returns the plan of {@link #powList(Rows, Rows)} as a line.
     *
     * @param bases the bases
     * @param exponents the exponents
     * @return the plan
     */
    public String planList(Rows bases, Rows exponents) {
        Calls.same(bases.count, exponents.count, "exponents");
        int wide = wide(bases);
        return explained(wide, (modulus, text, length, needed, scratch, session) -> {
            long b = bases.place(scratch, wide);
            long e = exponents.place(scratch, exponents.width);
            byte[] signs = exponents.flags(bases.flags(null, Status.NEGATIVE_BASE), Status.NEGATIVE_EXPONENT);
            return Library.get().modulusPlanList(
                    modulus, text, length, needed, b, e, exponents.width, bases.count, scratch.flags(signs), session.options, scratch.why(),
                    Scratch.WHY_LENGTH);
        }, bases, exponents);
    }

    /**
     * Explains the plan of a table.
     *
     * @param format how
     * @param base the base
     * @param table what it is for
     * @return the plan
     */
    public String explainFixedBase(Format format, BigInteger base, FixedBase.Table table) {
        return explained(width, (modulus, text, length, needed, scratch, session) -> {
            long b = scratch.number(base);
            return Library.get().fixedBaseExplain(
                    modulus, text, length, needed, format.ordinal(), b, scratch.length, Calls.sign(base, Status.NEGATIVE_BASE),
                    table.exponentBits, table.memoryBytes, table.powers, table.kind, session.options, scratch.why(), Scratch.WHY_LENGTH);
        });
    }
}
