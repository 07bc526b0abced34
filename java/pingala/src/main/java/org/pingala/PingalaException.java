package org.pingala;

/** A call failed. {@link #code} has the kind of error, the same as in Rust, C and Python. */
public final class PingalaException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The name of the kind of error. */
    private final String code;

    /** The place of the element; -1 for the call. */
    private final int index;

    PingalaException(String code, int index, String message) {
        super(message);
        this.code = code;
        this.index = index;
    }

    /**
     * Returns the stable name of the kind of error, such as {@code "interrupted"}.
     *
     * @return one of the names in the table of docs/c.md
     */
    public String code() {
        return code;
    }

    /**
     * Returns which element of a list has the error.
     *
     * @return its place from 0 on; -1 if the error is that of the whole call
     */
    public int index() {
        return index;
    }
}
