package org.pingala;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Long calls are interrupted, timed out, watched, and resumed. */
@Timeout(60)
class LongCallTest {
    private static final BigInteger M = Cases.odd(new Random(5), 2048);
    private static final long MANY = 1L << 40;

    private static void interrupted(Runnable call) throws InterruptedException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicReference<Boolean> flag = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                call.run();
            } catch (Throwable e) {
                thrown.set(e);
            }
            flag.set(Thread.currentThread().isInterrupted());
        });
        thread.start();
        Thread.sleep(60);
        thread.interrupt();
        thread.join(20_000);
        assertTrue(!thread.isAlive(), "the call goes on");
        assertTrue(thrown.get() instanceof PingalaException, () -> String.valueOf(thrown.get()));
        assertEquals("interrupted", ((PingalaException) thrown.get()).code());
        assertTrue(flag.get(), "the flag of the thread was taken away");
    }

    @Test
    void interruptsEndLongCalls() throws InterruptedException {
        BigInteger long1 = BigInteger.ONE.shiftLeft(1 << 20).subtract(BigInteger.ONE);
        try (Modulus modulus = Modulus.of(M)) {
            interrupted(() -> modulus.repeatedSquare(BigInteger.TWO, MANY, Checkpoint.NONE));
            interrupted(() -> {
                while (true) {
                    modulus.powList(Rows.of(Collections.nCopies(2000, M.shiftRight(1))), Rows.of(Collections.nCopies(2000, M)));
                }
            });
            interrupted(() -> {
                while (true) {
                    modulus.pow(BigInteger.TWO, long1);
                }
            });
        }
        interrupted(() -> {
            while (true) {
                Pingala.modPow(BigInteger.TWO, long1, M);
            }
        });
        interrupted(() -> Primes.random(16384, Options.DEFAULT, Primes.Condition.SAFE));
    }

    @Test
    void aSlowListenerDelaysNoInterrupt() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        Options slow = Options.DEFAULT.withProgress(done -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        try (Modulus watched = Modulus.of(M, slow);
                Modulus modulus = Modulus.of(M)) {
            interrupted(() -> watched.repeatedSquare(BigInteger.TWO, MANY, Checkpoint.NONE));
            interrupted(() -> modulus.repeatedSquare(BigInteger.TWO, MANY, Checkpoint.NONE));
        } finally {
            release.countDown();
        }
    }

    @Test
    void anInterruptedThreadBeginsNoLongCall() {
        try (Modulus modulus = Modulus.of(M)) {
            Thread.currentThread().interrupt();
            PingalaException e = assertThrows(PingalaException.class, () -> modulus.repeatedSquare(BigInteger.TWO, MANY, Checkpoint.NONE));
            assertEquals("interrupted", e.code());
            assertEquals(BigInteger.valueOf(8), modulus.pow(BigInteger.TWO, BigInteger.valueOf(3)), "a short call does not look");
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void timeouts() {
        try (Modulus modulus = Modulus.of(M, Options.DEFAULT.withTimeout(Duration.ofMillis(30)))) {
            PingalaException e = assertThrows(PingalaException.class, () -> modulus.repeatedSquare(BigInteger.TWO, MANY, Checkpoint.NONE));
            assertEquals("interrupted", e.code());
        }
    }

    @Test
    void progress() {
        AtomicLong last = new AtomicLong(-1);
        List<String> wrong = new ArrayList<>();
        Options options = Options.DEFAULT.withTimeout(Duration.ofMillis(700)).withProgress(done -> {
            if (done < last.getAndSet(done)) {
                wrong.add("progress goes back to " + done);
            }
        });
        try (Modulus modulus = Modulus.of(M, options)) {
            assertThrows(PingalaException.class, () -> modulus.repeatedSquare(BigInteger.TWO, MANY, Checkpoint.NONE));
        }
        assertTrue(last.get() > 0 && wrong.isEmpty(), () -> last + " " + wrong);
        Options throwing = Options.DEFAULT.withProgress(done -> {
            throw new UnsupportedOperationException("enough");
        });
        try (Modulus modulus = Modulus.of(M, throwing)) {
            UnsupportedOperationException e = assertThrows(
                    UnsupportedOperationException.class, () -> modulus.repeatedSquare(BigInteger.TWO, MANY, Checkpoint.NONE));
            assertEquals("enough", e.getMessage());
        }
    }

    @Test
    void checkpointsAreResumed(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("state");
        Checkpoint checkpoint = Checkpoint.in(file, Duration.ofMillis(10));
        long squarings = 300_000;
        try (Modulus modulus = Modulus.of(M)) {
            Modulus timed = modulus.with(Options.DEFAULT.withTimeout(Duration.ofMillis(60)));
            BigInteger resumed = null;
            int stops = 0;
            while (resumed == null) {
                try {
                    resumed = timed.repeatedSquare(BigInteger.TEN, squarings, checkpoint);
                } catch (PingalaException e) {
                    assertEquals("interrupted", e.code());
                    assertTrue(Files.exists(file));
                    stops++;
                }
            }
            assertTrue(stops > 0);
            assertEquals(modulus.repeatedSquare(BigInteger.TEN, squarings, Checkpoint.NONE), resumed);
            Files.write(file, new byte[] {1, 2, 3});
            PingalaException e = assertThrows(
                    PingalaException.class, () -> modulus.repeatedSquare(BigInteger.TEN, squarings, checkpoint));
            assertEquals("bad_file", e.code());
        }
    }

    @Test
    void squaringsAreProved() {
        try (Modulus modulus = Modulus.of(M)) {
            ProvedSquaring proved = modulus.proveSquaring(BigInteger.TEN, 5000, Checkpoint.NONE, 0);
            assertEquals(modulus.repeatedSquare(BigInteger.TEN, 5000, Checkpoint.NONE), proved.result());
            assertTrue(modulus.verifySquaring(BigInteger.TEN, 5000, proved));
            assertTrue(!modulus.verifySquaring(BigInteger.TEN, 5001, proved));
            assertTrue(!modulus.verifySquaring(BigInteger.TEN, 5000, new ProvedSquaring(proved.result().add(BigInteger.ONE), proved.proof())));
        }
    }
}
