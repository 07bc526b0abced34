package org.pingala;

import java.util.Objects;

/** What calls modulo one number are made on: a handle, the settings of its calls, and the length of the modulus. */
abstract class Subject extends Held {
    final Options options;

    /** The length of the modulus. */
    final int bits;

    /** The bytes of a result. */
    final int width;

    Subject(Handle handle, Options options, int bits) {
        super(handle);
        this.options = Objects.requireNonNull(options, "options");
        this.bits = bits;
        width = Calls.bytes(bits);
    }
}
