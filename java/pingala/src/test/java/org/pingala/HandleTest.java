package org.pingala;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HandleTest {
    private static final BigInteger M = Cases.odd(new Random(2), 512);
    private static final BigInteger B = new BigInteger(512, new Random(3));
    private static final BigInteger E = new BigInteger(512, new Random(4));

    @Test
    void closedHandlesAreRefused() {
        Modulus modulus = Modulus.of(M);
        FixedBase table = FixedBase.of(modulus, B, FixedBase.Table.of(512, 1 << 16));
        FixedExponent exponent = FixedExponent.search(E, 1000, java.time.Duration.ZERO, 1, Options.DEFAULT);
        FixedPower power = exponent.modulo(modulus);
        SecretExponent secret = SecretExponent.of(E, 512);
        Key key = Key.ofRsa(M, BigInteger.valueOf(65537));
        for (AutoCloseable one : List.of(modulus, table, exponent, power, secret, key)) {
            for (int i = 0; i < 2; i++) {
                try {
                    one.close();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        }
        assertThrows(IllegalStateException.class, () -> modulus.pow(B, E));
        assertThrows(IllegalStateException.class, () -> modulus.with(Options.DEFAULT.withThreads(1)).powList(List.of(B), List.of(E)));
        assertThrows(IllegalStateException.class, () -> table.pow(E));
        assertThrows(IllegalStateException.class, exponent::products);
        assertThrows(IllegalStateException.class, () -> power.pow(B));
        assertThrows(IllegalStateException.class, key::bits);
        try (Modulus other = Modulus.of(M)) {
            assertThrows(IllegalStateException.class, () -> other.powSecure(B, secret));
            assertThrows(IllegalStateException.class,
                    () -> Pingala.powList(Rows.of(B, B), Rows.of(E, E), List.of(other, modulus), null, Options.DEFAULT, null));
            assertEquals(B.modPow(E, M), other.pow(B, E), "a call that failed has counted itself out");
        }
        assertEquals(M, modulus.value());
    }

    @Test
    @Timeout(600)
    void eightThreadsUseOneHandle() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (Modulus modulus = Modulus.of(M);
                FixedBase table = FixedBase.of(modulus, B, FixedBase.Table.of(512, 1 << 16))) {
            List<Callable<Boolean>> calls = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                int seed = t;
                calls.add(() -> {
                    Random random = new Random(seed);
                    for (int i = 0; i < 100; i++) {
                        BigInteger b = new BigInteger(520, random);
                        BigInteger e = new BigInteger(200, random);
                        if (!modulus.pow(b, e).equals(b.modPow(e, M)) || !table.pow(e).equals(B.modPow(e, M))) {
                            return false;
                        }
                    }
                    return true;
                });
            }
            for (Future<Boolean> one : threads.invokeAll(calls)) {
                assertTrue(one.get());
            }
        } finally {
            threads.shutdown();
        }
    }

    /** A handle is closed while calls use it: they end with a result, and the next ones with an exception. */
    @Test
    @Timeout(600)
    void closedInUse() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            BigInteger expected = B.modPow(E, M);
            for (int round = 0; round < 50; round++) {
                Modulus modulus = Modulus.of(M);
                CountDownLatch begun = new CountDownLatch(3);
                List<Future<Integer>> calls = new ArrayList<>();
                for (int t = 0; t < 3; t++) {
                    calls.add(threads.submit(() -> {
                        begun.countDown();
                        for (int i = 0; ; i++) {
                            try {
                                assertEquals(expected, modulus.pow(B, E));
                            } catch (IllegalStateException e) {
                                return i;
                            }
                        }
                    }));
                }
                begun.await();
                Thread.sleep(round % 5);
                modulus.close();
                for (Future<Integer> call : calls) {
                    assertTrue(call.get() >= 0);
                }
            }
        } finally {
            threads.shutdown();
        }
    }

    private static void unclosed(int count) {
        BigInteger m = BigInteger.ONE.shiftLeft(127).subtract(BigInteger.ONE);
        for (int i = 0; i < count; i++) {
            Modulus modulus = Modulus.of(m.subtract(BigInteger.valueOf(2L * i)));
            if (i % 1000 == 0) {
                assertEquals(BigInteger.ONE, modulus.pow(BigInteger.TWO, BigInteger.ZERO));
            }
        }
    }

    @Test
    @Timeout(600)
    void handlesThatNobodyCloses() {
        unclosed(100_000);
    }

    /** Run with a small heap. */
    @Test
    @Tag("long")
    void aMillionHandlesThatNobodyCloses() {
        unclosed(1_000_000);
    }
}
