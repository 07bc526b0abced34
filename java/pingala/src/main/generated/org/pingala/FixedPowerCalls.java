// Generated from border/ and pingala.h by tools/border/java (make border); do not edit.
package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/** The calls of a planned power. */
abstract class FixedPowerCalls extends Subject {
    /** The length of the exponent. */
    final int exponentBits;

    FixedPowerCalls(Handle handle, Options options, int bits, int exponentBits) {
        super(handle, options, bits);
        this.exponentBits = exponentBits;
    }

    /**
     * Returns base to the exponent of the chain.
     *
     * @param base any number
     * @return the result, 0 or more
     * @throws ArithmeticException "BigInteger not invertible."
     * @throws PingalaException {@code too_long}
     */
    public BigInteger pow(BigInteger base) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, (double) exponentBits)) {
            long out = scratch.reserve(width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long baseAt = scratch.number(base);
            int baseLength = scratch.length;
            session.check(scratch, Library.get().fixedPowerPow(address, out, width, baseAt, baseLength,
                    Calls.sign(base, Status.NEGATIVE_BASE), session.options, scratch.why(), Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, width);
        } finally {
            handle.release();
        }
    }

    /**
     * Returns bases[i] to the exponent of the chain for each i.
     *
     * @param bases any numbers
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws PingalaException {@code too_long}
     */
    public Results powList(Rows bases) {
        return powList(bases, null);
    }

    /**
     * As {@link #powList(Rows)}, into a buffer.
     *
     * @param bases any numbers
     * @param out room for as many rows; null for a new buffer
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public Results powList(Rows bases, ByteBuffer out) {
        int wide = Math.max(width, bases.width);
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, (double) exponentBits * bases.count, wide == width ? 0 : wide)) {
            Calls.Output output = new Calls.Output(scratch, out, bases.count, width, wide);
            long basesAt = bases.place(scratch, wide);
            long signs = scratch.flags(bases.flags(null, Status.NEGATIVE_BASE));
            session.check(scratch, Library.get().fixedPowerPowList(address, output.address, basesAt, bases.count,
                    output.status, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            handle.release();
            bases.keep();
        }
    }
}
