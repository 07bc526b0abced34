package org.pingala;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** The C library by FFM. */
final class Ffm extends FfmFunctions implements Native {
    private Ffm() {}

    /** Opens the library; null if this Java or this jar cannot. */
    static Native load(String library) {
        open(library);
        return new Ffm();
    }

    @Override
    public String name() {
        return "ffm";
    }

    @Override
    public long allocate(long bytes) {
        try {
            return (long) MALLOC.invokeExact(bytes);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    @Override
    public void free(long address) {
        try {
            FREE.invokeExact(address);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    @Override
    public ByteBuffer view(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes).asByteBuffer();
    }

    @Override
    public long address(ByteBuffer direct) {
        return MemorySegment.ofBuffer(direct).address() - direct.position();
    }
}
