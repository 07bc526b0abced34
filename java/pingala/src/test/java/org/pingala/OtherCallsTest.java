package org.pingala;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables, chains, secrets, primes, signatures, plans. */
class OtherCallsTest {
    private static final Random RANDOM = new Random(11);
    private static final BigInteger M = Cases.odd(RANDOM, 700);
    private static final BigInteger B = new BigInteger(700, RANDOM);
    private static final BigInteger E = new BigInteger(700, RANDOM);

    @Test
    void tables(@TempDir Path folder) {
        try (Modulus modulus = Modulus.of(M);
                FixedBase table = FixedBase.of(modulus, B, FixedBase.Table.of(700, 1 << 18).forPowers(1000))) {
            assertEquals(B.modPow(E, M), table.pow(E));
            assertEquals(B.modPow(E.negate(), M), table.pow(E.negate()));
            assertEquals(B.mod(M), table.base());
            assertEquals(M, table.modulus());
            assertEquals(700, table.exponentBits());
            assertTrue(table.tableBytes() > 0 && table.tableBytes() <= 1 << 18);
            assertTrue(!table.plan().isEmpty());
            table.verify();
            Results powers = table.powList(Rows.of(E, BigInteger.ONE.shiftLeft(800), BigInteger.ZERO));
            assertEquals(B.modPow(E, M), powers.get(0));
            assertEquals("too_long", powers.error(1));
            assertEquals(BigInteger.ONE, powers.get(2));
            Path file = folder.resolve("a table");
            table.save(file);
            try (FixedBase loaded = FixedBase.load(file);
                    FixedBase expected = FixedBase.load(file, modulus);
                    Modulus other = Modulus.of(M.add(BigInteger.TWO))) {
                assertEquals(B.modPow(E, M), loaded.pow(E));
                assertEquals(B.modPow(E, M), expected.with(Options.DEFAULT.withThreads(1)).pow(E));
                PingalaException e = assertThrows(PingalaException.class, () -> FixedBase.load(file, other));
                assertEquals("bad_file", e.code());
            }
            assertThrows(PingalaException.class, () -> FixedBase.load(folder.resolve("none")));
            assertThrows(IllegalArgumentException.class, () -> FixedBase.of(modulus, B, FixedBase.Table.of(700, 1)));
            assertThrows(IllegalArgumentException.class, () -> FixedBase.Table.of(0, 1000));
            assertThrows(IllegalArgumentException.class, () -> FixedBase.Table.of(10, -1));
            assertTrue(modulus.explainFixedBase(Format.TEXT, B, FixedBase.Table.of(700, 1 << 18)).contains("table"));
        }
    }

    @Test
    void chains(@TempDir Path folder) {
        BigInteger exponent = BigInteger.valueOf(0x1234567);
        Path file = folder.resolve("chain.json");
        try (Modulus modulus = Modulus.of(M);
                FixedExponent fixed = FixedExponent.search(exponent, 2000, Duration.ZERO, 1, Options.DEFAULT);
                FixedPower power = fixed.modulo(modulus)) {
            assertEquals(exponent, fixed.value());
            assertEquals(exponent.bitLength(), fixed.bits());
            assertTrue(fixed.products() >= fixed.bits() - 1);
            assertEquals(B.modPow(exponent, M), power.pow(B));
            assertEquals(B.negate().modPow(exponent, M), power.powList(Rows.of(B, B.negate())).get(1));
            assertTrue(!fixed.explain(modulus).isEmpty());
            fixed.save(file);
            try (FixedExponent loaded = FixedExponent.load(file)) {
                assertEquals(fixed.products(), loaded.products());
            }
        }
    }

    @Test
    void factors() {
        BigInteger p = BigInteger.probablePrime(256, RANDOM);
        BigInteger q = BigInteger.probablePrime(256, RANDOM);
        BigInteger n = p.multiply(p).multiply(q);
        BigInteger d = BigInteger.valueOf(65537).modInverse(p.subtract(BigInteger.ONE).multiply(q.subtract(BigInteger.ONE)));
        try (Modulus known = Modulus.of(n, Options.DEFAULT, Factor.of(p, 2), Factor.of(q))) {
            assertEquals(B.modPow(E, n), known.pow(B, E));
        }
        assertEquals("wrong_factors", assertThrows(PingalaException.class, () -> Modulus.of(n, Options.DEFAULT, Factor.of(p))).code());
        BigInteger pq = p.multiply(q);
        Options options = Options.DEFAULT.withPublicExponent(BigInteger.valueOf(65537));
        try (Modulus secret = Modulus.ofSecretFactors(pq, options, Factor.of(p), Factor.of(q));
                SecretExponent exponent = SecretExponent.of(d, 512);
                SecretExponent wrong = SecretExponent.of(d.add(BigInteger.TWO), 513)) {
            BigInteger base = B.mod(pq);
            assertEquals(base.modPow(d, pq), secret.powSecure(base, exponent));
            assertThrows(RuntimeException.class, () -> secret.powSecure(base, wrong));
            assertEquals(base.modPow(d, pq), secret.powSecureBases(Rows.of(base, BigInteger.ONE), exponent).get(0));
            assertThrows(IllegalArgumentException.class, () -> secret.powSecure(base.negate(), exponent));
        }
    }

    @Test
    void secrets() {
        assertEquals("bad_secret", assertThrows(PingalaException.class, () -> SecretExponent.of(E, 600)).code());
        assertEquals("bad_secret", assertThrows(PingalaException.class, () -> SecretExponent.of(new byte[] {1, 0, 0}, 16)).code());
        assertEquals("bad_secret", assertThrows(PingalaException.class, () -> SecretExponent.of(new byte[] {2, 0}, 9)).code());
        assertThrows(IllegalArgumentException.class, () -> SecretExponent.of(E.negate(), 800));
        assertThrows(IllegalArgumentException.class, () -> SecretExponent.of(BigInteger.ONE, 0));
        for (int bits : new int[] {700, 701, 704, 711, 1500}) {
            try (Modulus modulus = Modulus.of(M);
                    SecretExponent secret = SecretExponent.of(E, bits);
                    SecretExponent padded = SecretExponent.of(new byte[] {0, 0, 0, 1, 1}, 9)) {
                assertEquals(B.modPow(E, M), modulus.powSecure(B, secret));
                assertEquals(B.modPow(BigInteger.valueOf(257), M), modulus.powSecure(B, padded));
                Results powers = modulus.powSecureList(Rows.of(B, B), Rows.of(E, BigInteger.TEN), bits);
                assertEquals(B.modPow(E, M), powers.get(0));
                assertEquals(B.modPow(BigInteger.TEN, M), powers.get(1));
                PingalaException e = assertThrows(
                        PingalaException.class, () -> modulus.powSecureList(Rows.of(B, B), Rows.of(E, BigInteger.TEN), 8));
                assertEquals("bad_secret", e.code());
            }
        }
        try (Modulus modulus = Modulus.of(M);
                FixedBase table = FixedBase.of(modulus, B, FixedBase.Table.of(700, 1 << 18).forSecrets());
                SecretExponent secret = SecretExponent.of(E, 700)) {
            assertEquals(B.modPow(E, M), table.powSecure(secret));
        }
    }

    @Test
    void primes() {
        Options options = Options.DEFAULT;
        BigInteger p = BigInteger.probablePrime(300, RANDOM);
        assertTrue(Primes.isPrime(p));
        assertEquals(Primes.Answer.PROVED_PRIME, Primes.test(BigInteger.valueOf(97), options));
        assertEquals(Primes.Answer.NOT_PRIME, Primes.test(BigInteger.ONE, options));
        List<BigInteger> numbers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            numbers.add(i % 2 == 0 ? BigInteger.valueOf(i) : new BigInteger(100, RANDOM));
        }
        Primes.Answer[] answers = Primes.testList(Rows.of(numbers), options.withPrimeRounds(5));
        for (int i = 0; i < 200; i++) {
            assertEquals(numbers.get(i).isProbablePrime(40), answers[i].isPrime(), numbers.get(i).toString());
        }
        assertEquals(p.nextProbablePrime(), Primes.next(p, options));
        assertEquals(p, Primes.previous(p.nextProbablePrime(), options));
        assertThrows(IllegalArgumentException.class, () -> Primes.previous(BigInteger.TWO, options));
        BigInteger random = Primes.random(128, options.withPrimeResidue(BigInteger.valueOf(3), BigInteger.valueOf(8)), Primes.Condition.TWO_TOP_BITS);
        assertTrue(random.bitLength() == 128 && random.testBit(126) && random.isProbablePrime(50));
        assertEquals(3, random.mod(BigInteger.valueOf(8)).intValue());
        assertTrue(Primes.random(64, options, Primes.Condition.SAFE).shiftRight(1).isProbablePrime(50));
        assertTrue(Primes.randomSecret(256, options).isProbablePrime(50));
        List<BigInteger> pair = Primes.pair(512, Primes.Pair.RSA, 65537, options);
        assertEquals(512, pair.get(0).multiply(pair.get(1)).bitLength());
        Primes.Certified certified = Primes.randomProved(200, options);
        assertEquals(certified.prime(), Primes.checkCertificate(certified.certificate(), options));
        String certificate = Primes.certify(BigInteger.valueOf(1_000_003).pow(1), Rows.of(), options);
        assertEquals(BigInteger.valueOf(1_000_003), Primes.checkCertificate(certificate, options));
        assertThrows(IllegalArgumentException.class, () -> Primes.checkCertificate("nothing\n", options));
        assertFalse(Primes.isPrime(BigInteger.valueOf(-3)));
        assertEquals(BigInteger.TWO, Primes.next(BigInteger.valueOf(-3), options));
        assertThrows(IllegalArgumentException.class, () -> Primes.previous(BigInteger.valueOf(-3), options));
        assertThrows(IllegalArgumentException.class, () -> Primes.random(-1, options));
        assertEquals(-1, Primes.jacobi(BigInteger.TWO, BigInteger.valueOf(3)));
        assertEquals(0, Primes.jacobi(BigInteger.valueOf(-6), BigInteger.valueOf(9)));
        assertThrows(IllegalArgumentException.class, () -> Primes.jacobi(BigInteger.TWO, BigInteger.TEN));
    }

    @Test
    void primesOfIntervals() {
        Options options = Options.DEFAULT;
        boolean[] composite = new boolean[300_000];
        for (int i = 2; i < composite.length; i++) {
            for (long j = (long) i * i; j < composite.length && !composite[i]; j += i) {
                composite[(int) j] = true;
            }
        }
        int[][] intervals = {
            {0, 300_000}, {0, 0}, {0, 2}, {0, 3}, {2, 3}, {3, 2}, {5, 5}, {24, 29}, {90, 97}, {89, 98}, {255, 258}, {65_000, 66_000}
        };
        for (int[] bounds : intervals) {
            List<BigInteger> expected = new ArrayList<>();
            for (int i = Math.max(2, bounds[0]); i < bounds[1]; i++) {
                if (!composite[i]) {
                    expected.add(BigInteger.valueOf(i));
                }
            }
            Results found = Primes.between(BigInteger.valueOf(bounds[0]), BigInteger.valueOf(bounds[1]), options);
            assertEquals(expected, found);
            assertEquals(expected.size() * found.width(), found.rows().remaining());
        }
        BigInteger from = Cases.odd(RANDOM, 500);
        BigInteger below = from.add(BigInteger.valueOf(3000));
        List<BigInteger> expected = new ArrayList<>();
        for (BigInteger p = from.subtract(BigInteger.ONE).nextProbablePrime(); p.compareTo(below) < 0; p = p.nextProbablePrime()) {
            expected.add(p);
        }
        assertEquals(expected, Primes.between(from, below, options.withThreads(2)));
        assertEquals(List.of(), Primes.between(below, from, options));
        assertEquals(List.of(BigInteger.TWO), Primes.between(BigInteger.ONE.negate(), BigInteger.valueOf(3), options));
        assertEquals(List.of(), Primes.between(BigInteger.TEN.negate(), BigInteger.ONE.negate(), options));
        // A list of more than 2^30 bytes; numbers above the limit.
        for (Options limited : List.of(options, options.withLimits(300, 0))) {
            PingalaException e = assertThrows(PingalaException.class, () -> Primes.between(BigInteger.ZERO, below, limited));
            assertEquals("too_long", e.code());
        }
    }

    @Test
    void symbolsAndRoots() {
        Options options = Options.DEFAULT;
        List<BigInteger> numbers = new ArrayList<>();
        List<BigInteger> squares = new ArrayList<>();
        List<BigInteger> moduli = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            moduli.add(i == 0 ? BigInteger.TWO : BigInteger.probablePrime(2 + 7 * i, RANDOM));
            numbers.add(Cases.number(RANDOM));
            squares.add(numbers.get(i).pow(2).subtract(moduli.get(i).multiply(BigInteger.valueOf(i % 3))));
        }
        for (boolean each : new boolean[] {true, false}) {
            List<BigInteger> below = each ? moduli : moduli.subList(40, 41);
            Results roots = Primes.sqrtModList(Rows.of(squares), Rows.of(below), options);
            Results other = Primes.sqrtModList(Rows.of(numbers), Rows.of(below), options);
            List<BigInteger> odd = new ArrayList<>(below);
            odd.replaceAll(p -> p.setBit(0));
            int[] symbols = Primes.jacobiList(Rows.of(numbers), Rows.of(odd));
            for (int i = 0; i < 60; i++) {
                BigInteger p = below.get(each ? i : 0);
                BigInteger number = numbers.get(i);
                assertEquals(Primes.jacobi(number, p.setBit(0)), symbols[i]);
                if (each) {
                    BigInteger root = number.mod(p).min(number.negate().mod(p));
                    assertEquals(root, roots.get(i));
                    assertEquals(root, Primes.sqrtMod(squares.get(i), p, options));
                }
                boolean square = p.equals(BigInteger.TWO) || symbols[i] >= 0;
                assertEquals(square ? null : "bad_argument", other.error(i));
                if (square) {
                    assertEquals(number.mod(p), other.get(i).pow(2).mod(p));
                } else {
                    assertThrows(IllegalArgumentException.class, () -> Primes.sqrtMod(number, p, options));
                }
            }
        }
        BigInteger seven = BigInteger.valueOf(7);
        assertEquals(0, Primes.jacobiList(Rows.of(), Rows.of()).length);
        assertEquals(0, Primes.jacobiList(Rows.of(), Rows.of(seven)).length);
        assertEquals(List.of(), Primes.sqrtModList(Rows.of(), Rows.of(), options));
        assertEquals(List.of(), Primes.sqrtModList(Rows.of(), Rows.of(seven), options));
        Results withZero = Primes.sqrtModList(Rows.of(seven, seven), Rows.of(BigInteger.ZERO, BigInteger.TWO), options);
        assertEquals("zero_modulus", withZero.error(0));
        assertEquals(BigInteger.ONE, withZero.get(1));
        Rows three = Rows.of(seven, seven, seven);
        for (Rows wrong : List.of(Rows.of(seven, seven), Rows.of(), Rows.of(seven.negate()))) {
            assertThrows(IllegalArgumentException.class, () -> Primes.jacobiList(three, wrong));
            assertThrows(IllegalArgumentException.class, () -> Primes.sqrtModList(three, wrong, options));
        }
        assertThrows(IllegalArgumentException.class, () -> Primes.jacobiList(three, Rows.of(seven, BigInteger.TWO, seven)));
        assertThrows(ArithmeticException.class, () -> Primes.sqrtMod(seven, BigInteger.ZERO, options));
        assertThrows(ArithmeticException.class, () -> Primes.sqrtMod(seven, seven.negate(), options));
    }

    @Test
    void symbolsAndRootsOfOtherModuli() {
        Options options = Options.DEFAULT;
        BigInteger two = BigInteger.TWO;
        assertEquals(-1, Primes.kronecker(two.negate(), BigInteger.valueOf(-3)));
        assertEquals(1, Primes.kronecker(BigInteger.ONE, BigInteger.ZERO));
        assertEquals(0, Primes.kronecker(two, BigInteger.TEN, options));
        assertThrows(IllegalArgumentException.class, () -> Primes.jacobi(two, BigInteger.valueOf(-3)));
        Options short64 = options.withLimits(64, 64);
        assertThrows(PingalaException.class, () -> Primes.jacobi(two, BigInteger.ONE.shiftLeft(70).setBit(0), short64));
        BigInteger p = BigInteger.valueOf(1_000_003);
        BigInteger a = BigInteger.valueOf(123_456).pow(2);
        assertEquals(List.of(BigInteger.valueOf(123_456), p.subtract(BigInteger.valueOf(123_456))), Primes.sqrtModAll(a, p, options));
        BigInteger n = p.multiply(BigInteger.valueOf(3).pow(8));
        try (Modulus factored = Modulus.of(n, options, Factor.of(p), Factor.of(BigInteger.valueOf(3), 8))) {
            // 9 times a square modulo 3^8 has six roots, and so the product has twelve; more than the room of the first try for 0.
            BigInteger nine = BigInteger.valueOf(9);
            Results roots = factored.sqrtAll(nine, 100);
            assertEquals(12, roots.size());
            for (BigInteger root : roots) {
                assertEquals(nine, root.pow(2).mod(n));
            }
            assertEquals(nine, factored.sqrt(nine).pow(2).mod(n));
            assertEquals(81, factored.sqrtAll(BigInteger.ZERO, 100).size());
            assertThrows(IllegalArgumentException.class, () -> factored.sqrtAll(BigInteger.ZERO, 80));
            assertThrows(IllegalArgumentException.class, () -> factored.sqrt(two));
            assertEquals(List.of(), factored.sqrtAll(two, 100));
        }
        Primes.Estimate estimate = Primes.estimateRandom(256, true, options, Primes.Condition.TWO_TOP_BITS);
        assertTrue(estimate.tests() >= 1 && estimate.seconds() > 0);
        assertThrows(IllegalArgumentException.class, () -> Primes.estimateRandom(1, false, options));
    }

    @Test
    void listsWriteIntoBuffers() {
        try (Modulus m = Modulus.of(BigInteger.valueOf(1009))) {
            Rows rows = Rows.of(BigInteger.valueOf(-3), BigInteger.valueOf(5), BigInteger.valueOf(1_000_000));
            ByteBuffer out = ByteBuffer.allocateDirect(7);
            out.position(1);
            assertEquals(m.squareList(rows), m.squareList(rows, out));
            assertEquals(25, out.get(4));
            assertEquals(m.runningProduct(rows), m.runningProduct(rows, ByteBuffer.allocate(6)));
            assertEquals(m.powProductList(rows, Rows.of(BigInteger.ONE, BigInteger.TWO, BigInteger.TWO), new int[] {2, 3}),
                    m.powProductList(rows, Rows.of(BigInteger.ONE, BigInteger.TWO, BigInteger.TWO), new int[] {2, 3}, out));
            assertThrows(IllegalArgumentException.class, () -> m.squareList(rows, ByteBuffer.allocate(5)));
        }
    }

    private static void signatures(String algorithm, String java, Scheme scheme, int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits);
        KeyPair pair = generator.generateKeyPair();
        int count = 9;
        byte[][] signatures = new byte[count][];
        byte[][] digests = new byte[count][];
        int[] keyOf = new int[count];
        for (int i = 0; i < count; i++) {
            byte[] message = ("message " + i).getBytes(StandardCharsets.UTF_8);
            Signature signer = Signature.getInstance(java);
            signer.initSign(pair.getPrivate());
            signer.update(message);
            signatures[i] = signer.sign();
            digests[i] = scheme.digest(i == 4 ? new byte[] {1} : message);
            assertArrayEquals(MessageDigest.getInstance("SHA-256").digest(i == 4 ? new byte[] {1} : message), digests[i]);
        }
        signatures[6][signatures[6].length - 1] ^= 1;
        try (Key key = Key.load(pair.getPublic().getEncoded())) {
            assertEquals(bits, key.bits());
            assertEquals(algorithm.equals("DSA"), key.isDsa());
            Signatures.Verdicts verdicts =
                    Signatures.verifyList(List.of(key), keyOf, Rows.of(digests), signatures, scheme, Options.DEFAULT);
            for (int i = 0; i < count; i++) {
                assertEquals(i != 4 && i != 6, verdicts.valid(i));
            }
            assertEquals("mismatch", verdicts.reason(4));
            assertTrue(!verdicts.allValid());
            String plan = Signatures.explain(List.of(key), keyOf, Rows.of(digests), signatures, scheme, Options.DEFAULT);
            assertTrue(!plan.isEmpty());
            assertEquals(Set.of(), key.validate(Key.Depth.PRIMES, Options.DEFAULT));
            assertEquals(-1, key.salt());
            assertEquals(Scheme.Hash.SHA256, key.scheme(scheme).hash());
            assertEquals(bits < 2048, key.weaknesses(scheme).contains(Key.Weakness.SHORT_KEY));
            Signatures.Verdicts modern = Signatures.verifyList(
                    List.of(key), keyOf, Rows.of(digests), signatures, scheme.with(Scheme.Policy.MODERN), Options.DEFAULT);
            assertEquals(bits < 2048 ? "policy" : null, modern.reason(0));
            assertThrows(IllegalArgumentException.class,
                    () -> Signatures.verifyList(List.of(key), null, Rows.of(digests), signatures, scheme, Options.DEFAULT));
        }
    }

    @Test
    void verification() throws Exception {
        signatures("RSA", "SHA256withRSA", Scheme.of(Scheme.Algorithm.RSA_PKCS1, Scheme.Hash.SHA256), 2048);
        signatures("DSA", "SHA256withDSA", Scheme.of(Scheme.Algorithm.DSA, Scheme.Hash.SHA256), 1024);
        assertThrows(IllegalArgumentException.class, () -> Key.load(new byte[] {1, 2}));
        assertThrows(IllegalArgumentException.class, () -> Key.ofRsa(BigInteger.TEN, BigInteger.valueOf(3)));
        assertThrows(IllegalArgumentException.class, () -> Key.ofDsa(M, M, B, E));
        Scheme pss = Scheme.of(Scheme.Algorithm.RSA_PSS, null).withMask(Scheme.Hash.SHA1).with(Scheme.Encoding.SSH);
        assertEquals(Scheme.Hash.SHA1, pss.mask());
        assertEquals(null, pss.hash());
    }

    @Test
    void plans() {
        try (Modulus modulus = Modulus.of(M)) {
            String plan = modulus.explain(Format.PLAN, B, E);
            assertEquals(B.modPow(E, M), modulus.with(Options.DEFAULT.withPlan(plan)).pow(B, E));
            assertTrue(modulus.explain(Format.JSON, B, E).startsWith("{"));
            assertTrue(modulus.explain(Format.TEXT_ALL, B, E).length() >= modulus.explain(Format.TEXT, B, E).length());
            Rows numbers = Rows.of(B, E, B.negate());
            Rows exponents = Rows.of(E, E, BigInteger.TEN);
            assertTrue(modulus.explainExponents(Format.TEXT, exponents).length() > 10);
            assertTrue(modulus.explainBases(Format.TEXT, Rows.of(B, E), E).length() > 10);
            assertTrue(modulus.explainProduct(Format.TEXT, exponents).length() > 10);
            assertTrue(modulus.explainRepeatedSquare(Format.TEXT, 1000).length() > 10);
            for (Format format : Format.values()) {
                assertTrue(modulus.explainProductList(format, numbers, exponents, new int[] {2, 3}).length() > 10);
                assertTrue(Pingala.explainProductList(
                        format, numbers, exponents, new int[] {2, 3}, List.of(modulus), new int[2], Options.DEFAULT).length() > 10);
            }
            assertTrue(modulus.planList(numbers, exponents).length() > 10);
            assertTrue(Pingala.planList(numbers, exponents, List.of(modulus), new int[3], Options.DEFAULT).length() > 10);
        }
    }

    @Test
    void whatRuns() {
        assertTrue(List.of("jni", "ffm").contains(Pingala.backend()));
        boolean ffm = Runtime.version().feature() >= 22 && !"jni".equals(System.getProperty("pingala.backend"));
        assertEquals(ffm ? "ffm" : "jni", Pingala.backend());
        assertTrue(Pingala.abi() >= 2);
    }
}
