package org.pingala;

/** The C library by FFM: below Java 22 there is no such way, and the class of this name in META-INF/versions/22 is not read. */
final class Ffm {
    private Ffm() {}

    /** Opens the library; null if this Java or this jar cannot. */
    static Native load(String library) {
        return null;
    }
}
