package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;

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
    }

    private static int bits(Condition... conditions) {
        int flags = 0;
        for (Condition condition : conditions) {
            flags |= 1 << condition.ordinal();
        }
        return flags;
    }

    private static void notNegative(BigInteger number) {
        if (number.signum() < 0) {
            throw new IllegalArgumentException("a negative number: expected 0 or more");
        }
    }

    private static int width(long bits) {
        if (bits < 0 || bits > 1L << 32) {
            throw new IllegalArgumentException(bits + " bits: expected from 2 to 2^32");
        }
        return (int) (bits / 8) + 2;
    }

    /**
     * Tests a number: by trial division, the test of Baillie and PSW, then rounds of Miller and Rabin. Not for secrets.
     *
     * @param number any number; a negative one is not prime
     * @param options the rounds, and other settings
     * @return the answer
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static Answer test(BigInteger number, Options options) {
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, number.bitLength(), 8.0 * number.bitLength())) {
            long n = scratch.number(number);
            int length = scratch.length;
            long answer = scratch.ints(new int[1]);
            session.check(
                    scratch, Library.get().isPrime(answer, n, length, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return number.signum() < 0 ? Answer.NOT_PRIME : Answer.of(scratch.bytes.getInt(scratch.at));
        }
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
     * Tests many numbers; those of one length are tested side by side, on several threads.
     *
     * @param numbers any numbers; negative ones are not prime
     * @param options the rounds, and other settings
     * @return an answer for each
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static Answer[] testList(Rows numbers, Options options) {
        byte[] negative = numbers.flags(null, Status.NEGATIVE_BASE);
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 8L * numbers.width, 64.0 * numbers.width * numbers.count)) {
            long answers = scratch.reserve(numbers.count);
            ByteBuffer bytes = scratch.bytes;
            int at = scratch.at;
            long n = numbers.place(scratch, numbers.width);
            session.check(
                    scratch,
                    Library.get().isPrimeList(
                            answers, n, numbers.width, numbers.count, session.options, scratch.why(), Scratch.WHY_LENGTH));
            Answer[] all = new Answer[numbers.count];
            for (int i = 0; i < all.length; i++) {
                all[i] = negative != null && negative[i] != 0 ? Answer.NOT_PRIME : Answer.of(bytes.get(at + i));
            }
            return all;
        } finally {
            numbers.keep();
        }
    }

    private interface One {
        int call(long out, int width, Scratch scratch, Session session);
    }

    private static BigInteger one(int width, double products, boolean secret, Options options, One call) {
        try (Scratch scratch = secret ? Scratch.openSecret() : Scratch.open();
                Session session = Session.open(options, 8L * width, products)) {
            long out = scratch.reserve(width);
            ByteBuffer bytes = scratch.bytes;
            int at = scratch.at;
            session.check(scratch, call.call(out, width, scratch, session));
            return Scratch.result(bytes, at, width);
        }
    }

    /**
     * Finds the least prime above a number. Not for secrets.
     *
     * @param number any number
     * @param options settings
     * @return the prime
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static BigInteger next(BigInteger number, Options options) {
        if (number.signum() < 0) {
            return BigInteger.TWO;
        }
        return one(width(number.bitLength()), 100.0 * number.bitLength(), false, options, (out, width, scratch, session) -> {
            long n = scratch.number(number);
            return Library.get().nextPrime(out, width, n, scratch.length, session.options, scratch.why(), Scratch.WHY_LENGTH);
        });
    }

    /**
     * Finds the greatest prime below a number. Not for secrets.
     *
     * @param number 3 or more
     * @param options settings
     * @return the prime
     * @throws IllegalArgumentException if there is none
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static BigInteger previous(BigInteger number, Options options) {
        notNegative(number);
        return one(width(number.bitLength()), 100.0 * number.bitLength(), false, options, (out, width, scratch, session) -> {
            long n = scratch.number(number);
            return Library.get().previousPrime(out, width, n, scratch.length, session.options, scratch.why(), Scratch.WHY_LENGTH);
        });
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
            long needed = scratch.reserve(8);
            ByteBuffer neededBytes = scratch.bytes;
            int neededAt = scratch.at;
            // Less than 1.26 x / log x primes are below x. Should an interval have more, the call tells how many, and is repeated.
            double expected = width * (64 + 1.26 * numbers / Math.max(1, (below.bitLength() - 1) * Math.log(2)));
            for (long room = numbers == 0 || expected > 1 << 30 ? 0 : (long) expected; ; ) {
                long out = scratch.reserve(room);
                ByteBuffer bytes = scratch.bytes;
                int at = scratch.at;
                session.check(
                        scratch,
                        Library.get().primesBetween(
                                out, room, width, needed, a, aLength, b, bLength, session.options, scratch.why(), Scratch.WHY_LENGTH));
                int count = Math.toIntExact(neededBytes.getLong(neededAt));
                if ((long) count * width <= room) {
                    byte[] rows = new byte[count * width];
                    bytes.position(at);
                    bytes.get(rows);
                    return new Results(ByteBuffer.wrap(rows), count, width, null);
                }
                room = (long) count * width;
            }
        }
    }

    /**
     * Draws a random prime. Not for secrets.
     *
     * @param bits its length, 2 or more
     * @param options its residue, the rounds, and other settings
     * @param conditions what it has to be besides
     * @return the prime
     * @throws IllegalArgumentException if no prime fits
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static BigInteger random(long bits, Options options, Condition... conditions) {
        return one(width(bits), 1000.0 * bits, false, options, (out, width, scratch, session) -> Library.get().randomPrime(
                out, width, bits, bits(conditions), session.options, scratch.why(), Scratch.WHY_LENGTH));
    }

    /**
     * Draws a secret random prime by FIPS 186-5, A.1.3. What Java keeps of a BigInteger cannot be wiped.
     *
     * @param bits its length, 64 or more
     * @param options its residue, the rounds, and other settings
     * @param conditions what it has to be besides
     * @return the prime
     * @throws IllegalArgumentException if no prime fits
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static BigInteger randomSecret(long bits, Options options, Condition... conditions) {
        return one(width(bits), 1000.0 * bits, true, options, (out, width, scratch, session) -> Library.get().randomSecretPrime(
                out, width, bits, bits(conditions), session.options, scratch.why(), Scratch.WHY_LENGTH));
    }

    /**
     * Draws two secret primes of equal lengths.
     *
     * @param modulusBits the length of their product, an even number from 128 on
     * @param kind what they are for
     * @param publicExponent that of RSA, odd and at least 3; otherwise 0
     * @param options settings
     * @return p and q
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static List<BigInteger> pair(long modulusBits, Pair kind, long publicExponent, Options options) {
        if (publicExponent < 0) {
            throw new IllegalArgumentException("the public exponent " + publicExponent + ": expected 0 or more");
        }
        BigInteger[] second = new BigInteger[1];
        BigInteger first = one(width(modulusBits), 1000.0 * modulusBits, true, options, (out, width, scratch, session) -> {
            long q = scratch.reserve(width);
            int status = Library.get().primePair(
                    out, width, q, width, modulusBits, kind.ordinal() + 1, publicExponent, session.options, scratch.why(),
                    Scratch.WHY_LENGTH);
            second[0] = scratch.result(width);
            return status;
        });
        return List.of(first, second[0]);
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
        String[] certificate = new String[1];
        BigInteger prime = one(width(bits), 1000.0 * bits, false, options, (out, width, scratch, session) -> {
            long room = 4096 + 4 * bits;
            long needed = scratch.reserve(8);
            ByteBuffer neededBytes = scratch.bytes;
            int neededAt = scratch.at;
            long text = scratch.reserve(room);
            int status = Library.get().randomProvedPrime(
                    out, width, text, room, needed, bits, bits(conditions), session.options, scratch.why(), Scratch.WHY_LENGTH);
            if (status == Status.OK) {
                certificate[0] = Calls.text(scratch.bytes, scratch.at, (int) neededBytes.getLong(neededAt) - 1);
            }
            return status;
        });
        return new Certified(prime, certificate[0]);
    }

    /**
     * Writes a certificate that a number is prime, by prime factors of it less 1.
     *
     * @param number the prime
     * @param factors known factors of it less 1; others are searched
     * @param options settings
     * @return the certificate
     * @throws IllegalArgumentException if the number is not prime, or too little of it less 1 is factored
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static String certify(BigInteger number, Rows factors, Options options) {
        notNegative(number);
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, number.bitLength(), 1e6)) {
            long n = scratch.number(number);
            int length = scratch.length;
            long factorsAt = factors.place(scratch, factors.width);
            return Calls.text(scratch, (text, room, needed) -> Library.get().certify(
                    text, room, needed, n, length, factorsAt, factors.width, factors.count, session.options, scratch.why(),
                    Scratch.WHY_LENGTH));
        } finally {
            factors.keep();
        }
    }

    /**
     * Checks every step of a certificate.
     *
     * @param certificate the text, which ends with its last line feed
     * @param options settings
     * @return the prime that it proves
     * @throws IllegalArgumentException for a text that proves nothing
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static BigInteger checkCertificate(String certificate, Options options) {
        byte[] text = certificate.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        return one(text.length + 1, 1e6, false, options, (out, width, scratch, session) -> Library.get().checkCertificate(
                out, width, scratch.array(text), text.length, session.options, scratch.why(), Scratch.WHY_LENGTH));
    }

    /**
     * Returns the Jacobi symbol. Not for secrets.
     *
     * @param a any number
     * @param n an odd number of 1 or more
     * @return 1, -1, or 0 if the numbers have a common factor
     * @throws IllegalArgumentException for an even n
     */
    public static int jacobi(BigInteger a, BigInteger n) {
        notNegative(n);
        try (Scratch scratch = Scratch.open()) {
            long aAt = scratch.number(a);
            int aLength = scratch.length;
            long nAt = scratch.number(n);
            int nLength = scratch.length;
            long symbol = scratch.ints(new int[1]);
            scratch.check(
                    Library.get().jacobi(
                            symbol, aAt, aLength, nAt, nLength, Calls.sign(a, Status.NEGATIVE_BASE), 0, scratch.why(), Scratch.WHY_LENGTH));
            return scratch.bytes.getInt(scratch.at);
        }
    }

    /** Looks at the numbers below others: one for each, or one for all. */
    private static void below(Rows numbers, Rows below, String what) {
        if (below.count != numbers.count && below.count != 1) {
            throw new IllegalArgumentException(
                    below.count + " " + what + " for " + numbers.count + " numbers: expected as many, or 1");
        }
        if (below.flags(null, Status.NEGATIVE_BASE) != null) {
            throw new IllegalArgumentException("a negative number among the " + what + ": expected 0 or more");
        }
    }

    /**
     * Returns many Jacobi symbols. Not for secrets.
     *
     * @param a any numbers
     * @param n odd numbers of 1 or more: as many, or one for all
     * @return for each number what {@link #jacobi} returns
     * @throws IllegalArgumentException for an even n, and for other counts
     */
    public static int[] jacobiList(Rows a, Rows n) {
        below(a, n, "moduli");
        try (Scratch scratch = Scratch.open()) {
            long symbols = scratch.reserve(4L * a.count);
            ByteBuffer bytes = scratch.bytes;
            int at = scratch.at;
            long above = a.place(scratch, a.width);
            long below = n.place(scratch, n.width);
            long signs = scratch.flags(a.flags(null, Status.NEGATIVE_BASE));
            scratch.check(
                    Library.get().jacobiList(
                            symbols, above, a.width, below, n.width, n.count, a.count, signs, 0, scratch.why(), Scratch.WHY_LENGTH));
            int[] all = new int[a.count];
            for (int i = 0; i < all.length; i++) {
                all[i] = bytes.getInt(at + 4 * i);
            }
            return all;
        } finally {
            a.keep();
            n.keep();
        }
    }

    /**
     * Finds the lesser square root of a number modulo a prime. It is squared before it is returned. Not for secrets.
     *
     * @param a any number
     * @param p a prime
     * @param options settings
     * @return a number r of at most (p - 1) / 2, or 1 modulo 2, with r^2 = a modulo p
     * @throws IllegalArgumentException if the number is no square modulo p, or if no root is found because p is no prime
     * @throws ArithmeticException "BigInteger: modulus not positive"
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static BigInteger sqrtMod(BigInteger a, BigInteger p, Options options) {
        if (p.signum() <= 0) {
            throw new ArithmeticException(Status.NOT_POSITIVE);
        }
        return one(Calls.bytes(p.bitLength()), 2.0 * p.bitLength(), false, options, (out, width, scratch, session) -> {
            long n = scratch.number(a);
            int nLength = scratch.length;
            long prime = scratch.number(p);
            return Library.get().sqrtMod(
                    out, width, n, nLength, prime, scratch.length, Calls.sign(a, Status.NEGATIVE_BASE), session.options, scratch.why(),
                    Scratch.WHY_LENGTH);
        });
    }

    /**
     * Finds the lesser square roots of many numbers modulo primes, with all powers side by side, on several threads. Not for secrets.
     *
     * @param numbers any numbers; one that has no root as of {@link #sqrtMod} has the error {@code bad_argument}
     * @param primes as many primes, or one for all; a 0 among them is the error {@code zero_modulus} of its element
     * @param options settings
     * @return the roots, in rows as wide as those of the primes
     * @throws IllegalArgumentException for other counts, and for a negative number among the primes
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static Results sqrtModList(Rows numbers, Rows primes, Options options) {
        below(numbers, primes, "primes");
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 8L * primes.width, 16.0 * primes.width * numbers.count)) {
            Calls.Output output = new Calls.Output(scratch, null, numbers.count, primes.width, primes.width);
            long values = numbers.place(scratch, numbers.width);
            long primesAt = primes.place(scratch, primes.width);
            long signs = scratch.flags(numbers.flags(null, Status.NEGATIVE_BASE));
            session.check(
                    scratch,
                    Library.get().sqrtModList(
                            output.address, primes.width, values, numbers.width, primesAt, primes.width, primes.count, numbers.count,
                            output.status, signs, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            numbers.keep();
            primes.keep();
        }
    }
}
