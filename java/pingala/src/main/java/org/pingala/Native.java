package org.pingala;

import java.nio.ByteBuffer;

/** The C library, and the memory outside the heap that it works on. */
interface Native extends Functions {
    /** {@code "jni"} or {@code "ffm"}. */
    String name();

    /** Memory that {@link #free} gives back; 0 if there is none left. */
    long allocate(long bytes);

    /** Gives memory back. */
    void free(long address);

    /** Memory as a buffer of at most 2^31 - 1 bytes. */
    ByteBuffer view(long address, long bytes);

    /** Where the first byte of a direct buffer is, whatever its position. */
    long address(ByteBuffer direct);
}
