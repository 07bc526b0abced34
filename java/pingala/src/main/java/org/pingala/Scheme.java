package org.pingala;

/** A signature scheme: the algorithm, a hash function, an encoding and a policy. It never changes: each method returns another. */
public final class Scheme {
    /** The algorithms. */
    public enum Algorithm {
        /** FIPS 186-4. */
        DSA,
        /** RSASSA-PKCS1-v1_5. */
        RSA_PKCS1,
        /** RSASSA-PSS. */
        RSA_PSS
    }

    /** The hash functions. */
    public enum Hash {
        /** SHA-1, which is broken. */
        SHA1,
        /** SHA-224. */
        SHA224,
        /** SHA-256. */
        SHA256,
        /** SHA-384. */
        SHA384,
        /** SHA-512. */
        SHA512,
        /** SHA-512/224. */
        SHA512_224,
        /** SHA-512/256. */
        SHA512_256,
        /** SHA3-224. */
        SHA3_224,
        /** SHA3-256. */
        SHA3_256,
        /** SHA3-384. */
        SHA3_384,
        /** SHA3-512. */
        SHA3_512
    }

    /** The encodings of signatures. Those of RSA are as wide as n with the first three. */
    public enum Encoding {
        /** A sequence of two integers, exactly. */
        DER(0),
        /** r and s, each as wide as q, one after the other. */
        P1363(1 << 24),
        /** DER whose integers may be padded and whose lengths may be long. */
        LENIENT(1 << 26),
        /** OpenSSH: the name of the algorithm and a blob, both with their lengths. */
        SSH(1 << 25),
        /** OpenPGP: r and s, or s, each behind its length in bits. */
        OPENPGP(1 << 27);

        private final int flag;

        Encoding(int flag) {
            this.flag = flag;
        }
    }

    /** Which keys and hash functions are accepted. */
    public enum Policy {
        /** All, up to 10,000 bits for DSA and 16,384 for RSA. */
        LEGACY(0),
        /** Those of FIPS 186. */
        STRICT(1 << 28),
        /** Those of FIPS 186, and no weakness: no SHA-1, no key below 112 bits of security. */
        MODERN(1 << 29);

        private final int flag;

        Policy(int flag) {
            this.flag = flag;
        }
    }

    private static final int HASH_SHIFT = 8;
    private static final int MASK_SHIFT = 16;
    private static final int ENCODINGS = 15 << 24;
    private static final int POLICIES = 3 << 28;

    final int value;

    Scheme(int value) {
        this.value = value;
    }

    /**
     * Returns a scheme with DER and without a policy.
     *
     * @param algorithm the algorithm
     * @param hash the hash function; null with PSS for that of the key
     * @return the scheme
     */
    public static Scheme of(Algorithm algorithm, Hash hash) {
        if (hash == null && algorithm != Algorithm.RSA_PSS) {
            throw new IllegalArgumentException(algorithm + " needs a hash function");
        }
        return new Scheme(algorithm.ordinal() + 1 | (hash == null ? 0 : hash.ordinal() + 1 << HASH_SHIFT));
    }

    /**
     * Sets the hash function of the mask of PSS, which otherwise is that of the key or of the message.
     *
     * @param hash the hash function
     * @return another scheme
     */
    public Scheme withMask(Hash hash) {
        return new Scheme(value & ~(255 << MASK_SHIFT) | hash.ordinal() + 1 << MASK_SHIFT);
    }

    /**
     * Sets the encoding.
     *
     * @param encoding of signatures
     * @return another scheme
     */
    public Scheme with(Encoding encoding) {
        return new Scheme(value & ~ENCODINGS | encoding.flag);
    }

    /**
     * Sets the policy.
     *
     * @param policy which keys and hash functions are accepted
     * @return another scheme
     */
    public Scheme with(Policy policy) {
        return new Scheme(value & ~POLICIES | policy.flag);
    }

    /**
     * Returns the hash function of messages.
     *
     * @return null if the key says which
     */
    public Hash hash() {
        int hash = value >> HASH_SHIFT & 255;
        return hash == 0 ? null : Hash.values()[hash - 1];
    }

    /**
     * Returns the hash function of the mask of PSS.
     *
     * @return null if it is that of the key or of the message
     */
    public Hash mask() {
        int hash = value >> MASK_SHIFT & 255;
        return hash == 0 ? null : Hash.values()[hash - 1];
    }

    /**
     * Computes the digest of a message.
     *
     * @param message the message
     * @return as many bytes as the hash function has
     * @throws IllegalArgumentException if the scheme has no hash function
     */
    public byte[] digest(byte[] message) {
        try (Scratch scratch = Scratch.open()) {
            long text = scratch.array(message);
            long needed = scratch.reserve(8);
            java.nio.ByteBuffer neededBytes = scratch.bytes;
            int neededAt = scratch.at;
            long out = scratch.reserve(64);
            scratch.check(
                    Library.get().hash(out, 64, needed, value, text, message.length, scratch.why(), Scratch.WHY_LENGTH));
            byte[] digest = new byte[(int) neededBytes.getLong(neededAt)];
            scratch.bytes.position(scratch.at);
            scratch.bytes.get(digest);
            return digest;
        }
    }

    /**
     * Returns the scheme's words.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        StringBuilder words = new StringBuilder("Scheme(" + Algorithm.values()[(value & 255) - 1]);
        words.append(hash() == null ? "" : ", " + hash()).append(mask() == null ? "" : ", mask " + mask());
        for (Encoding encoding : Encoding.values()) {
            words.append(encoding.flag != 0 && (value & ENCODINGS) == encoding.flag ? ", " + encoding : "");
        }
        for (Policy policy : Policy.values()) {
            words.append(policy.flag != 0 && (value & POLICIES) == policy.flag ? ", " + policy : "");
        }
        return words.append(")").toString();
    }
}
