package org.pingala;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongConsumer;

/** What a handle of the C library owns. Calls count themselves in, so that it is freed when no call uses it. */
final class Memory implements Runnable {
    private static final VarHandle USERS;

    static {
        try {
            USERS = MethodHandles.lookup().findVarHandle(Memory.class, "users", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long address;
    private final LongConsumer free;

    /** The calls that use it; from MIN_VALUE on after it was closed. */
    @SuppressWarnings("unused")
    private volatile int users;

    Memory(long address, LongConsumer free) {
        this.address = address;
        this.free = free;
    }

    /** The address for a call, which then calls {@link #release}. */
    long acquire() {
        for (int users = this.users; users >= 0; users = this.users) {
            if (USERS.compareAndSet(this, users, users + 1)) {
                return address;
            }
        }
        throw new IllegalStateException("the handle is closed");
    }

    void release() {
        if ((int) USERS.getAndAdd(this, -1) - 1 == Integer.MIN_VALUE) {
            free.accept(address);
        }
    }

    /** Closes it; calls that use it come to their end first. Called once. */
    @Override
    public void run() {
        if ((int) USERS.getAndAdd(this, Integer.MIN_VALUE) == 0) {
            free.accept(address);
        }
    }
}
