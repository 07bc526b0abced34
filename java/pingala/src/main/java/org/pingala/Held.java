package org.pingala;

/** An object that holds a handle of the library. */
abstract class Held implements AutoCloseable {
    final Handle handle;

    Held(Handle handle) {
        this.handle = handle;
    }

    /** Frees what it holds. A second call does nothing. */
    @Override
    public void close() {
        handle.close();
    }

    /** A call on the handle's address. */
    interface Call<T> {
        T call(long address, Scratch scratch);
    }

    /** Makes a call during which the handle stays open. */
    <T> T call(Call<T> call) {
        long address = handle.acquire();
        try (Scratch scratch = Scratch.open()) {
            return call.call(address, scratch);
        } finally {
            handle.release();
        }
    }
}
