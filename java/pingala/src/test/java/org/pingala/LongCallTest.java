package org.pingala;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Long calls are interrupted, timed out, watched, and resumed. */
@Timeout(600)
class LongCallTest {
    // A product of two random primes: proofs are refused modulo numbers with small factors.
    private static final BigInteger M =
            BigInteger.probablePrime(1024, new Random(5)).multiply(BigInteger.probablePrime(1024, new Random(6)));
    private static final long MANY = 1L << 40;

    /** Whether a thread is inside a function of the library, or has ended. */
    private static boolean isInTheLibrary(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().matches("org\\.pingala\\.(Jni|Ffm)Functions.*")) {
                return true;
            }
        }
        return !thread.isAlive();
    }

    /** Interrupts a call that takes hours. */
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
        while (!isInTheLibrary(thread)) {
            Thread.sleep(1);
        }
        thread.interrupt();
        thread.join();
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
        AtomicInteger steps = new AtomicInteger();
        List<String> wrong = new ArrayList<>();
        Thread caller = Thread.currentThread();
        Options options = Options.DEFAULT.withProgress(done -> {
            long before = last.getAndSet(done);
            if (done < before) {
                wrong.add("progress goes back to " + done);
            }
            if (done > before && steps.incrementAndGet() == 4) {
                caller.interrupt();
            }
        });
        try (Modulus modulus = Modulus.of(M, options)) {
            assertThrows(PingalaException.class, () -> modulus.repeatedSquare(BigInteger.TWO, MANY, Checkpoint.NONE));
        } finally {
            assertTrue(Thread.interrupted());
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
        try (Modulus modulus = Modulus.of(M)) {
            // A run goes on from the file of a shorter one.
            for (long squarings : new long[] {0, 1000, 1001, 5000}) {
                assertEquals(modulus.repeatedSquare(BigInteger.TEN, squarings, Checkpoint.NONE),
                        modulus.repeatedSquare(BigInteger.TEN, squarings, checkpoint));
            }
            Files.write(file, new byte[] {1, 2, 3});
            PingalaException e = assertThrows(
                    PingalaException.class, () -> modulus.repeatedSquare(BigInteger.TEN, 5000, checkpoint));
            assertEquals("bad_file", e.code());
        }
    }

    /** The listener stops each of the first runs when it has done some squarings; a processor that is quicker gets more to do. */
    @Test
    void stoppedRunsGoOn(@TempDir Path folder) {
        class Enough extends RuntimeException {}

        try (Modulus modulus = Modulus.of(M)) {
            int stops = 0;
            for (long squarings = 100_000; stops < 2; squarings *= 4) {
                Checkpoint checkpoint = Checkpoint.in(folder.resolve("state" + squarings), Duration.ofMillis(10));
                long end = squarings;
                AtomicLong most = new AtomicLong();
                AtomicInteger left = new AtomicInteger(3);
                Modulus stopped = modulus.with(Options.DEFAULT.withProgress(done -> {
                    if (done > most.get() && done < end && left.getAndDecrement() > 0) {
                        most.set(done);
                        throw new Enough();
                    }
                }));
                BigInteger resumed = null;
                for (stops = 0; resumed == null; stops++) {
                    long before = most.get();
                    try {
                        resumed = stopped.repeatedSquare(BigInteger.TEN, squarings, checkpoint);
                        break;
                    } catch (Enough e) {
                        assertTrue(most.get() > before && Files.exists(folder.resolve("state" + squarings)));
                    }
                }
                assertEquals(modulus.repeatedSquare(BigInteger.TEN, squarings, Checkpoint.NONE), resumed);
            }
        }
    }

    @Test
    void squaringsAreProved() {
        try (Modulus modulus = Modulus.of(M)) {
            ProvedSquaring proved = modulus.proveSquaring(BigInteger.TEN, 5000, Checkpoint.NONE, 0);
            assertEquals(modulus.repeatedSquare(BigInteger.TEN, 5000, Checkpoint.NONE), proved.result());
            assertTrue(modulus.verifySquaring(BigInteger.TEN, 5000, proved));
            assertTrue(!modulus.verifySquaring(BigInteger.TEN, 5001, proved));
            Rows bases = Rows.of(BigInteger.TEN, BigInteger.TEN);
            Rows proofs = Rows.of(proved.proof(), proved.proof());
            Rows results = Rows.of(proved.result(), proved.result().add(BigInteger.ONE));
            assertArrayEquals(new boolean[] {true, false}, modulus.verifySquaringList(bases, 5000, results, proofs));
            assertThrows(IllegalArgumentException.class, () -> modulus.verifySquaringList(bases, 5000, results, Rows.of(proved.proof())));
            assertTrue(!modulus.verifySquaring(BigInteger.TEN, 5000, new ProvedSquaring(proved.result().add(BigInteger.ONE), proved.proof())));
        }
    }
}
