package org.pingala;

import java.util.Objects;

/** What calls modulo one number are made on: a handle, the settings of its calls, and the length of the modulus. */
abstract class Subject implements AutoCloseable {
    final Handle handle;
    final Options options;

    /** The length of the modulus. */
    final int bits;

    /** The bytes of a result. */
    final int width;

    Subject(Handle handle, Options options, int bits) {
        this.handle = handle;
        this.options = Objects.requireNonNull(options, "options");
        this.bits = bits;
        width = Calls.bytes(bits);
    }

    /** Frees what it holds. A second call does nothing. */
    @Override
    public void close() {
        handle.close();
    }
}
