package org.pingala;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** A handle of the C library, freed when it is closed or when nothing refers to it any more. */
final class Handle {
    private static final Cleaner CLEANER = Cleaner.create();

    /** The garbage collector does not see what handles own: once so many are open, one more asks it to look. */
    private static final long MANY = 1 << 17;

    private static final AtomicLong OPEN = new AtomicLong();
    private static final AtomicLong NEXT_COLLECTION = new AtomicLong(MANY);

    private final Memory memory;
    private final Cleaner.Cleanable cleanable;

    Handle(long address, LongConsumer free) {
        memory = new Memory(address, a -> {
            free.accept(a);
            OPEN.decrementAndGet();
        });
        long open = OPEN.incrementAndGet();
        long limit = NEXT_COLLECTION.get();
        if (open > limit && NEXT_COLLECTION.compareAndSet(limit, Long.MAX_VALUE)) {
            collect();
        }
        cleanable = CLEANER.register(this, memory);
    }

    /** Handles that are really in use are not asked about again before they have doubled. */
    private static void collect() {
        System.gc();
        for (int i = 0; i < 100 && OPEN.get() > MANY / 2; i++) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        NEXT_COLLECTION.set(Math.max(MANY, 2 * OPEN.get()));
    }

    /** The memory for a call, which then calls {@link #release}. */
    long acquire() {
        try {
            return memory.acquire();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    void release() {
        memory.release();
    }

    void close() {
        cleanable.clean();
    }
}
