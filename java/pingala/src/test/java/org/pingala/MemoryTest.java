package org.pingala;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long calls in a limited address space, in a Java of their own: each gives a result or an error, and none ends the process. */
class MemoryTest {
    private static final int BITS = 1_000_000;
    private static final int COUNT = 40;
    private static final long ROOM = 1_000_000_000;

    private static Map<String, Runnable> calls() {
        Random random = new Random(7);
        BigInteger n = Cases.odd(random, BITS);
        BigInteger b = n.multiply(BigInteger.valueOf(3)).divide(BigInteger.valueOf(5));
        BigInteger[] numbers = new BigInteger[COUNT];
        for (int i = 0; i < COUNT; i++) {
            numbers[i] = b.subtract(BigInteger.valueOf(i));
        }
        Options options = Options.DEFAULT.withTimeout(Duration.ofMillis(500));
        Rows list = Rows.of(numbers);
        Modulus m = Modulus.of(n, options);
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.put("pow", () -> m.pow(b, n));
        calls.put("powList", () -> m.powList(list, list));
        calls.put("powExponents", () -> m.powExponents(b, list));
        calls.put("powBases", () -> m.powBases(list, n));
        calls.put("powProduct", () -> m.powProduct(list, list));
        calls.put("multiplyList", () -> m.multiplyList(list, list));
        calls.put("invert", () -> m.invert(b));
        calls.put("invertList", () -> m.invertList(list));
        calls.put("squareList", () -> m.squareList(list));
        calls.put("product", () -> m.product(list));
        calls.put("runningProduct", () -> m.runningProduct(list));
        calls.put("repeatedSquare", () -> m.repeatedSquare(b, 1 << 30, Checkpoint.NONE));
        calls.put("proveSquaring", () -> m.proveSquaring(b, 1 << 30, Checkpoint.NONE, 0));
        calls.put("powSecureList", () -> m.powSecureList(list, list, BITS));
        calls.put("table", () -> FixedBase.of(m, b, FixedBase.Table.of(BITS, 1L << 40)).close());
        calls.put("test", () -> Primes.test(n, options));
        calls.put("test of a prime", () -> Primes.test(BigInteger.ONE.shiftLeft(859_433).subtract(BigInteger.ONE), options));
        calls.put("testList", () -> Primes.testList(list, options));
        calls.put("next", () -> Primes.next(n, options));
        calls.put("previous", () -> Primes.previous(n, options));
        calls.put("between", () -> Primes.between(b, n, options));
        calls.put("between words", () -> Primes.between(BigInteger.TWO, BigInteger.valueOf(1L << 31), options));
        calls.put("random", () -> Primes.random(BITS, options));
        calls.put("random safe", () -> Primes.random(BITS, options, Primes.Condition.SAFE));
        calls.put("randomProved", () -> Primes.randomProved(BITS, options));
        calls.put("randomSecret", () -> Primes.randomSecret(BITS, options));
        calls.put("pair", () -> Primes.pair(2 * BITS, Primes.Pair.SAFE, 0, options));
        calls.put("certify", () -> Primes.certify(n, Rows.of(), options));
        calls.put("jacobi", () -> Primes.jacobi(b, n, options));
        calls.put("sqrtMod", () -> Primes.sqrtMod(b, n, options));
        return calls;
    }

    /** Makes the calls, one after the other, and prints what came of each. */
    public static final class Program {
        public static void main(String[] arguments) throws Exception {
            Map<String, Runnable> calls = calls();
            String pages = Files.readString(Paths.get("/proc/self/statm")).split(" ")[0];
            long limit = Long.parseLong(pages) * 4096 + ROOM;
            String self = Long.toString(ProcessHandle.current().pid());
            int limited = new ProcessBuilder("prlimit", "--pid", self, "--as=" + limit).inheritIO().start().waitFor();
            for (Map.Entry<String, Runnable> one : calls.entrySet()) {
                System.out.println(limited + " " + one.getKey());
                try {
                    one.getValue().run();
                } catch (RuntimeException | OutOfMemoryError e) {
                    if (e instanceof IllegalArgumentException && e.getMessage().contains(": expected")) {
                        throw e; // the test makes a wrong call
                    }
                }
            }
            System.out.println("end");
        }
    }

    @Test
    @Timeout(900)
    void noLongCallEndsTheProcess() throws IOException, InterruptedException {
        assumeTrue(Files.exists(Paths.get("/usr/bin/prlimit")), "SKIPPED: no prlimit, which limits the address space");
        // Nothing is compiled meanwhile: the compiler of the JVM ends the process if it gets no memory.
        List<String> command = List.of(
                Paths.get(System.getProperty("java.home"), "bin", "java").toString(), "-Xint", "-Xmx256m", "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), Program.class.getName());
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), printed);
        List<String> expected = new ArrayList<>();
        calls().keySet().forEach(name -> expected.add("0 " + name));
        expected.add("end");
        assertEquals(expected, List.of(printed.split("\\R")));
    }
}
