package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Memory outside the heap for the arguments and results of one call. Blocks are kept for later calls; long numbers get their own. */
final class Scratch implements AutoCloseable {
    /** Room for a message. */
    static final int WHY_LENGTH = 512;

    private static final int BLOCK_BYTES = 1 << 14;
    private static final int KEPT = 64;
    private static final AtomicReferenceArray<Scratch> POOL = new AtomicReferenceArray<>(KEPT);

    private final Native library = Library.get();
    private final long block;
    private final ByteBuffer blockBytes;
    private int used;
    private long[] others = new long[8];
    private ByteBuffer[] otherBytes = new ByteBuffer[8];
    private int otherCount;
    private boolean secret;

    /** The memory that was reserved last: a buffer, and where the memory begins in it. */
    ByteBuffer bytes;

    int at;

    /** The length of the number that was placed last. */
    int length;

    private Scratch() {
        block = library.allocate(BLOCK_BYTES);
        if (block == 0) {
            throw new OutOfMemoryError("no memory outside the heap");
        }
        blockBytes = library.view(block, BLOCK_BYTES).order(ByteOrder.nativeOrder());
    }

    private static int slot() {
        return (int) Thread.currentThread().getId() & (KEPT - 1);
    }

    static Scratch open() {
        Scratch kept = POOL.getAndSet(slot(), null);
        Scratch scratch = kept == null ? new Scratch() : kept;
        scratch.used = WHY_LENGTH;
        scratch.blockBytes.put(0, (byte) 0);
        return scratch;
    }

    /** A scratch whose memory is set to zeros when it is closed. */
    static Scratch openSecret() {
        Scratch scratch = open();
        scratch.secret = true;
        return scratch;
    }

    @Override
    public void close() {
        for (int i = 0; i < otherCount; i++) {
            if (secret) {
                wipe(otherBytes[i]);
            }
            library.free(others[i]);
            otherBytes[i] = null;
        }
        otherCount = 0;
        bytes = null;
        if (secret) {
            wipe(blockBytes);
            secret = false;
        }
        Scratch other = POOL.getAndSet(slot(), this);
        if (other != null) {
            library.free(other.block);
        }
    }

    private static void wipe(ByteBuffer bytes) {
        for (int i = 0; i < bytes.capacity(); i++) {
            bytes.put(i, (byte) 0);
        }
    }

    /** Reserves memory, at a multiple of 8, and returns its address. */
    long reserve(long count) {
        if (count > Integer.MAX_VALUE - 16) {
            throw new IllegalArgumentException(count + " bytes of rows: expected at most 2^31 - 17; split the list");
        }
        if (count <= BLOCK_BYTES - used) {
            bytes = blockBytes;
            at = used;
            used += ((int) count + 7) & -8;
            return block + at;
        }
        if (otherCount == others.length) {
            others = java.util.Arrays.copyOf(others, 2 * otherCount);
            otherBytes = java.util.Arrays.copyOf(otherBytes, 2 * otherCount);
        }
        long address = library.allocate(count);
        if (address == 0) {
            throw new OutOfMemoryError("no memory outside the heap for " + count + " bytes");
        }
        bytes = library.view(address, count).order(ByteOrder.nativeOrder());
        at = 0;
        others[otherCount] = address;
        otherBytes[otherCount++] = bytes;
        return address;
    }

    /** Places the magnitude of a number without leading zeros; {@link #length} is its length. */
    long number(BigInteger number) {
        byte[] magnitude = (number.signum() < 0 ? number.negate() : number).toByteArray();
        int skip = magnitude[0] == 0 ? 1 : 0;
        length = magnitude.length - skip;
        long address = reserve(length);
        bytes.position(at);
        bytes.put(magnitude, skip, length);
        if (secret) {
            java.util.Arrays.fill(magnitude, (byte) 0);
        }
        return address;
    }

    /** Places bytes. */
    long array(byte[] array) {
        length = array.length;
        long address = reserve(length);
        bytes.position(at);
        bytes.put(array);
        return address;
    }

    /** Places a text with a zero byte at its end; 0 for null. */
    long text(String text) {
        if (text == null) {
            return 0;
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the text has a zero character");
        }
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        return array(java.util.Arrays.copyOf(encoded, encoded.length + 1));
    }

    long ints(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        long address = reserve(4L * numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            bytes.putInt(at + 4 * i, numbers[i]);
        }
        return address;
    }

    long longs(long[] numbers) {
        long address = reserve(8L * numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            bytes.putLong(at + 8 * i, numbers[i]);
        }
        return address;
    }

    /** Flags; 0 for none. */
    long flags(byte[] flags) {
        return flags == null ? 0 : array(flags);
    }

    /** The number in bytes of the memory that was reserved last. */
    BigInteger result(int width) {
        return result(bytes, at, width);
    }

    static BigInteger result(ByteBuffer bytes, int at, int width) {
        byte[] number = new byte[width];
        bytes.position(at);
        bytes.get(number);
        BigInteger result = new BigInteger(1, number);
        // It may be secret, and a short fill costs nothing beside the call.
        java.util.Arrays.fill(number, (byte) 0);
        return result;
    }

    /** Where the library writes its message, in {@link #WHY_LENGTH} bytes. */
    long why() {
        return block;
    }

    String message() {
        byte[] text = new byte[WHY_LENGTH];
        int length = 0;
        for (byte b; length < WHY_LENGTH && (b = blockBytes.get(length)) != 0; length++) {
            text[length] = b;
        }
        return new String(text, 0, length, StandardCharsets.UTF_8);
    }

    /** Throws the exception of a call that failed. */
    void check(int status) {
        if (status != Status.OK) {
            throw Status.failure(status, message());
        }
    }
}
