// Generated from border/ and pingala.h by tools/border/java (make border); do not edit.
package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Powers modulo a number, one at a time or in lists. {@link #modPow} and {@link #modInverse} have the results and the exceptions of
 * {@link BigInteger}. For many calls modulo one number make a {@link Modulus}.
 */
public final class Pingala {
    private Pingala() {}

    /**
     * Returns how the native library is called.
     *
     * @return {@code "ffm"} or {@code "jni"}
     * @throws UnsatisfiedLinkError if there is none for this platform; the message says which platform was found, and which exist
     */
    public static String backend() {
        return Library.get().name();
    }

    /**
     * Returns the version of the native library.
     *
     * @return such as {@code "0.4.0"}
     */
    public static String version() {
        return Library.text(Library.get().version());
    }

    /**
     * Returns the number of the C interface of the native library.
     *
     * @return 2 or more
     */
    public static int abi() {
        return Library.get().abi();
    }

    /**
     * Raises a number to a power, as {@code base.modPow(exponent, modulus)}.
     *
     * @param base any number
     * @param exponent any number; a negative one takes the inverse of the base
     * @param modulus 1 or more, of at most 2^24 bits
     * @return base^exponent modulo the modulus
     * @throws ArithmeticException "BigInteger: modulus not positive", "BigInteger not invertible."
     * @throws PingalaException {@code too_long}; {@code interrupted}, if the thread is interrupted in a long call
     */
    public static BigInteger modPow(BigInteger base, BigInteger exponent, BigInteger modulus) {
        Calls.positive(modulus);
        int bits = modulus.bitLength();
        int width = Calls.bytes(bits);
        try (Session session = Session.open(Options.DEFAULT, bits, Calls.products(exponent));
                Scratch scratch = Scratch.open()) {
            long b = scratch.number(base);
            int baseLength = scratch.length;
            long e = scratch.number(exponent);
            int exponentLength = scratch.length;
            long m = scratch.number(modulus);
            int modulusLength = scratch.length;
            long out = scratch.reserve(width);
            int signs = Calls.sign(base, Status.NEGATIVE_BASE) | Calls.sign(exponent, Status.NEGATIVE_EXPONENT);
            session.check(
                    scratch,
                    Library.get().powmod(
                            out, width, b, baseLength, e, exponentLength, m, modulusLength, signs, session.options, scratch.why(),
                            Scratch.WHY_LENGTH));
            return scratch.result(width);
        }
    }

    /**
     * Inverts a number, as {@code number.modInverse(modulus)}.
     *
     * @param number any number
     * @param modulus 1 or more
     * @return the inverse; 0 modulo 1
     * @throws ArithmeticException "BigInteger: modulus not positive", "BigInteger not invertible."
     */
    public static BigInteger modInverse(BigInteger number, BigInteger modulus) {
        return modPow(number, MINUS_ONE, modulus);
    }

    static final BigInteger MINUS_ONE = BigInteger.ONE.negate();

    /**
     * Raises a number to a secret power with the results and exceptions of {@code base.modPow(exponent, modulus)}, in constant time: as
     * {@link Modulus#powSecure} with an exponent as wide as the modulus, or a multiple of 64 bits. The sign of the exponent and the modulus
     * are public. A negative exponent inverts the base first, and a base below 0 or above the modulus is reduced first: neither takes
     * constant time. What Java keeps of a BigInteger cannot be wiped: {@link SecretExponent} takes bytes. This call wipes what it copies of
     * the exponent, and keeps the inverse outside the heap.
     *
     * @param base any number
     * @param exponent any number
     * @param modulus 1 or more
     * @return base^exponent modulo the modulus
     * @throws ArithmeticException "BigInteger: modulus not positive", "BigInteger not invertible."
     * @throws PingalaException {@code too_long}, {@code fault}, {@code interrupted}
     */
    public static BigInteger modPowSecure(BigInteger base, BigInteger exponent, BigInteger modulus) {
        Calls.positive(modulus);
        boolean inverse = exponent.signum() < 0;
        BigInteger reduced = !inverse && (base.signum() < 0 || base.compareTo(modulus) >= 0) ? base.mod(modulus) : base;
        try (Modulus prepared = Modulus.of(modulus);
                SecretExponent secret = SecretExponent.ofMagnitude(exponent, modulus.bitLength())) {
            return prepared.powSecure(reduced, secret, inverse);
        }
    }

    /**
     * Raises each base to its exponent modulo its modulus. Powers that share a modulus share its preparation, and several run at a time if
     * the processor can.
     *
     * @param bases any numbers
     * @param exponents as many
     * @param moduli as many, of 1 or more
     * @param options settings
     * @return the powers; an element whose modulus is bad has the error {@code zero_modulus}, {@code negative_modulus} or {@code too_long}
     * @throws PingalaException {@code interrupted}; {@code too_long}, for an exponent
     */
    public static Results modPowList(
            List<BigInteger> bases, List<BigInteger> exponents, List<BigInteger> moduli, Options options) {
        Map<BigInteger, Integer> places = new HashMap<>();
        int[] modulusOf = new int[moduli.size()];
        int[] bad = null;
        Calls.same("bases", bases.size(), "moduli", modulusOf.length);
        List<Modulus> all = new ArrayList<>();
        try {
            for (int i = 0; i < modulusOf.length; i++) {
                BigInteger modulus = moduli.get(i);
                if (modulus == null) {
                    throw new NullPointerException("modulus " + i + " is null");
                }
                int status = Status.ofModulus(modulus, options);
                if (status != Status.OK) {
                    bad = bad == null ? new int[modulusOf.length] : bad;
                    bad[i] = status;
                    modulus = BigInteger.ONE; // any base has any power here, which is 0
                }
                Integer place = places.putIfAbsent(modulus, all.size());
                if (place == null) {
                    all.add(Modulus.of(modulus, options));
                }
                modulusOf[i] = place == null ? all.size() - 1 : place;
            }
            return powList(Rows.of(bases), Rows.of(exponents), all, modulusOf, options, null).with(bad);
        } finally {
            for (Modulus modulus : all) {
                modulus.close();
            }
        }
    }

    /**
     * Returns bases[i]^exponents[i] modulo moduli[i] for each i.
     *
     * @param bases any numbers
     * @param exponents as many
     * @param moduli the moduli
     * @param modulusOf for each element the place of its modulus; null if there is one for each, in order
     * @param options settings
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code bad_plan}, {@code interrupted}
     */
    public static Results powList(Rows bases, Rows exponents, List<Modulus> moduli, int[] modulusOf, Options options) {
        return powList(bases, exponents, moduli, modulusOf, options, null);
    }

    /**
     * As {@link #powList(Rows, Rows, List, int[], Options)}, into a buffer.
     *
     * @param bases any numbers
     * @param exponents as many
     * @param moduli the moduli
     * @param modulusOf for each element the place of its modulus; null if there is one for each, in order
     * @param options settings
     * @param out room for as many rows; null for a new buffer
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public static Results powList(Rows bases, Rows exponents, List<Modulus> moduli, int[] modulusOf, Options options,
            ByteBuffer out) {
        Calls.same("bases", bases, "exponents", exponents);
        int[] places = Calls.places(modulusOf, bases.count, moduli.size());
        try (Calls.Moduli all = new Calls.Moduli(moduli);
                Scratch scratch = Scratch.open();
                Session session = Session.open(options, all.bits(), 8.0 * exponents.width * bases.count)) {
            Calls.Output output = new Calls.Output(scratch, out, bases.count, all.longest, all.longest);
            long basesAt = bases.place(scratch, bases.width);
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(bases.flags(null, Status.NEGATIVE_BASE),
                    Status.NEGATIVE_EXPONENT));
            long moduliAt = scratch.longs(all.handles);
            long modulusOfAt = scratch.ints(places);
            session.check(scratch, Library.get().powList(output.address, all.longest, basesAt, bases.width, exponentsAt,
                    exponents.width, moduliAt, all.handles.length, modulusOfAt, bases.count, output.status, signs,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            bases.keep();
            exponents.keep();
        }
    }

    /**
     * Returns the product of bases[i][j]^exponents[i][j] over all j, for each i, modulo one number or one for each
     * product.
     *
     * @param bases the bases of all products, one product after the other
     * @param exponents as many
     * @param ends for each product the place after its last power; a product may have none
     * @param moduli the moduli
     * @param modulusOf for each element the place of its modulus; null if there is one for each, in order
     * @param options settings
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code bad_plan}, {@code interrupted}
     */
    public static Results powProductList(Rows bases, Rows exponents, int[] ends, List<Modulus> moduli, int[] modulusOf,
            Options options) {
        return powProductList(bases, exponents, ends, moduli, modulusOf, options, null);
    }

    /**
     * As {@link #powProductList(Rows, Rows, int[], List, int[], Options)}, into a buffer.
     *
     * @param bases the bases of all products, one product after the other
     * @param exponents as many
     * @param ends for each product the place after its last power; a product may have none
     * @param moduli the moduli
     * @param modulusOf for each element the place of its modulus; null if there is one for each, in order
     * @param options settings
     * @param out room for as many rows; null for a new buffer
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public static Results powProductList(Rows bases, Rows exponents, int[] ends, List<Modulus> moduli, int[] modulusOf,
            Options options, ByteBuffer out) {
        Calls.same("bases", bases, "exponents", exponents);
        long[] allEnds = Calls.ends(ends, bases.count);
        int[] places = Calls.places(modulusOf, ends.length, moduli.size());
        try (Calls.Moduli all = new Calls.Moduli(moduli);
                Scratch scratch = Scratch.open();
                Session session = Session.open(options, all.bits(), 8.0 * exponents.width * bases.count)) {
            Calls.Output output = new Calls.Output(scratch, out, ends.length, all.longest, all.longest);
            long basesAt = bases.place(scratch, bases.width);
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(bases.flags(null, Status.NEGATIVE_BASE),
                    Status.NEGATIVE_EXPONENT));
            long endsAt = scratch.longs(allEnds);
            long moduliAt = scratch.longs(all.handles);
            long modulusOfAt = scratch.ints(places);
            session.check(scratch, Library.get().powProductList(output.address, all.longest, basesAt, bases.width,
                    exponentsAt, exponents.width, bases.count, endsAt, moduliAt, all.handles.length, modulusOfAt,
                    ends.length, output.status, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            bases.keep();
            exponents.keep();
        }
    }

    /**
     * Returns the plan of a list of powers.
     *
     * @param bases any numbers
     * @param exponents as many
     * @param moduli the moduli
     * @param modulusOf for each element the place of its modulus; null if there is one for each, in order
     * @param options settings
     * @return the plan
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code too_long}, {@code bad_plan}
     */
    public static String planList(Rows bases, Rows exponents, List<Modulus> moduli, int[] modulusOf, Options options) {
        Calls.same("bases", bases, "exponents", exponents);
        int[] places = Calls.places(modulusOf, bases.count, moduli.size());
        try (Calls.Moduli all = new Calls.Moduli(moduli);
                Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            long basesAt = bases.place(scratch, bases.width);
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(bases.flags(null, Status.NEGATIVE_BASE),
                    Status.NEGATIVE_EXPONENT));
            long moduliAt = scratch.longs(all.handles);
            long modulusOfAt = scratch.ints(places);
            return Calls.text(scratch, (text, textLength, needed) -> Library.get().planList(text, textLength, needed,
                    basesAt, bases.width, exponentsAt, exponents.width, moduliAt, all.handles.length, modulusOfAt,
                    bases.count, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            bases.keep();
            exponents.keep();
        }
    }

    /**
     * Returns the plan of a list of products, and why it is chosen.
     *
     * @param format how
     * @param bases the bases of all products, one product after the other
     * @param exponents as many
     * @param ends for each product the place after its last power; a product may have none
     * @param moduli the moduli
     * @param modulusOf for each element the place of its modulus; null if there is one for each, in order
     * @param options settings
     * @return the plan
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code too_long}, {@code bad_plan}
     */
    public static String explainProductList(Format format, Rows bases, Rows exponents, int[] ends, List<Modulus> moduli,
            int[] modulusOf, Options options) {
        Calls.same("bases", bases, "exponents", exponents);
        long[] allEnds = Calls.ends(ends, bases.count);
        int[] places = Calls.places(modulusOf, ends.length, moduli.size());
        try (Calls.Moduli all = new Calls.Moduli(moduli);
                Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            long basesAt = bases.place(scratch, bases.width);
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(bases.flags(null, Status.NEGATIVE_BASE),
                    Status.NEGATIVE_EXPONENT));
            long endsAt = scratch.longs(allEnds);
            long moduliAt = scratch.longs(all.handles);
            long modulusOfAt = scratch.ints(places);
            return Calls.text(scratch, (text, textLength, needed) -> format == Format.PLAN ?
                    Library.get().planProductList(text, textLength, needed, basesAt, bases.width, exponentsAt,
                    exponents.width, bases.count, endsAt, moduliAt, all.handles.length, modulusOfAt, ends.length, signs,
                    session.options, scratch.why(), Scratch.WHY_LENGTH) : Library.get().explainProductList(text,
                    textLength, needed, format.ordinal(), basesAt, bases.width, exponentsAt, exponents.width,
                    bases.count, endsAt, moduliAt, all.handles.length, modulusOfAt, ends.length, signs, session.options,
                    scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            bases.keep();
            exponents.keep();
        }
    }
}
