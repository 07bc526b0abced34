package org.pingala;

import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;

/** A public exponent with a short addition chain, for many powers of different bases. It never changes; closing is as of {@link Modulus}. */
public final class FixedExponent extends Held {
    private FixedExponent(Handle handle) {
        super(handle);
    }

    /**
     * Searches a chain. The same moves and seed find the same chain on every machine, but the same time does not.
     *
     * @param exponent 1 or more; a chain has at most 32,768 steps, so that from about 26,000 bits on there may be none
     * @param moves after how many moves the search ends; 0 for 20 million
     * @param time after which it ends too; zero for no limit
     * @param seed of its random moves
     * @param options threads
     * @return the exponent
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static FixedExponent search(BigInteger exponent, long moves, Duration time, long seed, Options options) {
        if (exponent.signum() <= 0) {
            throw new IllegalArgumentException("exponent " + Shown.number(exponent) + ": expected 1 or more");
        }
        Calls.notNegative("moves", moves);
        if (time.isNegative()) {
            throw new IllegalArgumentException("time " + time + ": expected zero or more");
        }
        Native library = Library.get();
        long milliseconds = time.isZero() ? 0 : Math.max(1, time.toMillis()); // 0 is no limit
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 1 << 20, 1)) {
            long e = scratch.number(exponent);
            int length = scratch.length;
            long made = scratch.reserve(8);
            session.check(
                    scratch,
                    library.fixedExponentSearch(
                            made, e, length, moves, milliseconds, seed, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return new FixedExponent(new Handle(scratch.bytes.getLong(scratch.at), library::fixedExponentFree));
        }
    }

    /**
     * Reads a chain that {@link #save} or the command {@code pingala chain search} wrote.
     *
     * @param file the file
     * @return the exponent
     * @throws PingalaException {@code bad_file}
     */
    public static FixedExponent load(Path file) {
        Native library = Library.get();
        try (Scratch scratch = Scratch.open()) {
            long path = scratch.text(file.toString());
            long made = scratch.reserve(8);
            scratch.check(library.fixedExponentLoad(made, path, scratch.why(), Scratch.WHY_LENGTH));
            return new FixedExponent(new Handle(scratch.bytes.getLong(scratch.at), library::fixedExponentFree));
        }
    }

    /**
     * Writes the chain to a file, as JSON; the file is replaced as a whole.
     *
     * @param file the file
     * @throws PingalaException {@code bad_file}
     */
    public void save(Path file) {
        call((fixed, scratch) -> {
            scratch.check(Library.get().fixedExponentSave(fixed, scratch.text(file.toString()), scratch.why(), Scratch.WHY_LENGTH));
            return null;
        });
    }

    /**
     * Returns the products of the chain, squarings included.
     *
     * @return 0 or more
     */
    public long products() {
        return call((fixed, scratch) -> Library.get().fixedExponentLength(fixed));
    }

    /**
     * Returns the length of the exponent.
     *
     * @return in bits
     */
    public long bits() {
        return call((fixed, scratch) -> Library.get().fixedExponentBits(fixed));
    }

    /**
     * Returns the exponent.
     *
     * @return 1 or more
     */
    public BigInteger value() {
        return call((fixed, scratch) -> {
            int width = Calls.bytes(Library.get().fixedExponentBits(fixed));
            long out = scratch.reserve(width);
            scratch.check(Library.get().fixedExponentValue(fixed, out, width, scratch.why(), Scratch.WHY_LENGTH));
            return scratch.result(width);
        });
    }

    /**
     * Says what the chain saves modulo a number, and after how many powers the search has paid.
     *
     * @param modulus the modulus
     * @return a text
     */
    public String explain(Modulus modulus) {
        long m = modulus.handle.acquire();
        try {
            return call((fixed, scratch) -> Calls.text(scratch, (text, length, needed) -> Library.get().fixedExponentExplain(
                    fixed, m, text, length, needed, scratch.why(), Scratch.WHY_LENGTH)));
        } finally {
            modulus.handle.release();
        }
    }

    /**
     * Plans the powers modulo a number. The result needs neither of the two any more.
     *
     * @param modulus the modulus, whose options its calls have
     * @return the planned power
     */
    public FixedPower modulo(Modulus modulus) {
        long m = modulus.handle.acquire();
        try {
            return call((fixed, scratch) -> {
                Native library = Library.get();
                long made = scratch.reserve(8);
                scratch.check(library.fixedExponentModulo(fixed, m, made, scratch.why(), Scratch.WHY_LENGTH));
                int exponentBits = (int) library.fixedExponentBits(fixed);
                return new FixedPower(new Handle(scratch.bytes.getLong(scratch.at), library::fixedPowerFree), modulus, exponentBits);
            });
        } finally {
            modulus.handle.release();
        }
    }

    /**
     * Returns the length of the exponent and the number of products.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        return Shown.open(() -> "<FixedExponent of " + bits() + " bits, " + products() + " steps>", "<FixedExponent: closed>");
    }
}
