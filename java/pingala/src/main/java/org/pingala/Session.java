package org.pingala;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongConsumer;

/** The options of one call as the C library has them, and the words by which it is stopped and reports its progress. */
final class Session implements AutoCloseable {
    /** A session of the default options, for a call too short to be stopped. */
    static final Session NONE = new Session();

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int STOP = 0;
    private static final int DONE = 8;
    private static final long REPORT_EVERY_NANOSECONDS = 100_000_000;

    /** Limb products from which on a call can be stopped: a millisecond or some. */
    private static final double LONG_CALL = 1 << 21;

    /** The address of the options; 0 for the default ones. */
    final long options;

    private final Thread thread;
    private final LongConsumer listener;
    private final long words;
    private final ByteBuffer wordBytes;
    private long reported;
    private Throwable failed;
    private boolean closed;

    private Session() {
        options = 0;
        thread = null;
        listener = null;
        words = 0;
        wordBytes = null;
    }

    private Session(Options settings, boolean stoppable, int width) {
        Native library = Library.get();
        thread = stoppable ? Thread.currentThread() : null;
        listener = settings.progress;
        try (Scratch scratch = Scratch.open()) {
            long made = scratch.reserve(8);
            scratch.check(library.optionsNew(made, scratch.why(), Scratch.WHY_LENGTH));
            options = scratch.bytes.getLong(scratch.at);
            words = library.allocate(16);
            if (words == 0) {
                library.optionsFree(options);
                throw new OutOfMemoryError("no memory outside the heap");
            }
            wordBytes = library.view(words, 16).order(ByteOrder.nativeOrder());
            wordBytes.putLong(STOP, 0).putLong(DONE, 0);
            try {
                set(library, scratch, settings, width);
            } catch (RuntimeException | Error e) {
                free();
                throw e;
            }
        }
        if (stoppable) {
            if (thread.isInterrupted()) {
                stop();
            }
            Watcher.INTERRUPTS.add(this);
            if (listener != null) {
                Watcher.PROGRESS.add(this);
            }
        }
    }

    /** The session of a call on so many elements, each with so many products of so many bits. */
    static Session open(Options settings, long bits, double products) {
        return open(settings, bits, products, 0);
    }

    /** As above, with rows of a declared width unless that is 0. */
    static Session open(Options settings, long bits, double products, int width) {
        double limbs = bits / 64 + 1;
        boolean stoppable = limbs * limbs * products > LONG_CALL;
        return settings == Options.DEFAULT && !stoppable && width == 0 ? NONE : new Session(settings, stoppable, width);
    }

    private void set(Native library, Scratch scratch, Options settings, int width) {
        scratch.check(library.optionsSetWatch(options, words + STOP, words + DONE));
        settings.give(library, scratch, options);
        if (width > 0) {
            scratch.check(library.optionsSetWidth(options, width));
        }
    }

    private void stop() {
        INT.setVolatile(wordBytes, STOP, 1);
    }

    /** Stops the call if its thread was interrupted. */
    synchronized void look() {
        if (!closed && thread.isInterrupted()) {
            stop();
        }
    }

    /** Calls the listener, unless it has just been called. */
    void report() {
        long done;
        synchronized (this) {
            long now = System.nanoTime();
            if (closed || failed != null || now - reported < REPORT_EVERY_NANOSECONDS) {
                return;
            }
            reported = now;
            done = (long) LONG.getVolatile(wordBytes, DONE);
        }
        try {
            listener.accept(done);
        } catch (RuntimeException | Error e) {
            synchronized (this) {
                failed = e;
                if (!closed) {
                    stop();
                }
            }
        }
    }

    /** Ends the call: what the listener threw is thrown, or what the status says. */
    void check(Scratch scratch, int status) {
        Throwable thrown;
        synchronized (this) {
            thrown = failed;
        }
        if (thrown instanceof Error) {
            throw (Error) thrown;
        } else if (thrown != null) {
            throw (RuntimeException) thrown;
        }
        scratch.check(status);
    }

    @Override
    public void close() {
        if (options == 0) {
            return;
        }
        if (thread != null) {
            Watcher.INTERRUPTS.remove(this);
            if (listener != null) {
                Watcher.PROGRESS.remove(this);
            }
            synchronized (this) {
                closed = true;
            }
        }
        free();
    }

    private void free() {
        Library.get().optionsFree(options);
        Library.get().free(words);
    }
}
