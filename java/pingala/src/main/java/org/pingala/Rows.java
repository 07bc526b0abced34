package org.pingala;

import java.lang.ref.Reference;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * A list of numbers, as calls take it: objects, arrays, or rows of one width in a buffer. The numbers of arrays and rows are unsigned bytes,
 * most significant first, with any number of zeros on top. A direct buffer and a native memory segment are read in place, without an object
 * or a copy for an element. Nothing is copied when a list is made: what it was made of must not
 * change during a call.
 */
public abstract class Rows {
    final int count;
    final int width;

    Rows(int count, int width) {
        this.count = count;
        this.width = Math.max(1, width);
    }

    /**
     * Returns a list of numbers, which may be negative where a call allows it.
     *
     * @param numbers the numbers, none of them null
     * @return the list
     */
    public static Rows of(List<BigInteger> numbers) {
        BigInteger[] all = numbers.toArray(new BigInteger[0]);
        int bits = 0;
        boolean negative = false;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == null) {
                throw new NullPointerException("element " + i + " is null");
            }
            bits = Math.max(bits, all[i].signum() < 0 ? all[i].negate().bitLength() : all[i].bitLength());
            negative |= all[i].signum() < 0;
        }
        return new Numbers(all, bits / 8 + (bits % 8 == 0 ? 0 : 1), negative);
    }

    /**
     * Returns a list of numbers.
     *
     * @param numbers the numbers
     * @return the list
     */
    public static Rows of(BigInteger... numbers) {
        return of(List.of(numbers));
    }

    /**
     * Returns a list of unsigned numbers in arrays, which may differ in length.
     *
     * @param numbers the arrays, none of them null
     * @return the list
     */
    public static Rows of(byte[][] numbers) {
        int width = 0;
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == null) {
                throw new NullPointerException("element " + i + " is null");
            }
            width = Math.max(width, numbers[i].length);
        }
        return new Arrays(numbers, width);
    }

    /**
     * Returns the rows from the position of a buffer to its limit.
     *
     * @param rows the buffer; its position does not change
     * @param width bytes of a row, 1 or more
     * @return the list
     * @throws IllegalArgumentException if the buffer does not end with a row
     */
    public static Rows of(ByteBuffer rows, int width) {
        if (width < 1) {
            throw new IllegalArgumentException("rows of " + width + " bytes: expected 1 or more");
        }
        if (rows.remaining() % width != 0) {
            throw new IllegalArgumentException(rows.remaining() + " bytes are not whole rows of " + width + " bytes");
        }
        return new Buffer(rows.slice(), rows.remaining() / width, width);
    }

    /**
     * Returns the rows of an array.
     *
     * @param rows the array
     * @param width bytes of a row, 1 or more
     * @return the list
     */
    public static Rows of(byte[] rows, int width) {
        return of(ByteBuffer.wrap(rows), width);
    }

    /**
     * Returns the rows of a {@code java.lang.foreign.MemorySegment}, from Java 22 on; the class does not exist in older ones, so that this one
     * cannot name it. A native segment may have more than 2^31 bytes. Its arena must stay open during a call.
     *
     * @param segment the segment
     * @param width bytes of a row, 1 or more
     * @return the list
     * @throws IllegalArgumentException if it is no segment, or does not end with a row, or has more than 2^31 - 1 rows
     * @throws UnsupportedOperationException if this Java is older, or the jar was built by an older one
     */
    public static Rows ofSegment(Object segment, int width) {
        Objects.requireNonNull(segment, "segment");
        if (width < 1) {
            throw new IllegalArgumentException("rows of " + width + " bytes: expected 1 or more");
        }
        return Segments.rows(segment, width);
    }

    /**
     * Returns how many numbers there are.
     *
     * @return 0 or more
     */
    public int count() {
        return count;
    }

    /**
     * Returns the bytes of the longest number or, of rows in a buffer, of each row.
     *
     * @return 1 or more
     */
    public int width() {
        return width;
    }

    /** The address of the rows as wide as {@code wide}, which is at least {@link #width}. */
    long place(Scratch scratch, int wide) {
        long address = scratch.reserve((long) count * wide);
        ByteBuffer to = scratch.bytes;
        int at = scratch.at;
        for (int i = 0; i < count; i++, at += wide) {
            write(i, to, at, wide);
        }
        return address;
    }

    /** Writes a number into a row. */
    abstract void write(int index, ByteBuffer to, int at, int wide);

    /** Flags of the negative numbers in an array of flags, which is made if it is null and there are any. */
    byte[] flags(byte[] flags, int flag) {
        return flags;
    }

    /** Keeps the memory of the rows until here. */
    void keep() {
        Reference.reachabilityFence(this);
    }

    private static void row(byte[] number, int skip, ByteBuffer to, int at, int wide) {
        int length = number.length - skip;
        zeros(to, at, wide - length);
        to.position(at + wide - length);
        to.put(number, skip, length);
    }

    private static void zeros(ByteBuffer to, int at, int count) {
        for (int i = 0; i < count; i++) {
            to.put(at + i, (byte) 0);
        }
    }

    private static final class Numbers extends Rows {
        private final BigInteger[] numbers;
        private final boolean negative;

        Numbers(BigInteger[] numbers, int width, boolean negative) {
            super(numbers.length, width);
            this.numbers = numbers;
            this.negative = negative;
        }

        @Override
        void write(int index, ByteBuffer to, int at, int wide) {
            BigInteger number = numbers[index];
            byte[] magnitude = (number.signum() < 0 ? number.negate() : number).toByteArray();
            row(magnitude, magnitude[0] == 0 ? 1 : 0, to, at, wide);
            java.util.Arrays.fill(magnitude, (byte) 0); // it may be secret
        }

        @Override
        byte[] flags(byte[] flags, int flag) {
            if (!negative) {
                return flags;
            }
            byte[] all = flags == null ? new byte[count] : flags;
            for (int i = 0; i < count; i++) {
                all[i] = (byte) (all[i] | (numbers[i].signum() < 0 ? flag : 0));
            }
            return all;
        }
    }

    private static final class Arrays extends Rows {
        private final byte[][] numbers;

        Arrays(byte[][] numbers, int width) {
            super(numbers.length, width);
            this.numbers = numbers;
        }

        @Override
        void write(int index, ByteBuffer to, int at, int wide) {
            byte[] number = Objects.requireNonNull(numbers[index]);
            if (number.length > wide) {
                throw new IllegalArgumentException("element " + index + " has become longer");
            }
            row(number, 0, to, at, wide);
        }
    }

    private static final class Buffer extends Rows {
        private final ByteBuffer rows;

        Buffer(ByteBuffer rows, int count, int width) {
            super(count, width);
            this.rows = rows;
        }

        @Override
        long place(Scratch scratch, int wide) {
            if (wide != width) {
                return super.place(scratch, wide);
            }
            if (rows.isDirect()) {
                if (count > 0) {
                    rows.get(0); // throws if the arena of a segment is closed, or belongs to another thread
                }
                return Library.get().address(rows);
            }
            long address = scratch.reserve((long) count * width);
            scratch.bytes.position(scratch.at);
            scratch.bytes.put(rows.duplicate());
            return address;
        }

        @Override
        void write(int index, ByteBuffer to, int at, int wide) {
            zeros(to, at, wide - width);
            ByteBuffer row = rows.duplicate();
            row.position(index * width).limit((index + 1) * width);
            to.position(at + wide - width);
            to.put(row);
        }

        @Override
        void keep() {
            Reference.reachabilityFence(rows);
        }
    }

    /**
     * Returns how many numbers there are, and how long the longest may be.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        return "<Rows: " + count + " numbers of up to " + width + " bytes>";
    }
}
