// Generated from border/ and pingala.h by tools/border/java (make border); do not edit.
package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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

    /**
     * Returns whether n is prime: proved below 2^64, otherwise by the tests of Baillie and PSW and of Miller and Rabin.
     *
     * @param n any number; a negative one is not prime; not a secret
     * @param options settings
     * @return the answer
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static Answer test(BigInteger n, Options options) {
        if (n.signum() < 0) {
            return Answer.NOT_PRIME;
        }
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, n.bitLength(), 8.0 * n.bitLength())) {
            long out = scratch.reserve(4);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long nAt = scratch.number(n);
            int nLength = scratch.length;
            session.check(scratch, Library.get().isPrime(out, nAt, nLength, session.options, scratch.why(),
                    Scratch.WHY_LENGTH));
            return Answer.of(outBytes.getInt(outPlace));
        }
    }

    /**
     * Returns whether numbers[i] is prime for each i; they are tested side by side.
     *
     * @param numbers any numbers; negative ones are not prime; not secrets
     * @param options settings
     * @return an answer for each
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static Answer[] testList(Rows numbers, Options options) {
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 8L * numbers.width, 8.0 * 8L * numbers.width * numbers.count)) {
            long out = scratch.reserve(numbers.count);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long numbersAt = numbers.place(scratch, numbers.width);
            session.check(scratch, Library.get().isPrimeList(out, numbersAt, numbers.width, numbers.count,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
            return Answer.all(outBytes, outPlace, numbers);
        } finally {
            numbers.keep();
        }
    }

    /**
     * Returns the least prime above n.
     *
     * @param n any number; not a secret
     * @param options settings
     * @return the result, 0 or more
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static BigInteger next(BigInteger n, Options options) {
        if (n.signum() < 0) {
            return BigInteger.TWO;
        }
        int width = primeWidth(n.bitLength());
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, n.bitLength(), 100.0 * n.bitLength())) {
            long out = scratch.reserve(width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long nAt = scratch.number(n);
            int nLength = scratch.length;
            session.check(scratch, Library.get().nextPrime(out, width, nAt, nLength, session.options, scratch.why(),
                    Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, width);
        }
    }

    /**
     * Returns the greatest prime below n.
     *
     * @param n 3 or more; not a secret
     * @param options settings
     * @return the result, 0 or more
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static BigInteger previous(BigInteger n, Options options) {
        Calls.notNegative("n", n);
        int width = primeWidth(n.bitLength());
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, n.bitLength(), 100.0 * n.bitLength())) {
            long out = scratch.reserve(width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long nAt = scratch.number(n);
            int nLength = scratch.length;
            session.check(scratch, Library.get().previousPrime(out, width, nAt, nLength, session.options, scratch.why(),
                    Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, width);
        }
    }

    /**
     * Returns a random prime of so many bits. It is no secret.
     *
     * @param bits its length in bits, 2 or more; 64 or more for a secret one
     * @param options settings
     * @param conditions what else it has to be
     * @return the result, 0 or more
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code fault}, {@code interrupted}
     */
    public static BigInteger random(long bits, Options options, Condition... conditions) {
        int width = primeWidth(bits);
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, bits, 1000.0 * bits)) {
            long out = scratch.reserve(width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            session.check(scratch, Library.get().randomPrime(out, width, bits, bits(conditions), session.options,
                    scratch.why(), Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, width);
        }
    }

    /**
     * Returns a secret random prime of so many bits, by FIPS 186-5, A.1.3.
     *
     * @param bits its length in bits, 2 or more; 64 or more for a secret one
     * @param options settings
     * @param conditions what else it has to be
     * @return the result, 0 or more
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code fault}, {@code interrupted}
     */
    public static BigInteger randomSecret(long bits, Options options, Condition... conditions) {
        int width = primeWidth(bits);
        try (Scratch scratch = Scratch.openSecret();
                Session session = Session.open(options, bits, 1000.0 * bits)) {
            long out = scratch.reserve(width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            session.check(scratch, Library.get().randomSecretPrime(out, width, bits, bits(conditions), session.options,
                    scratch.why(), Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, width);
        }
    }

    /**
     * Returns two secret primes whose product has so many bits, for RSA, Paillier's scheme, or safe.
     *
     * @param modulusBits the length of their product in bits, an even number from 128 on
     * @param kind what they are for
     * @param publicExponent that of RSA, odd and at least 3; otherwise 0
     * @param options settings
     * @return both numbers
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code fault}, {@code interrupted}
     */
    public static List<BigInteger> pair(long modulusBits, Pair kind, long publicExponent, Options options) {
        Calls.notNegative("publicExponent", publicExponent);
        int width = primeWidth(modulusBits);
        try (Scratch scratch = Scratch.openSecret();
                Session session = Session.open(options, modulusBits, 1000.0 * modulusBits)) {
            long both = scratch.reserve(2L * width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            session.check(scratch, Library.get().primePair(both, width, both + width, width, modulusBits, kind.ordinal()
                    + 1, publicExponent, session.options, scratch.why(), Scratch.WHY_LENGTH));
            return List.of(Scratch.result(outBytes, outPlace, width),
                    Scratch.result(outBytes, outPlace + width, width));
        }
    }

    /**
     * Returns a certificate that n is prime.
     *
     * @param n the prime
     * @param factors known prime factors of n - 1; others are searched
     * @param options settings
     * @return the text
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static String certify(BigInteger n, Rows factors, Options options) {
        Calls.notNegative("n", n);
        Calls.notNegative("factors", factors);
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, n.bitLength(), 100000.0 * n.bitLength())) {
            long nAt = scratch.number(n);
            int nLength = scratch.length;
            long factorsAt = factors.place(scratch, factors.width);
            return Calls.text(scratch, (text, textLength, needed) -> Library.get().certify(text, textLength, needed,
                    nAt, nLength, factorsAt, factors.width, factors.count, session.options, scratch.why(),
                    Scratch.WHY_LENGTH));
        } finally {
            factors.keep();
        }
    }

    /**
     * Returns the prime of a certificate that holds.
     *
     * @param certificate the text, which ends with its last line feed
     * @param options settings
     * @return the result, 0 or more
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static BigInteger checkCertificate(String certificate, Options options) {
        int width = certificate.length() + 1;
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 8L * certificate.length(), 100000.0 * 8L * certificate.length())) {
            long out = scratch.reserve(width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long certificateAt = scratch.array(certificate.getBytes(StandardCharsets.UTF_8));
            int certificateLength = scratch.length;
            session.check(scratch, Library.get().checkCertificate(out, width, certificateAt, certificateLength,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, width);
        }
    }

    /**
     * As {@link #jacobi(BigInteger, BigInteger, Options)}, with the default options.
     *
     * @param a any number; not a secret
     * @param n an odd number of 1 or more
     * @return 1, -1, or 0 if the numbers have a common factor
     */
    public static int jacobi(BigInteger a, BigInteger n) {
        return jacobi(a, n, Options.DEFAULT);
    }

    /**
     * Returns the Jacobi symbol (a/n) for an odd n above 0: 1, -1, or 0.
     *
     * @param a any number; not a secret
     * @param n an odd number of 1 or more
     * @param options settings
     * @return 1, -1, or 0 if the numbers have a common factor
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static int jacobi(BigInteger a, BigInteger n, Options options) {
        Calls.notNegative("n", n);
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, n.bitLength(), 1.0 * n.bitLength())) {
            long out = scratch.reserve(4);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long aAt = scratch.number(a);
            int aLength = scratch.length;
            long nAt = scratch.number(n);
            int nLength = scratch.length;
            session.check(scratch, Library.get().jacobi(out, aAt, aLength, nAt, nLength,
                    Calls.sign(a, Status.NEGATIVE_BASE), session.options, scratch.why(), Scratch.WHY_LENGTH));
            return outBytes.getInt(outPlace);
        }
    }

    /**
     * As {@link #jacobiList(Rows, Rows, Options)}, with the default options.
     *
     * @param a any numbers; not secrets
     * @param n odd numbers of 1 or more: as many, or one for all
     * @return for each 1, -1, or 0 if the numbers have a common factor
     */
    public static int[] jacobiList(Rows a, Rows n) {
        return jacobiList(a, n, Options.DEFAULT);
    }

    /**
     * Returns the Jacobi symbol (a[i]/n[i]) for each i.
     *
     * @param a any numbers; not secrets
     * @param n odd numbers of 1 or more: as many, or one for all
     * @param options settings
     * @return for each 1, -1, or 0 if the numbers have a common factor
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static int[] jacobiList(Rows a, Rows n, Options options) {
        Calls.oneOrAll("a", a, "n", n);
        Calls.notNegative("n", n);
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 8L * a.width, 1.0 * 8L * a.width * a.count)) {
            long out = scratch.reserve(4L * a.count);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long aAt = a.place(scratch, a.width);
            long nAt = n.place(scratch, n.width);
            long signs = scratch.flags(a.flags(null, Status.NEGATIVE_BASE));
            session.check(scratch, Library.get().jacobiList(out, aAt, a.width, nAt, n.width, n.count, a.count, signs,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
            return Calls.ints(outBytes, outPlace, a.count);
        } finally {
            a.keep();
            n.keep();
        }
    }

    /**
     * As {@link #kronecker(BigInteger, BigInteger, Options)}, with the default options.
     *
     * @param a any number; not a secret
     * @param n any number
     * @return 1, -1, or 0 if the numbers have a common factor
     */
    public static int kronecker(BigInteger a, BigInteger n) {
        return kronecker(a, n, Options.DEFAULT);
    }

    /**
     * Returns the Kronecker symbol (a/n) for any n.
     *
     * @param a any number; not a secret
     * @param n any number
     * @param options settings
     * @return 1, -1, or 0 if the numbers have a common factor
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static int kronecker(BigInteger a, BigInteger n, Options options) {
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, n.bitLength(), 1.0 * n.bitLength())) {
            long out = scratch.reserve(4);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long aAt = scratch.number(a);
            int aLength = scratch.length;
            long nAt = scratch.number(n);
            int nLength = scratch.length;
            session.check(scratch, Library.get().kronecker(out, aAt, aLength, nAt, nLength,
                    Calls.sign(a, Status.NEGATIVE_BASE) | Calls.sign(n, Status.NEGATIVE_EXPONENT), session.options,
                    scratch.why(), Scratch.WHY_LENGTH));
            return outBytes.getInt(outPlace);
        }
    }

    /**
     * Returns a square root of a modulo a prime p.
     *
     * @param a any number that is a square; not a secret
     * @param p a prime
     * @param options settings
     * @return the result, 0 or more
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws ArithmeticException "BigInteger: modulus not positive"
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static BigInteger sqrtMod(BigInteger a, BigInteger p, Options options) {
        Calls.positive(p);
        int width = Calls.bytes(p.bitLength());
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, p.bitLength(), 2.0 * p.bitLength())) {
            long out = scratch.reserve(width);
            ByteBuffer outBytes = scratch.bytes;
            int outPlace = scratch.at;
            long aAt = scratch.number(a);
            int aLength = scratch.length;
            long pAt = scratch.number(p);
            int pLength = scratch.length;
            session.check(scratch, Library.get().sqrtMod(out, width, aAt, aLength, pAt, pLength,
                    Calls.sign(a, Status.NEGATIVE_BASE), session.options, scratch.why(), Scratch.WHY_LENGTH));
            return Scratch.result(outBytes, outPlace, width);
        }
    }

    /**
     * Returns all square roots of a, in order.
     *
     * @param a any number; not a secret
     * @param p a prime
     * @param options settings
     * @return the numbers in order; none if there are none
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws ArithmeticException "BigInteger: modulus not positive"
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static Results sqrtModAll(BigInteger a, BigInteger p, Options options) {
        Calls.positive(p);
        int width = Calls.bytes(p.bitLength());
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, p.bitLength(), 2.0 * p.bitLength())) {
            long aAt = scratch.number(a);
            int aLength = scratch.length;
            long pAt = scratch.number(p);
            int pLength = scratch.length;
            return Calls.some(scratch, session, width, 64L * width, (out, room, needed) -> Library.get().sqrtModAll(out,
                    room, width, needed, aAt, aLength, pAt, pLength, Calls.sign(a, Status.NEGATIVE_BASE),
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
        }
    }

    /**
     * Returns a square root of values[i] modulo primes[i] for each i.
     *
     * @param values any numbers; one that has no root has the error {@code bad_argument}
     * @param primes as many primes, or one for all; 0 is the error {@code zero_modulus} of its element
     * @param options settings
     * @return the results; {@link Results#error} names the error of an element that has none
     * @throws IllegalArgumentException for an argument that is out of its range
     * @throws PingalaException {@code too_long}, {@code interrupted}
     */
    public static Results sqrtModList(Rows values, Rows primes, Options options) {
        return sqrtModList(values, primes, options, null);
    }

    /**
     * As {@link #sqrtModList(Rows, Rows, Options)}, into a buffer.
     *
     * @param values any numbers; one that has no root has the error {@code bad_argument}
     * @param primes as many primes, or one for all; 0 is the error {@code zero_modulus} of its element
     * @param options settings
     * @param out room for as many rows; null for a new buffer
     * @return the results; {@link Results#error} names the error of an element that has none
     */
    public static Results sqrtModList(Rows values, Rows primes, Options options, ByteBuffer out) {
        Calls.oneOrAll("values", values, "primes", primes);
        Calls.notNegative("primes", primes);
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 8L * primes.width, 2.0 * 8L * primes.width * values.count)) {
            Calls.Output output = new Calls.Output(scratch, out, values.count, primes.width, primes.width);
            long valuesAt = values.place(scratch, values.width);
            long primesAt = primes.place(scratch, primes.width);
            long signs = scratch.flags(values.flags(null, Status.NEGATIVE_BASE));
            session.check(scratch, Library.get().sqrtModList(output.address, primes.width, valuesAt, values.width,
                    primesAt, primes.width, primes.count, values.count, output.status, signs, session.options,
                    scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            values.keep();
            primes.keep();
        }
    }
}
