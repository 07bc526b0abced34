package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/** A public key of DSA or RSA. It never changes; closing is as of {@link Modulus}. */
public final class Key extends Held {
    /** What can be weak about a key with a hash function. */
    public enum Weakness {
        /** Less than 112 bits of security. */
        SHORT_KEY,
        /** SHA-1. */
        BROKEN_HASH,
        /** Lengths that FIPS 186 does not have. */
        ODD_SIZES,
        /** A public exponent below 65537. */
        SMALL_EXPONENT,
        /** A digest shorter than q. */
        SHORT_DIGEST
    }

    /** What can be wrong with a key. */
    public enum Defect {
        /** q does not divide p - 1. */
        ORDER_DOES_NOT_DIVIDE,
        /** g is not in the subgroup. */
        GENERATOR_NOT_IN_SUBGROUP,
        /** y is not in the subgroup. */
        PUBLIC_VALUE_NOT_IN_SUBGROUP,
        /** p is not prime. */
        FIELD_NOT_PRIME,
        /** q is not prime. */
        ORDER_NOT_PRIME,
        /** n is prime. */
        MODULUS_PRIME,
        /** n has a small factor. */
        SMALL_FACTOR,
        /** n is a power of a smaller number. */
        MODULUS_POWER
    }

    /** How much of a key is examined. */
    public enum Depth {
        /** Only the ranges of its numbers. */
        RANGES,
        /** The subgroups too. */
        SUBGROUPS,
        /** Whether p and q are prime too, or n is composite, no power, and without a small factor. */
        PRIMES
    }

    private Key(long address) {
        super(new Handle(address, Library.get()::keyFree));
    }

    private interface Make {
        int call(long made, Scratch scratch);
    }

    private static Key made(Make make) {
        try (Scratch scratch = Scratch.open()) {
            long made = scratch.reserve(8);
            ByteBuffer bytes = scratch.bytes;
            int at = scratch.at;
            scratch.check(make.call(made, scratch));
            return new Key(bytes.getLong(at));
        }
    }

    private static long number(Scratch scratch, BigInteger number) {
        if (number.signum() < 0) {
            throw new IllegalArgumentException("a number of a key is " + Shown.number(number) + ": expected 0 or more");
        }
        return scratch.number(number);
    }

    /**
     * Makes a key of DSA after checking the ranges of its numbers.
     *
     * @param p odd
     * @param q odd and below p
     * @param g from 2 to p - 1
     * @param y from 2 to p - 1
     * @return the key
     * @throws IllegalArgumentException if a number is out of range
     * @throws PingalaException {@code too_long} above 10,000 bits
     */
    public static Key ofDsa(BigInteger p, BigInteger q, BigInteger g, BigInteger y) {
        return made((made, scratch) -> {
            long pAt = number(scratch, p);
            int pLength = scratch.length;
            long qAt = number(scratch, q);
            int qLength = scratch.length;
            long gAt = number(scratch, g);
            int gLength = scratch.length;
            long yAt = number(scratch, y);
            return Library.get().keyNewDsa(
                    made, pAt, pLength, qAt, qLength, gAt, gLength, yAt, scratch.length, scratch.why(), Scratch.WHY_LENGTH);
        });
    }

    /**
     * Makes a key of RSA after checking the ranges of its numbers.
     *
     * @param n odd
     * @param e odd, from 3 to n - 1
     * @return the key
     * @throws IllegalArgumentException if a number is out of range
     * @throws PingalaException {@code too_long} above 16,384 bits
     */
    public static Key ofRsa(BigInteger n, BigInteger e) {
        return made((made, scratch) -> {
            long nAt = number(scratch, n);
            int nLength = scratch.length;
            long eAt = number(scratch, e);
            return Library.get().keyNewRsa(made, nAt, nLength, eAt, scratch.length, scratch.why(), Scratch.WHY_LENGTH);
        });
    }

    /**
     * Makes a key from the bytes of a file: PEM or DER of a SubjectPublicKeyInfo, of PKCS#1 or of an X.509 certificate, or a line of OpenSSH.
     * What restricts a key is obeyed, or the key is refused.
     *
     * @param file the bytes
     * @return the key
     * @throws IllegalArgumentException if they are no key
     * @throws PingalaException {@code too_long}
     */
    public static Key load(byte[] file) {
        return made((made, scratch) -> Library.get().keyLoad(
                made, scratch.array(file), file.length, scratch.why(), Scratch.WHY_LENGTH));
    }

    /**
     * Returns whether it is a key of DSA; otherwise it is one of RSA.
     *
     * @return true for DSA
     */
    public boolean isDsa() {
        return call((key, scratch) -> Library.get().keyKind(key) == 1);
    }

    /**
     * Returns the length of p, or of n.
     *
     * @return in bits
     */
    public long bits() {
        return call((key, scratch) -> Library.get().keyBits(key));
    }

    /**
     * Returns a scheme with the hash functions that the key says where PSS has none.
     *
     * @param scheme any scheme
     * @return another scheme, or an equal one
     */
    public Scheme scheme(Scheme scheme) {
        return call((key, scratch) -> new Scheme(Library.get().keyScheme(key, scheme.value)));
    }

    /**
     * Returns the shortest salt that a key of type id-RSASSA-PSS allows. Such a key verifies only PSS with its hash functions.
     *
     * @return in bytes; -1 for a key that is not restricted
     */
    public long salt() {
        return call((key, scratch) -> Library.get().keySalt(key));
    }

    /**
     * Returns what is weak about the key with a scheme.
     *
     * @param scheme the scheme
     * @return the weaknesses
     */
    public Set<Weakness> weaknesses(Scheme scheme) {
        return set(Weakness.class, call((key, scratch) -> Library.get().keyWeaknesses(key, scheme.value)));
    }

    /**
     * Examines a key that is not trusted.
     *
     * @param depth how much is examined
     * @param options settings
     * @return what is wrong
     * @throws PingalaException {@code interrupted}
     */
    public Set<Defect> validate(Depth depth, Options options) {
        return call((key, scratch) -> {
            try (Session session = Session.open(options, bits(), 1000)) {
                long defects = scratch.ints(new int[1]);
                ByteBuffer bytes = scratch.bytes;
                int at = scratch.at;
                session.check(
                        scratch,
                        Library.get().keyValidate(
                                key, depth.ordinal(), defects, session.options, scratch.why(), Scratch.WHY_LENGTH));
                return set(Defect.class, bytes.getInt(at));
            }
        });
    }

    private static <E extends Enum<E>> Set<E> set(Class<E> type, int bits) {
        Set<E> set = EnumSet.noneOf(type);
        for (E one : type.getEnumConstants()) {
            if ((bits >> one.ordinal() & 1) != 0) {
                set.add(one);
            }
        }
        return set;
    }

    /**
     * Returns the kind of the key, and the length of p or of n.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        return Shown.open(() -> (isDsa() ? "<DSAPublicKey of " : "<RSAPublicKey of ") + bits() + " bits>", "<PublicKey: closed>");
    }
}
