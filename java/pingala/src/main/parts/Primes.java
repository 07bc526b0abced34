package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/** Tests of primality, and primes. docs/primes.md says how sure answers are. */
public final class Primes {
    private Primes() {}

    /** The answer of a test. */
    public enum Answer {
        /** No prime. That is certain. */
        NOT_PRIME,
        /** It passed every test. It is composite with probability 4^-rounds at most, whoever chose it. */
        PROBABLE_PRIME,
        /** A prime, proved, as for all below 2^64. */
        PROVED_PRIME;

        /**
         * Returns whether the number passed.
         *
         * @return false for {@link #NOT_PRIME}
         */
        public boolean isPrime() {
            return this != NOT_PRIME;
        }

        static Answer of(int answer) {
            return values()[answer];
        }

        /** The answers that the library wrote for numbers; negative ones are no primes. */
        static Answer[] all(ByteBuffer bytes, int at, Rows numbers) {
            byte[] negative = numbers.flags(null, Status.NEGATIVE_BASE);
            Answer[] all = new Answer[numbers.count];
            for (int i = 0; i < all.length; i++) {
                all[i] = negative != null && negative[i] != 0 ? NOT_PRIME : of(bytes.get(at + i));
            }
            return all;
        }
    }

    /** What random primes have to be besides. */
    public enum Condition {
        /** (p - 1) / 2 is prime too. */
        SAFE,
        /** The two highest bits are set, so that the product of two such primes has twice their length. */
        TWO_TOP_BITS,
        /** Each prime that fits has the same probability; secret primes always have. */
        UNIFORM
    }

    /** What two primes are for. */
    public enum Pair {
        /** RSA: p - 1 and q - 1 have no divisor in common with the public exponent. */
        RSA,
        /** Paillier's cryptosystem. */
        PAILLIER,
        /** Both are safe. */
        SAFE
    }

    /** A prime and the text that proves it. */
    public static final class Certified {
        private final BigInteger prime;
        private final String certificate;

        private Certified(BigInteger prime, String certificate) {
            this.prime = prime;
            this.certificate = certificate;
        }

        /**
         * Returns the prime.
         *
         * @return the number
         */
        public BigInteger prime() {
            return prime;
        }

        /**
         * Returns the certificate.
         *
         * @return a text for {@link Primes#checkCertificate}
         */
        public String certificate() {
            return certificate;
        }

        /**
         * Returns the prime, or its length.
         *
         * @return a text for people, which may change
         */
        @Override
        public String toString() {
            return "<Certified: prime " + Shown.number(prime) + ">";
        }
    }

    /** What the search for a random prime is expected to take. */
    public static final class Estimate {
        private final double tests;
        private final double seconds;

        private Estimate(double tests, double seconds) {
            this.tests = tests;
            this.seconds = seconds;
        }

        /**
         * Returns how many numbers are expected to be tested.
         *
         * @return 1 or more
         */
        public double tests() {
            return tests;
        }

        /**
         * Returns the expected time of the tests on the threads of the options. One search in a hundred takes 4.6 times as long.
         *
         * @return in seconds
         */
        public double seconds() {
            return seconds;
        }

        /**
         * Returns the tests and the time.
         *
         * @return a text for people, which may change
         */
        @Override
        public String toString() {
            return "<Estimate: " + tests + " tests, " + seconds + " s>";
        }
    }

    /**
     * Estimates the search of {@link #random}, or of {@link #randomSecret}. The call takes some tenths of a second at most.
     *
     * @param bits as of the search
     * @param secret whether the prime is a secret one
     * @param options as of the search
     * @param conditions as of the search
     * @return the tests and the time
     * @throws IllegalArgumentException if no prime fits
     * @throws PingalaException {@code too_long}
     */
    public static Estimate estimateRandom(long bits, boolean secret, Options options, Condition... conditions) {
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            long both = scratch.reserve(16);
            session.check(
                    scratch,
                    Library.get().estimateRandomPrime(
                            both, both + 8, bits, bits(conditions), secret ? 1 : 0, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return new Estimate(scratch.bytes.getDouble(scratch.at), scratch.bytes.getDouble(scratch.at + 8));
        }
    }

    private static int bits(Condition... conditions) {
        int flags = 0;
        for (Condition condition : conditions) {
            flags |= 1 << condition.ordinal();
        }
        return flags;
    }

    private static int primeWidth(long bits) {
        if (bits < 0 || bits > 1L << 32) {
            throw new IllegalArgumentException(bits + " bits: expected from 2 to 2^32");
        }
        return (int) (bits / 8) + 2;
    }

    /**
     * Returns whether a number is prime, as sure as {@link #test} with the default settings.
     *
     * @param number any number
     * @return true for primes
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static boolean isPrime(BigInteger number) {
        return test(number, Options.DEFAULT).isPrime();
    }

    /**
     * Finds all primes of an interval. Not for secrets.
     *
     * @param from the first number of the interval
     * @param below the number after the last one
     * @param options settings
     * @return the primes in order, as sure as those of {@link #next}; none if there are none, or if the interval is empty
     * @throws PingalaException {@code too_long}, also for a list above 2^30 bytes; {@code interrupted}
     */
    public static Results between(BigInteger from, BigInteger below, Options options) {
        from = from.max(BigInteger.ZERO);
        below = below.max(BigInteger.ZERO);
        int bits = Math.max(from.bitLength(), below.bitLength());
        int width = Math.max(1, Calls.bytes(below.bitLength()));
        double numbers = Math.max(0, below.subtract(from).doubleValue());
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, numbers * (1 + bits / 16.0))) {
            long a = scratch.number(from);
            int aLength = scratch.length;
            long b = scratch.number(below);
            int bLength = scratch.length;
            // Less than 1.26 x / log x primes are below x. Should an interval have more, the call tells how many, and is repeated.
            double expected = width * (64 + 1.26 * numbers / Math.max(1, (below.bitLength() - 1) * Math.log(2)));
            long first = numbers == 0 || expected > 1 << 30 ? 0 : (long) expected;
            return Calls.some(scratch, session, width, first, (out, room, needed) -> Library.get().primesBetween(
                    out, room, width, needed, a, aLength, b, bLength, session.options, scratch.why(), Scratch.WHY_LENGTH));
        }
    }

    /**
     * Draws a random prime that is built from smaller ones, so that it is proved. Not for secrets.
     *
     * @param bits its length, 2 or more
     * @param options its residue, and other settings
     * @param conditions what it has to be besides
     * @return the prime and its certificate
     * @throws IllegalArgumentException if no prime fits
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static Certified randomProved(long bits, Options options, Condition... conditions) {
        int width = primeWidth(bits);
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 1000.0 * bits)) {
            long room = 4096 + 4 * bits;
            long needed = scratch.reserve(8);
            ByteBuffer neededBytes = scratch.bytes;
            int neededAt = scratch.at;
            long text = scratch.reserve(room);
            ByteBuffer textBytes = scratch.bytes;
            int textAt = scratch.at;
            long out = scratch.reserve(width);
            session.check(
                    scratch,
                    Library.get().randomProvedPrime(
                            out, width, text, room, needed, bits, bits(conditions), session.options, scratch.why(), Scratch.WHY_LENGTH));
            BigInteger prime = scratch.result(width);
            return new Certified(prime, Calls.text(textBytes, textAt, (int) neededBytes.getLong(neededAt) - 1));
        }
    }
}
