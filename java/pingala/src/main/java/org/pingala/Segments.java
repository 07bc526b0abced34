package org.pingala;

/** Memory segments: below Java 22 there are none, and the class of this name in META-INF/versions/22 is not read. */
final class Segments {
    private Segments() {}

    static Rows rows(Object segment, int width) {
        throw new UnsupportedOperationException(
                "memory segments need Java 22 or newer, and a jar with its classes; this is Java " + Runtime.version().feature());
    }
}
