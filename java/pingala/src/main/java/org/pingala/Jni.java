package org.pingala;

import java.nio.ByteBuffer;

/** The C library by JNI. */
final class Jni extends JniFunctions implements Native {
    private Jni() {}

    /** Loads the JNI library, which opens the C library. */
    static Native load(String jniLibrary, String library) {
        System.load(jniLibrary);
        String why = open(library);
        if (why != null) {
            throw new UnsatisfiedLinkError(library + ": " + why);
        }
        return new Jni();
    }

    private static native String open(String library);

    @Override
    public String name() {
        return "jni";
    }

    @Override
    public native long allocate(long bytes);

    @Override
    public native void free(long address);

    @Override
    public native ByteBuffer view(long address, long bytes);

    @Override
    public native long address(ByteBuffer direct);
}
