// Generated from border/ and pingala.h by tools/border/java (make border); do not edit.
package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/** The calls of a modulus. */
abstract class ModulusCalls extends Subject {
    ModulusCalls(Handle handle, Options options, int bits) {
        super(handle, options, bits);
    }

    /**
     * Returns the inverse of value modulo a prepared modulus.
     *
     * @param value any number
     * @return the result, 0 or more
     * @throws ArithmeticException "BigInteger not invertible."
     */
    public BigInteger invert(BigInteger value) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open()) {
            long out = scratch.reserve(width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long valueAt = scratch.number(value);
            int valueLength = scratch.length;
            scratch.check(Library.get().modulusInvert(address, out, width, valueAt, valueLength,
                    Calls.sign(value, Status.NEGATIVE_BASE), scratch.why(), Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, width);
        } finally {
            handle.release();
        }
    }

    /**
     * Returns bases[i]^exponents[i] modulo one modulus for each i.
     *
     * @param bases any numbers
     * @param exponents as many; an element with a negative one and no inverse has the error {@code not_invertible}
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code bad_plan}, {@code interrupted}
     */
    public Results powList(Rows bases, Rows exponents) {
        return powList(bases, exponents, null);
    }

    /**
     * As {@link #powList(Rows, Rows)}, into a buffer.
     *
     * @param bases any numbers
     * @param exponents as many; an element with a negative one and no inverse has the error {@code not_invertible}
     * @param out room for as many rows; null for a new buffer
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public Results powList(Rows bases, Rows exponents, ByteBuffer out) {
        Calls.same("bases", bases, "exponents", exponents);
        int wide = Math.max(width, bases.width);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 8.0 * exponents.width * bases.count, wide == width ? 0 : wide)) {
            Calls.Output output = new Calls.Output(scratch, out, bases.count, width, wide);
            long basesAt = bases.place(scratch, wide);
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(bases.flags(null, Status.NEGATIVE_BASE),
                    Status.NEGATIVE_EXPONENT));
            session.check(scratch, Library.get().modulusPowList(address, output.address, basesAt, exponentsAt,
                    exponents.width, bases.count, output.status, signs, session.options, scratch.why(),
                    Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            handle.release();
            bases.keep();
            exponents.keep();
        }
    }

    /**
     * Returns base^exponents[i] for each i: powers of one base share squarings or a table.
     *
     * @param base any number
     * @param exponents any numbers
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws PingalaException {@code too_long}, {@code bad_plan}, {@code interrupted}
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
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public Results powExponents(BigInteger base, Rows exponents, ByteBuffer out) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 8.0 * exponents.width * exponents.count)) {
            Calls.Output output = new Calls.Output(scratch, out, exponents.count, width, width);
            long baseAt = scratch.number(base);
            int baseLength = scratch.length;
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(null, Status.NEGATIVE_EXPONENT));
            session.check(scratch, Library.get().modulusPowExpList(address, output.address, baseAt, baseLength,
                    Calls.sign(base, Status.NEGATIVE_BASE), exponentsAt, exponents.width, exponents.count,
                    output.status, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            handle.release();
            exponents.keep();
        }
    }

    /**
     * Returns bases[i]^exponent for each i: the exponent is recoded once.
     *
     * @param bases any numbers
     * @param exponent any number
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws PingalaException {@code too_long}, {@code bad_plan}, {@code interrupted}
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
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public Results powBases(Rows bases, BigInteger exponent, ByteBuffer out) {
        int wide = Math.max(width, bases.width);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, Calls.products(exponent) * bases.count, wide == width ? 0 : wide)) {
            Calls.Output output = new Calls.Output(scratch, out, bases.count, width, wide);
            long exponentAt = scratch.number(exponent);
            int exponentLength = scratch.length;
            long basesAt = bases.place(scratch, wide);
            long signs = scratch.flags(bases.flags(null, Status.NEGATIVE_BASE));
            session.check(scratch, Library.get().modulusPowBaseList(address, output.address, basesAt, exponentAt,
                    exponentLength, Calls.sign(exponent, Status.NEGATIVE_EXPONENT), bases.count, output.status, signs,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            handle.release();
            bases.keep();
        }
    }

    /**
     * Returns the product of bases[i]^exponents[i] over all i, which share squarings; 1 modulo the modulus for none.
     *
     * @param bases any numbers
     * @param exponents as many; negative ones share one inversion
     * @return the result, 0 or more
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code too_long}, {@code bad_plan}, {@code interrupted}
     */
    public BigInteger powProduct(Rows bases, Rows exponents) {
        Calls.same("bases", bases, "exponents", exponents);
        int wide = Math.max(width, bases.width);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 8.0 * exponents.width * bases.count, wide == width ? 0 : wide)) {
            long out = scratch.reserve(wide);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long basesAt = bases.place(scratch, wide);
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(bases.flags(null, Status.NEGATIVE_BASE),
                    Status.NEGATIVE_EXPONENT));
            session.check(scratch, Library.get().modulusPowProduct(address, out, wide, basesAt, exponentsAt,
                    exponents.width, bases.count, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, wide);
        } finally {
            handle.release();
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
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code bad_plan}, {@code interrupted}
     */
    public Results powProductList(Rows bases, Rows exponents, int[] ends) {
        return powProductList(bases, exponents, ends, null);
    }

    /**
     * As {@link #powProductList(Rows, Rows, int[])}, into a buffer.
     *
     * @param bases the bases of all products, one product after the other
     * @param exponents as many
     * @param ends for each product the place after its last power; a product may have none
     * @param out room for as many rows; null for a new buffer
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public Results powProductList(Rows bases, Rows exponents, int[] ends, ByteBuffer out) {
        Calls.same("bases", bases, "exponents", exponents);
        long[] allEnds = Calls.ends(ends, bases.count);
        int wide = Math.max(width, bases.width);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 8.0 * exponents.width * bases.count, wide == width ? 0 : wide)) {
            Calls.Output output = new Calls.Output(scratch, out, ends.length, width, wide);
            long basesAt = bases.place(scratch, wide);
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(bases.flags(null, Status.NEGATIVE_BASE),
                    Status.NEGATIVE_EXPONENT));
            long endsAt = scratch.longs(allEnds);
            session.check(scratch, Library.get().modulusPowProductList(address, output.address, basesAt, exponentsAt,
                    exponents.width, bases.count, endsAt, ends.length, output.status, signs, session.options,
                    scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            handle.release();
            bases.keep();
            exponents.keep();
        }
    }

    /**
     * Returns the inverse of values[i] for each i; about a hundred share one inversion.
     *
     * @param values any numbers; one without an inverse has the error {@code not_invertible}
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws PingalaException {@code interrupted}
     */
    public Results invertList(Rows values) {
        return invertList(values, null);
    }

    /**
     * As {@link #invertList(Rows)}, into a buffer.
     *
     * @param values any numbers; one without an inverse has the error {@code not_invertible}
     * @param out room for as many rows; null for a new buffer
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public Results invertList(Rows values, ByteBuffer out) {
        int wide = Math.max(width, values.width);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 30.0 * values.count, wide == width ? 0 : wide)) {
            Calls.Output output = new Calls.Output(scratch, out, values.count, width, wide);
            long valuesAt = values.place(scratch, wide);
            long signs = scratch.flags(values.flags(null, Status.NEGATIVE_BASE));
            session.check(scratch, Library.get().modulusInvertList(address, output.address, valuesAt, values.count,
                    output.status, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            handle.release();
            values.keep();
        }
    }

    /**
     * Returns a[i] b[i] modulo the modulus for each i.
     *
     * @param a any numbers
     * @param b as many
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code bad_plan}, {@code interrupted}
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
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public Results multiplyList(Rows a, Rows b, ByteBuffer out) {
        Calls.same("a", a, "b", b);
        int wide = Math.max(Math.max(width, a.width), b.width);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 3.0 * a.count, wide == width ? 0 : wide)) {
            Calls.Output output = new Calls.Output(scratch, out, a.count, width, wide);
            long aAt = a.place(scratch, wide);
            long bAt = b.place(scratch, wide);
            long signs = scratch.flags(b.flags(a.flags(null, Status.NEGATIVE_BASE), Status.NEGATIVE_EXPONENT));
            session.check(scratch, Library.get().modulusMulList(address, output.address, aAt, bAt, a.count,
                    output.status, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            handle.release();
            a.keep();
            b.keep();
        }
    }

    /**
     * Returns values[i]^2 modulo the modulus for each i.
     *
     * @param values any numbers
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws PingalaException {@code bad_plan}, {@code interrupted}
     */
    public Results squareList(Rows values) {
        return squareList(values, null);
    }

    /**
     * As {@link #squareList(Rows)}, into a buffer.
     *
     * @param values any numbers
     * @param out room for as many rows; null for a new buffer
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public Results squareList(Rows values, ByteBuffer out) {
        int wide = Math.max(width, values.width);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 3.0 * values.count, wide == width ? 0 : wide)) {
            Calls.Output output = new Calls.Output(scratch, out, values.count, width, wide);
            long valuesAt = values.place(scratch, wide);
            long signs = scratch.flags(values.flags(null, Status.NEGATIVE_BASE));
            session.check(scratch, Library.get().modulusSquareList(address, output.address, valuesAt, values.count,
                    output.status, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            handle.release();
            values.keep();
        }
    }

    /**
     * Returns the product of all values modulo the modulus; 1 modulo it for none.
     *
     * @param values any numbers
     * @return the result, 0 or more
     * @throws PingalaException {@code bad_plan}, {@code interrupted}
     */
    public BigInteger product(Rows values) {
        int wide = Math.max(width, values.width);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 3.0 * values.count, wide == width ? 0 : wide)) {
            long out = scratch.reserve(wide);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long valuesAt = values.place(scratch, wide);
            long signs = scratch.flags(values.flags(null, Status.NEGATIVE_BASE));
            session.check(scratch, Library.get().modulusProduct(address, out, wide, valuesAt, values.count, signs,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, wide);
        } finally {
            handle.release();
            values.keep();
        }
    }

    /**
     * Returns the product of values[0] to values[i] modulo the modulus for each i, on one thread.
     *
     * @param values any numbers
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws PingalaException {@code bad_plan}, {@code interrupted}
     */
    public Results runningProduct(Rows values) {
        return runningProduct(values, null);
    }

    /**
     * As {@link #runningProduct(Rows)}, into a buffer.
     *
     * @param values any numbers
     * @param out room for as many rows; null for a new buffer
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public Results runningProduct(Rows values, ByteBuffer out) {
        int wide = Math.max(width, values.width);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 3.0 * values.count, wide == width ? 0 : wide)) {
            Calls.Output output = new Calls.Output(scratch, out, values.count, width, wide);
            long valuesAt = values.place(scratch, wide);
            long signs = scratch.flags(values.flags(null, Status.NEGATIVE_BASE));
            session.check(scratch, Library.get().modulusRunningProduct(address, output.address, valuesAt, values.count,
                    output.status, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            handle.release();
            values.keep();
        }
    }

    /**
     * Returns base^(2^squarings) by successive squarings, whose state a file may keep.
     *
     * @param base any number
     * @param squarings 0 or more
     * @param checkpoint where the state is kept; {@link Checkpoint#NONE} for nowhere
     * @return the result, 0 or more
     * @throws PingalaException {@code too_long}, {@code bad_plan}, {@code bad_file}, {@code interrupted}
     */
    public BigInteger repeatedSquare(BigInteger base, long squarings, Checkpoint checkpoint) {
        Calls.notNegative("squarings", squarings);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, squarings)) {
            long out = scratch.reserve(width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long baseAt = scratch.number(base);
            int baseLength = scratch.length;
            long checkpointAt = scratch.text(checkpoint.path);
            session.check(scratch, Library.get().modulusRepeatedSquare(address, out, width, baseAt, baseLength,
                    squarings, Calls.sign(base, Status.NEGATIVE_BASE), checkpointAt, checkpoint.everyMilliseconds,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, width);
        } finally {
            handle.release();
        }
    }

    /**
     * Returns the plan of a power, and why it is chosen.
     *
     * @param format how
     * @param base any number
     * @param exponent any number
     * @return the plan
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code too_long}, {@code bad_plan}
     */
    public String explain(Format format, BigInteger base, BigInteger exponent) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            long baseAt = scratch.number(base);
            int baseLength = scratch.length;
            long exponentAt = scratch.number(exponent);
            int exponentLength = scratch.length;
            return Calls.text(scratch, (text, textLength, needed) -> Library.get().modulusExplain(address, text,
                    textLength, needed, format.ordinal(), baseAt, baseLength, exponentAt, exponentLength,
                    Calls.sign(base, Status.NEGATIVE_BASE) | Calls.sign(exponent, Status.NEGATIVE_EXPONENT),
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            handle.release();
        }
    }

    /**
     * Returns the plan of a list of powers.
     *
     * @param bases any numbers
     * @param exponents as many
     * @return the plan
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code too_long}, {@code bad_plan}
     */
    public String planList(Rows bases, Rows exponents) {
        Calls.same("bases", bases, "exponents", exponents);
        int wide = Math.max(width, bases.width);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0, wide == width ? 0 : wide)) {
            long basesAt = bases.place(scratch, wide);
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(bases.flags(null, Status.NEGATIVE_BASE),
                    Status.NEGATIVE_EXPONENT));
            return Calls.text(scratch, (text, textLength, needed) -> Library.get().modulusPlanList(address, text,
                    textLength, needed, basesAt, exponentsAt, exponents.width, bases.count, signs, session.options,
                    scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            handle.release();
            bases.keep();
            exponents.keep();
        }
    }

    /**
     * Returns the plan of powers of one base, and why it is chosen.
     *
     * @param format how
     * @param exponents any numbers
     * @return the plan
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code too_long}, {@code bad_plan}
     */
    public String explainExponents(Format format, Rows exponents) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(null, Status.NEGATIVE_EXPONENT));
            return Calls.text(scratch, (text, textLength, needed) -> Library.get().modulusExplainExpList(address, text,
                    textLength, needed, format.ordinal(), exponentsAt, exponents.width, exponents.count, signs,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            handle.release();
            exponents.keep();
        }
    }

    /**
     * Returns the plan of powers with one exponent, and why it is chosen.
     *
     * @param format how
     * @param bases the bases, 0 or more
     * @param exponent any number
     * @return the plan
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code too_long}, {@code bad_plan}
     */
    public String explainBases(Format format, Rows bases, BigInteger exponent) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            long exponentAt = scratch.number(exponent);
            int exponentLength = scratch.length;
            long basesAt = bases.place(scratch, bases.width);
            return Calls.text(scratch, (text, textLength, needed) -> Library.get().modulusExplainBaseList(address, text,
                    textLength, needed, format.ordinal(), basesAt, bases.width, bases.count, exponentAt, exponentLength,
                    Calls.sign(exponent, Status.NEGATIVE_EXPONENT), session.options, scratch.why(),
                    Scratch.WHY_LENGTH));
        } finally {
            handle.release();
            bases.keep();
        }
    }

    /**
     * Returns the plan of a product of powers, and why it is chosen.
     *
     * @param format how
     * @param exponents any numbers
     * @return the plan
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code too_long}, {@code bad_plan}
     */
    public String explainProduct(Format format, Rows exponents) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(null, Status.NEGATIVE_EXPONENT));
            return Calls.text(scratch, (text, textLength, needed) -> Library.get().modulusExplainProduct(address, text,
                    textLength, needed, format.ordinal(), exponentsAt, exponents.width, exponents.count, signs,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            handle.release();
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
     * @return the plan
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code too_long}, {@code bad_plan}
     */
    public String explainProductList(Format format, Rows bases, Rows exponents, int[] ends) {
        Calls.same("bases", bases, "exponents", exponents);
        long[] allEnds = Calls.ends(ends, bases.count);
        int wide = Math.max(width, bases.width);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0, wide == width ? 0 : wide)) {
            long basesAt = bases.place(scratch, wide);
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(bases.flags(null, Status.NEGATIVE_BASE),
                    Status.NEGATIVE_EXPONENT));
            long endsAt = scratch.longs(allEnds);
            return Calls.text(scratch, (text, textLength, needed) -> format == Format.PLAN ?
                    Library.get().modulusPlanProductList(address, text, textLength, needed, basesAt, exponentsAt,
                    exponents.width, bases.count, endsAt, ends.length, signs, session.options, scratch.why(),
                    Scratch.WHY_LENGTH) : Library.get().modulusExplainProductList(address, text, textLength, needed,
                    format.ordinal(), basesAt, exponentsAt, exponents.width, bases.count, endsAt, ends.length, signs,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            handle.release();
            bases.keep();
            exponents.keep();
        }
    }

    /**
     * Returns the plan of a repeated squaring, and why it is chosen.
     *
     * @param format how
     * @param squarings 0 or more
     * @return the plan
     * @throws PingalaException {@code too_long}, {@code bad_plan}
     */
    public String explainRepeatedSquare(Format format, long squarings) {
        Calls.notNegative("squarings", squarings);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            return Calls.text(scratch, (text, textLength, needed) -> Library.get().modulusExplainRepeatedSquare(address,
                    text, textLength, needed, format.ordinal(), squarings, session.options, scratch.why(),
                    Scratch.WHY_LENGTH));
        } finally {
            handle.release();
        }
    }

    /**
     * Returns the plan of the table of a base, and why it is chosen, without the table.
     *
     * @param format how
     * @param base any number
     * @param table what the table is for
     * @return the plan
     * @throws PingalaException {@code too_long}, {@code bad_plan}
     */
    public String explainFixedBase(Format format, BigInteger base, FixedBase.Table table) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            long baseAt = scratch.number(base);
            int baseLength = scratch.length;
            return Calls.text(scratch, (text, textLength, needed) -> Library.get().fixedBaseExplain(address, text,
                    textLength, needed, format.ordinal(), baseAt, baseLength, Calls.sign(base, Status.NEGATIVE_BASE),
                    table.exponentBits, table.memoryBytes, table.powers, table.kind, session.options, scratch.why(),
                    Scratch.WHY_LENGTH));
        } finally {
            handle.release();
        }
    }

    /**
     * Returns a square root of a modulo a modulus whose factors, by which it was made, are primes; without factors it
     * is a prime itself.
     *
     * @param a any number that is a square; not a secret
     * @return the result, 0 or more
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public BigInteger sqrt(BigInteger a) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 2.0 * bits)) {
            long out = scratch.reserve(width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long aAt = scratch.number(a);
            int aLength = scratch.length;
            session.check(scratch, Library.get().modulusSqrt(address, out, width, aAt, aLength,
                    Calls.sign(a, Status.NEGATIVE_BASE), session.options, scratch.why(), Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, width);
        } finally {
            handle.release();
        }
    }

    /**
     * Returns all square roots of a, in order.
     *
     * @param a any number; not a secret
     * @param most more roots are the error {@code bad_argument}
     * @return the numbers in order; none if there are none
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public Results sqrtAll(BigInteger a, long most) {
        Calls.notNegative("most", most);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 2.0 * bits)) {
            long aAt = scratch.number(a);
            int aLength = scratch.length;
            return Calls.some(scratch, session, width, 64L * width, (out, room, needed) ->
                    Library.get().modulusSqrtAll(address, out, room, width, needed, aAt, aLength, most,
                    Calls.sign(a, Status.NEGATIVE_BASE), session.options, scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            handle.release();
        }
    }

    /**
     * Returns base^(2^squarings) with Wesolowski's proof.
     *
     * @param base prime to the modulus, which is odd
     * @param squarings 0 or more
     * @param checkpoint where the state is kept; {@link Checkpoint#NONE} for nowhere
     * @param memoryBytes about how much memory the call takes; 0 for the default
     * @return the result, and the number that proves it
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code bad_file}, {@code interrupted}
     */
    public ProvedSquaring proveSquaring(BigInteger base, long squarings, Checkpoint checkpoint, long memoryBytes) {
        Calls.notNegative("squarings", squarings);
        Calls.notNegative("memoryBytes", memoryBytes);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, squarings)) {
            long both = scratch.reserve(2L * width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long baseAt = scratch.number(base);
            int baseLength = scratch.length;
            long checkpointAt = scratch.text(checkpoint.path);
            session.check(scratch, Library.get().modulusProveSquaring(address, both, width, both + width, width, baseAt,
                    baseLength, squarings, Calls.sign(base, Status.NEGATIVE_BASE), checkpointAt,
                    checkpoint.everyMilliseconds, memoryBytes, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return new ProvedSquaring(Scratch.result(outBytes, outPlace, width),
                    Scratch.result(outBytes, outPlace + width, width));
        } finally {
            handle.release();
        }
    }

    /**
     * Returns whether a proof shows that the result is base^(2^squarings).
     *
     * @param base any number
     * @param squarings 0 or more
     * @param proved the result, and the number that proves it; no proof holds modulo a number below 1024 bits
     * @return whether it holds
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public boolean verifySquaring(BigInteger base, long squarings, ProvedSquaring proved) {
        if (proved.result().signum() < 0) {
            return false;
        }
        if (proved.proof().signum() < 0) {
            return false;
        }
        Calls.notNegative("squarings", squarings);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 1.0 * bits)) {
            long out = scratch.reserve(4);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long baseAt = scratch.number(base);
            int baseLength = scratch.length;
            long resultAt = scratch.number(proved.result());
            int resultLength = scratch.length;
            long proofAt = scratch.number(proved.proof());
            int proofLength = scratch.length;
            session.check(scratch, Library.get().modulusVerifySquaring(address, out, baseAt, baseLength, squarings,
                    Calls.sign(base, Status.NEGATIVE_BASE), resultAt, resultLength, proofAt, proofLength,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
            return outBytes.getInt(outPlace) == 1;
        } finally {
            handle.release();
        }
    }

    /**
     * Returns whether proofs[i] shows that results[i] is bases[i]^(2^squarings) for each i; the powers are computed
     * side by side.
     *
     * @param bases any numbers
     * @param squarings 0 or more
     * @param results as many; none that is negative, or not below the modulus, holds
     * @param proofs as many: the numbers that prove them
     * @return for each whether it holds
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public boolean[] verifySquaringList(Rows bases, long squarings, Rows results, Rows proofs) {
        Calls.notNegative("squarings", squarings);
        Calls.same("bases", bases, "results", results);
        Calls.same("bases", bases, "proofs", proofs);
        Calls.notNegative("proofs", proofs);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 1.0 * bits * bases.count)) {
            long out = scratch.reserve(bases.count);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long basesAt = bases.place(scratch, bases.width);
            long resultsAt = results.place(scratch, results.width);
            long proofsAt = proofs.place(scratch, proofs.width);
            long signs = scratch.flags(results.flags(bases.flags(null, Status.NEGATIVE_BASE),
                    Status.NEGATIVE_EXPONENT));
            session.check(scratch, Library.get().modulusVerifySquaringList(address, out, basesAt, bases.width,
                    squarings, resultsAt, results.width, proofsAt, proofs.width, bases.count, signs, session.options,
                    scratch.why(), Scratch.WHY_LENGTH));
            return Calls.truths(outBytes, outPlace, bases.count);
        } finally {
            handle.release();
            bases.keep();
            results.keep();
            proofs.keep();
        }
    }
}
