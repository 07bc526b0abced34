package org.pingala;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/** The rows of a memory segment. */
final class Segments extends Rows {
    private final MemorySegment segment;

    private Segments(MemorySegment segment, int count, int width) {
        super(count, width);
        this.segment = segment;
    }

    static Rows rows(Object given, int width) {
        if (!(given instanceof MemorySegment segment)) {
            throw new IllegalArgumentException(given.getClass().getName() + " is no java.lang.foreign.MemorySegment");
        }
        long bytes = segment.byteSize();
        if (bytes % width != 0) {
            throw new IllegalArgumentException(bytes + " bytes are not whole rows of " + width + " bytes");
        }
        if (bytes / width > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(bytes / width + " rows: expected at most 2^31 - 1");
        }
        return new Segments(segment, (int) (bytes / width), width);
    }

    @Override
    long place(Scratch scratch, int wide) {
        if (wide != width) {
            return super.place(scratch, wide);
        }
        if (segment.isNative()) {
            if (count > 0) {
                segment.get(ValueLayout.JAVA_BYTE, 0); // throws if its arena is closed, or belongs to another thread
            }
            return segment.address();
        }
        long address = scratch.reserve(segment.byteSize());
        MemorySegment.ofBuffer(scratch.bytes.duplicate().clear()).asSlice(scratch.at, segment.byteSize()).copyFrom(segment);
        return address;
    }

    @Override
    void write(int index, ByteBuffer to, int at, int wide) {
        long from = (long) index * width;
        for (int i = 0; i < wide - width; i++) {
            to.put(at + i, (byte) 0);
        }
        for (int i = 0; i < width; i++) {
            to.put(at + wide - width + i, segment.get(ValueLayout.JAVA_BYTE, from + i));
        }
    }

    @Override
    void keep() {
        Reference.reachabilityFence(segment);
    }
}
