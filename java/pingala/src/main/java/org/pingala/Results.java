package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.RandomAccess;

/**
 * The results of a list call. An element may have an error, such as a base without an inverse, which does not affect the others:
 * {@link #get} throws it. {@link #check} throws the first one, if there is one.
 */
public final class Results extends AbstractList<BigInteger> implements RandomAccess {
    private final ByteBuffer rows;
    private final int count;
    private final int width;
    private final int[] status;

    Results(ByteBuffer rows, int count, int width, int[] status) {
        this.rows = rows;
        this.count = count;
        this.width = width;
        this.status = status;
    }

    /** The same results with errors of some elements, or with none if that is null. */
    Results with(int[] errors) {
        if (errors == null) {
            return this;
        }
        int[] both = errors.clone();
        for (int i = 0; status != null && i < count; i++) {
            both[i] = both[i] == Status.OK ? status[i] : both[i];
        }
        return new Results(rows, count, width, both);
    }

    @Override
    public int size() {
        return count;
    }

    /**
     * Returns a result.
     *
     * @param index its place
     * @return the number
     * @throws PingalaException if the element has an error; it names the place
     */
    @Override
    public BigInteger get(int index) {
        return new BigInteger(1, bytes(index));
    }

    /**
     * Returns a result as a row of {@link #width} bytes, most significant first.
     *
     * @param index its place
     * @return a new array
     * @throws PingalaException if the element has an error
     */
    public byte[] bytes(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("element " + index + " of " + count);
        }
        if (status != null && status[index] != Status.OK) {
            throw Status.failure(status[index], index);
        }
        byte[] row = new byte[width];
        ByteBuffer from = rows.duplicate();
        from.position(index * width);
        from.get(row);
        return row;
    }

    /**
     * Returns the code of the error of an element.
     *
     * @param index its place
     * @return a name such as {@code "not_invertible"}; null if the element has a result
     */
    public String error(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("element " + index + " of " + count);
        }
        return status == null || status[index] == Status.OK ? null : Status.name(status[index]);
    }

    /**
     * Throws the first error of an element.
     *
     * @return these results, if no element has an error
     * @throws PingalaException the first error
     */
    public Results check() {
        for (int i = 0; status != null && i < count; i++) {
            if (status[i] != Status.OK) {
                throw Status.failure(status[i], i);
            }
        }
        return this;
    }

    /**
     * Returns all rows, one after the other; those of elements with an error are zeros.
     *
     * @return a buffer of {@link #size} rows of {@link #width} bytes that cannot be written
     */
    public ByteBuffer rows() {
        return rows.asReadOnlyBuffer();
    }

    /**
     * Returns the bytes of a row: as many as the modulus has, or the longest of several.
     *
     * @return 1 or more
     */
    public int width() {
        return width;
    }

    /**
     * Returns how many results there are, how long each is, and how many have an error.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        int failed = 0;
        for (int i = 0; status != null && i < count; i++) {
            failed += status[i] != Status.OK ? 1 : 0;
        }
        return "<Results: " + count + " numbers of " + width + " bytes" + (failed > 0 ? ", " + failed + " with errors>" : ">");
    }
}
