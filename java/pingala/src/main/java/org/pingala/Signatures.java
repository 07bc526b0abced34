package org.pingala;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Verifies lists of signatures. Keys with the same p, q and g share work, and signatures of one key share more. */
public final class Signatures {
    private Signatures() {}

    /** What is said of each signature of a list. */
    public static final class Verdicts {
        private final byte[] valid;
        private final int[] status;

        private Verdicts(byte[] valid, int[] status) {
            this.valid = valid;
            this.status = status;
        }

        /**
         * Returns how many signatures there were.
         *
         * @return 0 or more
         */
        public int size() {
            return valid.length;
        }

        /**
         * Returns whether a signature is valid.
         *
         * @param index its place
         * @return true only for a valid signature
         */
        public boolean valid(int index) {
            return valid[index] == 1;
        }

        /**
         * Returns why a signature is not valid.
         *
         * @param index its place
         * @return a code such as {@code "mismatch"}; null if it is valid
         */
        public String reason(int index) {
            return valid(index) ? null : Status.name(status[index]);
        }

        /**
         * Returns whether all signatures are valid.
         *
         * @return true for none too
         */
        public boolean allValid() {
            for (byte one : valid) {
                if (one != 1) {
                    return false;
                }
            }
            return true;
        }

        /**
         * Returns how many signatures are valid.
         *
         * @return a text for people, which may change
         */
        @Override
        public String toString() {
            int count = 0;
            for (byte one : valid) {
                count += one == 1 ? 1 : 0;
            }
            return "<Verdicts: " + count + " of " + valid.length + " valid>";
        }
    }

    /** The arguments of both calls, where the library finds them. */
    private static final class Arguments implements AutoCloseable {
        final long keys;
        final long keyOf;
        final long digests;
        final long signatures;
        final long ends;
        private final List<Handle> inUse = new ArrayList<>();

        Arguments(Scratch scratch, List<Key> all, int[] places, Rows digestRows, byte[][] signatureBytes) {
            int count = signatureBytes.length;
            if (digestRows.count != count || (places == null ? all.size() != count : places.length != count)) {
                throw new IllegalArgumentException(
                        digestRows.count + " digests and " + (places == null ? all.size() : places.length) + " keys for " + count
                                + " signatures");
            }
            for (int i = 0; places != null && i < count; i++) {
                if (places[i] < 0 || places[i] >= all.size()) {
                    throw new IllegalArgumentException("signature " + i + " has key " + places[i] + " of " + all.size());
                }
            }
            long length = 0;
            long[] endsOf = new long[count];
            for (int i = 0; i < count; i++) {
                endsOf[i] = length += signatureBytes[i].length;
            }
            digests = digestRows.place(scratch, digestRows.width);
            ends = scratch.longs(endsOf);
            signatures = scratch.reserve(length);
            scratch.bytes.position(scratch.at);
            for (byte[] signature : signatureBytes) {
                scratch.bytes.put(signature);
            }
            keyOf = scratch.ints(places);
            try {
                long[] addresses = new long[all.size()];
                for (int i = 0; i < addresses.length; i++) {
                    Handle handle = all.get(i).handle;
                    addresses[i] = handle.acquire();
                    inUse.add(handle);
                }
                keys = scratch.longs(addresses);
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        @Override
        public void close() {
            for (Handle handle : inUse) {
                handle.release();
            }
        }
    }

    /** Products for a signature: of RSA with the usual exponent, of DSA with one of its groups. */
    private static final double RSA_PRODUCTS = 20;

    private static final double DSA_PRODUCTS = 500;

    /**
     * Verifies signatures.
     *
     * @param keys the keys
     * @param keyOf for each signature the place of its key; null if there is one for each, in order
     * @param digests a digest for each, as wide as the hash function makes it
     * @param signatures the signatures
     * @param scheme the scheme of all
     * @param options threads, kernel and salt
     * @return a verdict for each
     * @throws PingalaException {@code interrupted}
     */
    public static Verdicts verifyList(
            List<Key> keys, int[] keyOf, Rows digests, byte[][] signatures, Scheme scheme, Options options) {
        int count = signatures.length;
        double products = keys.stream().anyMatch(Key::isDsa) ? DSA_PRODUCTS : RSA_PRODUCTS;
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 2048, products * count);
                Arguments arguments = new Arguments(scratch, List.copyOf(keys), keyOf, digests, signatures)) {
            long verdicts = scratch.reserve(count);
            ByteBuffer verdictBytes = scratch.bytes;
            int verdictAt = scratch.at;
            long status = scratch.reserve(4L * count);
            session.check(
                    scratch,
                    Library.get().verifyList(
                            verdicts, status, arguments.keys, arguments.keyOf, arguments.digests, digests.width, arguments.signatures,
                            arguments.ends, count, scheme.value, session.options, scratch.why(), Scratch.WHY_LENGTH));
            byte[] valid = new byte[count];
            int[] statuses = new int[count];
            for (int i = 0; i < count; i++) {
                valid[i] = verdictBytes.get(verdictAt + i);
                statuses[i] = scratch.bytes.getInt(scratch.at + 4 * i);
            }
            return new Verdicts(valid, statuses);
        } finally {
            digests.keep();
        }
    }

    /**
     * Explains what a list of signatures shares: a line for each group, with its expected time on one thread.
     *
     * @param keys as of {@link #verifyList}
     * @param keyOf as of {@link #verifyList}
     * @param digests as of {@link #verifyList}
     * @param signatures as of {@link #verifyList}
     * @param scheme as of {@link #verifyList}
     * @param options as of {@link #verifyList}
     * @return the plan
     */
    public static String explain(
            List<Key> keys, int[] keyOf, Rows digests, byte[][] signatures, Scheme scheme, Options options) {
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0);
                Arguments arguments = new Arguments(scratch, List.copyOf(keys), keyOf, digests, signatures)) {
            return Calls.text(scratch, (text, length, needed) -> Library.get().explainVerifyList(
                    text, length, needed, arguments.keys, arguments.keyOf, arguments.digests, digests.width, arguments.signatures,
                    arguments.ends, signatures.length, scheme.value, session.options, scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            digests.keep();
        }
    }
}
