// Generated from border/ and pingala.h by tools/border/java (make border); do not edit.
package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The calls of a table. */
abstract class FixedBaseCalls extends Subject {
    FixedBaseCalls(Handle handle, Options options, int bits) {
        super(handle, options, bits);
    }

    /**
     * Returns the base of the table to this exponent.
     *
     * @param exponent any number that is no longer than the table allows
     * @return the result, 0 or more
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code too_long}, {@code bad_plan}
     */
    public BigInteger pow(BigInteger exponent) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, Calls.products(exponent))) {
            long out = scratch.reserve(width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long exponentAt = scratch.number(exponent);
            int exponentLength = scratch.length;
            session.check(scratch, Library.get().fixedBasePow(address, out, width, exponentAt, exponentLength,
                    Calls.sign(exponent, Status.NEGATIVE_EXPONENT), session.options, scratch.why(),
                    Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, width);
        } finally {
            handle.release();
        }
    }

    /**
     * Returns the base of the table to exponents[i] for each i.
     *
     * @param exponents any numbers; an element with a longer one than the table allows has the error {@code too_long}
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws PingalaException {@code too_long}, {@code bad_plan}, {@code interrupted}
     */
    public Results powList(Rows exponents) {
        return powList(exponents, null);
    }

    /**
     * As {@link #powList(Rows)}, into a buffer.
     *
     * @param exponents any numbers; an element with a longer one than the table allows has the error {@code too_long}
     * @param out room for as many rows; null for a new buffer
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public Results powList(Rows exponents, ByteBuffer out) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 8.0 * exponents.width * exponents.count)) {
            Calls.Output output = new Calls.Output(scratch, out, exponents.count, width, width);
            long exponentsAt = exponents.place(scratch, exponents.width);
            long signs = scratch.flags(exponents.flags(null, Status.NEGATIVE_EXPONENT));
            session.check(scratch, Library.get().fixedBasePowList(address, output.address, exponentsAt, exponents.width,
                    exponents.count, output.status, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            handle.release();
            exponents.keep();
        }
    }

    /**
     * Writes the table to a file that every binding reads.
     *
     * @param path the file
     * @throws PingalaException {@code bad_file}
     */
    public void save(Path path) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open()) {
            long pathAt = scratch.text(path.toString());
            scratch.check(Library.get().fixedBaseSave(address, pathAt, scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            handle.release();
        }
    }
}
