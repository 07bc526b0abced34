package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/** The powers with a fixed exponent modulo a number. It never changes; closing is as of {@link Modulus}. */
public final class FixedPower implements AutoCloseable {
    private final Handle handle;
    private final Options options;
    private final int bits;
    private final int width;
    private final int exponentBits;

    FixedPower(Handle handle, Modulus modulus, int exponentBits) {
        this.handle = handle;
        options = modulus.options;
        bits = modulus.bits;
        width = modulus.width;
        this.exponentBits = exponentBits;
    }

    /** Frees the planned power. A second call does nothing. */
    @Override
    public void close() {
        handle.close();
    }

    /**
     * Raises a number to the power by the chain.
     *
     * @param base any number
     * @return the power
     * @throws PingalaException {@code interrupted}
     */
    public BigInteger pow(BigInteger base) {
        long power = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, exponentBits)) {
            long b = scratch.number(base);
            int baseLength = scratch.length;
            long out = scratch.reserve(width);
            session.check(
                    scratch,
                    Library.get().fixedPowerPow(
                            power, out, width, b, baseLength, Calls.sign(base, Status.NEGATIVE_BASE), session.options, scratch.why(),
                            Scratch.WHY_LENGTH));
            return scratch.result(width);
        } finally {
            handle.release();
        }
    }

    /**
     * Raises numbers to the power, several at a time if the processor can.
     *
     * @param bases any numbers
     * @return the powers
     * @throws PingalaException {@code interrupted}
     */
    public Results powList(Rows bases) {
        return powList(bases, null);
    }

    /**
     * As {@link #powList(Rows)}, into a buffer.
     *
     * @param bases any numbers
     * @param out room for as many rows; null for a new buffer
     * @return the powers
     */
    public Results powList(Rows bases, ByteBuffer out) {
        int wide = Math.max(width, bases.width);
        long power = handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, (double) exponentBits * bases.count, wide == width ? 0 : wide)) {
            Calls.Output output = new Calls.Output(scratch, out, bases.count, width, wide);
            long b = bases.place(scratch, wide);
            long signs = scratch.flags(bases.flags(null, Status.NEGATIVE_BASE));
            session.check(
                    scratch,
                    Library.get().fixedPowerPowList(
                            power, output.address, b, bases.count, output.status, signs, session.options, scratch.why(),
                            Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            handle.release();
            bases.keep();
        }
    }
}
