package org.pingala;

import java.nio.file.Path;
import java.time.Duration;

/** A file in which repeated squaring keeps its state, and from which it resumes. */
public final class Checkpoint {
    /** No file. */
    public static final Checkpoint NONE = new Checkpoint(null, 0);

    final String path;
    final long everyMilliseconds;

    private Checkpoint(String path, long everyMilliseconds) {
        this.path = path;
        this.everyMilliseconds = everyMilliseconds;
    }

    /**
     * Returns a checkpoint that is written at the start, now and then, when the call is stopped, and at the end. If the file exists, the call
     * resumes from it.
     *
     * @param file the file, always replaced as a whole
     * @param every the time between two states; zero for the default
     * @return the checkpoint
     */
    public static Checkpoint in(Path file, Duration every) {
        if (every.isNegative()) {
            throw new IllegalArgumentException("a time of " + every + ": expected zero or more");
        }
        return new Checkpoint(file.toString(), every.toMillis());
    }

    /**
     * Returns the file and the time between two states.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        return path == null ? "<Checkpoint: none>" : "<Checkpoint: " + path + ", " + everyMilliseconds + " ms>";
    }
}
