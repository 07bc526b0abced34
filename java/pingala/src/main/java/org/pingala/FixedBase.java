package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A base, a modulus and a table that makes further powers cheaper. It never changes; closing is as of {@link Modulus}. */
public final class FixedBase extends FixedBaseCalls {
    private final BigInteger modulus;

    private FixedBase(Handle handle, Options options, BigInteger modulus) {
        super(handle, options, modulus.bitLength());
        this.modulus = modulus;
    }

    /** What a table is for. */
    public static final class Table {
        final long exponentBits;
        final long memoryBytes;
        final long powers;
        final int kind;

        private Table(long exponentBits, long memoryBytes, long powers, int kind) {
            if (exponentBits < 1 || memoryBytes < 0 || powers < 0) {
                throw new IllegalArgumentException("a table for " + powers + " powers with exponents of " + exponentBits + " bits in "
                        + memoryBytes + " bytes: expected 0, 1 and 0 or more");
            }
            this.exponentBits = exponentBits;
            this.memoryBytes = memoryBytes;
            this.powers = powers;
            this.kind = kind;
        }

        /**
         * Returns a table for exponents of either sign.
         *
         * @param exponentBits the longest exponent, 1 or more
         * @param memoryBytes the most that the table takes
         * @return the description
         */
        public static Table of(long exponentBits, long memoryBytes) {
            return new Table(exponentBits, memoryBytes, 0, 0);
        }

        /**
         * Says about how many powers there will be.
         *
         * @param powers 0 for ten thousand
         * @return the description
         */
        public Table forPowers(long powers) {
            return new Table(exponentBits, memoryBytes, powers, kind);
        }

        /**
         * Says that most powers come in lists.
         *
         * @return the description
         */
        public Table inLists() {
            return new Table(exponentBits, memoryBytes, powers, kind | 1);
        }

        /**
         * Says that the exponents are secret; the modulus must be odd.
         *
         * @return the description
         */
        public Table forSecrets() {
            return new Table(exponentBits, memoryBytes, powers, kind | 2);
        }

        /**
         * Returns what was said of the table.
         *
         * @return a text for people, which may change
         */
        @Override
        public String toString() {
            String use = (powers > 0 ? ", " + powers + " powers" : "") + ((kind & 1) != 0 ? ", lists" : "") + ((kind & 2) != 0 ? ", secrets" : "");
            return "<Table: exponents of " + exponentBits + " bits, " + memoryBytes + " bytes" + use + ">";
        }
    }

    /**
     * Makes a table.
     *
     * @param modulus the modulus, whose options the table's calls have
     * @param base any number
     * @param table what it is for
     * @return the table
     * @throws IllegalArgumentException if no table fits the memory
     * @throws PingalaException {@code bad_plan}, {@code interrupted}
     */
    public static FixedBase of(Modulus modulus, BigInteger base, Table table) {
        Native library = Library.get();
        long address = modulus.handle.acquire();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(modulus.options, modulus.bits, 8.0 * table.memoryBytes / modulus.width)) {
            long b = scratch.number(base);
            int baseLength = scratch.length;
            long made = scratch.reserve(8);
            session.check(
                    scratch,
                    library.fixedBaseNew(
                            made, address, b, baseLength, Calls.sign(base, Status.NEGATIVE_BASE), table.exponentBits, table.memoryBytes,
                            table.powers, table.kind, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return new FixedBase(
                    new Handle(scratch.bytes.getLong(scratch.at), library::fixedBaseFree), modulus.options, modulus.value);
        } finally {
            modulus.handle.release();
        }
    }

    /**
     * Loads a table that {@link #save} wrote, after checking it; {@link #verify} checks the file of somebody else.
     *
     * @param file the file
     * @param expected the modulus that it must have, whose options its calls have
     * @return the table
     * @throws PingalaException {@code bad_file}
     */
    public static FixedBase load(Path file, Modulus expected) {
        long address = expected.handle.acquire();
        try {
            return load(file, address, expected.options);
        } finally {
            expected.handle.release();
        }
    }

    /**
     * Loads a table for any modulus, as {@link #load(Path, Modulus)}.
     *
     * @param file the file
     * @return the table
     * @throws PingalaException {@code bad_file}
     */
    public static FixedBase load(Path file) {
        return load(file, 0, Options.DEFAULT);
    }

    private static FixedBase load(Path file, long expected, Options options) {
        Native library = Library.get();
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            long path = scratch.text(file.toString());
            long made = scratch.reserve(8);
            ByteBuffer bytes = scratch.bytes;
            int at = scratch.at;
            session.check(
                    scratch, library.fixedBaseLoad(made, path, expected, session.options, scratch.why(), Scratch.WHY_LENGTH));
            Handle handle = new Handle(bytes.getLong(at), library::fixedBaseFree);
            long address = handle.acquire();
            try {
                bytes.putLong(at, 0);
                scratch.check(library.fixedBaseModulus(address, made, scratch.why(), Scratch.WHY_LENGTH));
                try (Modulus modulus = Modulus.taken(bytes.getLong(at))) {
                    return new FixedBase(handle, options, modulus.value);
                }
            } finally {
                handle.release();
            }
        }
    }

    /**
     * Returns the same table with other settings for its calls. Closing either closes both.
     *
     * @param options the settings
     * @return a view
     */
    public FixedBase with(Options options) {
        return new FixedBase(handle, options, modulus);
    }

    /**
     * Computes every entry of the table again and compares.
     *
     * @throws PingalaException {@code fault} if one is wrong; {@code interrupted}
     */
    public void verify() {
        call((table, scratch) -> {
            double products = (double) tableBytes() / width;
            try (Session session = Session.open(options, bits, 8 * products)) {
                session.check(scratch, Library.get().fixedBaseVerify(table, session.options, scratch.why(), Scratch.WHY_LENGTH));
            }
            return null;
        });
    }

    /**
     * Returns the modulus.
     *
     * @return the number
     */
    public BigInteger modulus() {
        return modulus;
    }

    /**
     * Returns the base.
     *
     * @return below the modulus
     */
    public BigInteger base() {
        return call((table, scratch) -> {
            long out = scratch.reserve(width);
            scratch.check(Library.get().fixedBaseBase(table, out, width, scratch.why(), Scratch.WHY_LENGTH));
            return scratch.result(width);
        });
    }

    /**
     * Returns the length of the longest exponent.
     *
     * @return in bits
     */
    public long exponentBits() {
        return call((table, scratch) -> Library.get().fixedBaseExponentBits(table));
    }

    /**
     * Returns what the table takes.
     *
     * @return in bytes
     */
    public long tableBytes() {
        return call((table, scratch) -> Library.get().fixedBaseTableBytes(table));
    }

    /**
     * Returns the plan of the table's powers, as a line.
     *
     * @return the plan
     */
    public String plan() {
        return call((table, scratch) -> Calls.text(scratch, (text, length, needed) -> Library.get().fixedBasePlan(
                table, text, length, needed, scratch.why(), Scratch.WHY_LENGTH)));
    }

    /**
     * Raises the base to a secret power in constant time, as {@link Modulus#powSecure}; the table is one {@link Table#forSecrets}.
     *
     * @param exponent the exponent
     * @return the power
     * @throws PingalaException {@code bad_plan} for a table that cannot be read so; {@code fault}, {@code bad_secret}
     */
    public BigInteger powSecure(SecretExponent exponent) {
        try (SecretExponent.Use secret = exponent.use()) {
            Results powers = secretList(secret.length, exponent.bits(), 1, scratch -> secret.address);
            if (powers.error(0) != null) {
                throw new PingalaException(powers.error(0), -1, powers.error(0));
            }
            return powers.get(0);
        }
    }

    /**
     * Raises the base to secret powers, as {@link #powSecure}.
     *
     * @param exponents numbers of 0 or more
     * @param exponentBits the declared width of each
     * @return the powers
     * @throws PingalaException as {@link #powSecure}
     */
    public Results powSecureList(Rows exponents, int exponentBits) {
        SecretExponent.declared(exponents, exponentBits);
        try {
            return secretList(exponents.width, exponentBits, exponents.count, scratch -> exponents.place(scratch, exponents.width));
        } finally {
            exponents.keep();
        }
    }

    private interface Placed {
        long at(Scratch scratch);
    }

    private Results secretList(int exponentWidth, int exponentBits, int count, Placed exponents) {
        long table = handle.acquire();
        try (Scratch scratch = Scratch.openSecret();
                Session session = Session.open(options, bits, (double) exponentBits * count)) {
            Calls.Output output = new Calls.Output(scratch, null, count, width, width);
            long e = exponents.at(scratch);
            session.check(
                    scratch,
                    Library.get().fixedBasePowSecList(
                            table, output.address, e, exponentWidth, exponentBits, count, output.status, session.options, scratch.why(),
                            Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            handle.release();
        }
    }

    /**
     * Returns the lengths of modulus and exponents, and the plan.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        String modulo = "<FixedBase modulo " + bits + " bits, ";
        return Shown.open(() -> modulo + "exponents of " + exponentBits() + " bits: " + plan() + ">", modulo + "closed>");
    }
}
