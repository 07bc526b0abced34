package org.pingala;

import java.lang.ref.Reference;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A secret exponent outside the heap, with a declared width, which is public. Its memory is set to zeros when it is closed, or when nothing
 * refers to it. Any threads may use one at the same time.
 */
public final class SecretExponent implements AutoCloseable {
    private final Handle handle;
    private final int length;
    private final int bits;

    private SecretExponent(byte[] value, int bits) {
        if (bits < 1) {
            throw new IllegalArgumentException("a declared width of " + bits + " bits: expected 1 or more");
        }
        Native library = Library.get();
        int length = Calls.bytes(bits);
        int excess = Math.max(0, value.length - length);
        int above = 0;
        for (int i = 0; i < excess; i++) {
            above |= value[i];
        }
        if (value.length >= length && bits % 8 != 0) {
            above |= (value[excess] & 0xff) >> (bits % 8);
        }
        if (above != 0) {
            throw new PingalaException("bad_secret", -1, "the exponent is wider than declared");
        }
        long address = library.allocate(length);
        if (address == 0) {
            throw new OutOfMemoryError("no memory outside the heap");
        }
        ByteBuffer bytes = library.view(address, length);
        for (int i = 0; i < length; i++) {
            int from = i + value.length - length;
            bytes.put(i, from < 0 ? 0 : value[from]);
        }
        this.length = length;
        this.bits = bits;
        handle = new Handle(address, a -> wipe(a, length));
    }

    private static void wipe(long address, int length) {
        ByteBuffer bytes = Library.get().view(address, length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) 0);
        }
        Library.get().free(address);
    }

    /**
     * Makes a secret exponent. The array is copied; the caller wipes it.
     *
     * @param value unsigned, most significant byte first
     * @param bits the declared width; the number has at most as many bits
     * @return the exponent
     * @throws PingalaException {@code bad_secret} if the number is wider than declared
     */
    public static SecretExponent of(byte[] value, int bits) {
        return new SecretExponent(value, bits);
    }

    /**
     * Makes a secret exponent. A BigInteger stays in the heap, and its length shows there.
     *
     * @param value 0 or more
     * @param bits the declared width; the number has at most as many bits
     * @return the exponent
     * @throws PingalaException {@code bad_secret} if the number is wider than declared
     */
    public static SecretExponent of(BigInteger value, int bits) {
        if (value.signum() < 0) {
            throw new IllegalArgumentException("a negative secret exponent: expected 0 or more");
        }
        byte[] bytes = value.toByteArray();
        try {
            return new SecretExponent(bytes, bits);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** The magnitude of a number, at least so wide: wider ones as a multiple of 64 bits. All copies of the number are wiped. */
    static SecretExponent ofMagnitude(BigInteger number, int leastBits) {
        byte[] bytes = number.toByteArray();
        try {
            if (number.signum() < 0) {
                // The two's complement, whose highest bit counts: no BigInteger is made of it.
                int carry = 1;
                for (int i = bytes.length - 1; i >= 0; i--) {
                    carry += ~bytes[i] & 0xff;
                    bytes[i] = (byte) carry;
                    carry >>= 8;
                }
            }
            int bits = 8 * bytes.length;
            for (int i = 0; i < bytes.length && bytes[i] == 0; i++) {
                bits -= 8;
            }
            if (bits > 0) {
                bits -= Integer.numberOfLeadingZeros(bytes[bytes.length - (bits + 7) / 8] & 0xff) - 24;
            }
            return new SecretExponent(bytes, Math.max(leastBits, bits + 63 & -64));
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /**
     * Returns the declared width.
     *
     * @return in bits
     */
    public int bits() {
        return bits;
    }

    /**
     * Returns the declared width.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        return "<SecretExponent of " + bits + " bits>";
    }

    /** Wipes the exponent. A second call does nothing. */
    @Override
    public void close() {
        handle.close();
    }

    /** The exponent in use by a call. */
    Use use() {
        return new Use(handle, handle.acquire(), length);
    }

    static final class Use implements AutoCloseable {
        final long address;
        final int length;
        private final Handle handle;

        private Use(Handle handle, long address, int length) {
            this.handle = handle;
            this.address = address;
            this.length = length;
        }

        @Override
        public void close() {
            handle.release();
            Reference.reachabilityFence(handle);
        }
    }

    /** Checks what is declared of a list of secret exponents. */
    static void declared(Rows exponents, int bits) {
        if (bits < 1) {
            throw new IllegalArgumentException("a declared width of " + bits + " bits: expected 1 or more");
        }
        if (exponents.flags(null, Status.NEGATIVE_EXPONENT) != null) {
            throw new IllegalArgumentException("a negative secret exponent: expected 0 or more");
        }
    }
}
