package org.pingala;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calls on primes that every binding makes: crates/pingala-proofs/tests/calls/file.rs has the format. */
class PrimeCallsFileTest {
    /** Workloads of which this library has no method, with the reason. */
    private static final Map<String, String> NOT_OFFERED = Map.of(
            "accumulate", "accumulators are for Rust and Python",
            "witnesses", "as accumulate",
            "update_witnesses", "as accumulate",
            "failing_witnesses", "as accumulate");

    @TempDir
    Path folder;

    private static BigInteger number(int number) {
        return BigInteger.valueOf(number);
    }

    private static void primality(GeneratedCall call, List<BigInteger> numbers, List<BigInteger> rounds, Options capped) {
        Options options = capped.withPrimeRounds(rounds.isEmpty() ? 0 : rounds.get(0).intValueExact());
        for (int i = 0; i < numbers.size(); i++) {
            BigInteger n = numbers.get(i);
            call.one("test", i, () -> number(Primes.test(n, options).ordinal()));
        }
        call.whole("testList", () -> Arrays.stream(Primes.testList(Rows.of(numbers), options))
                .map(answer -> number(answer.ordinal()))
                .collect(Collectors.toList()));
    }

    private static void primes(GeneratedCall call, BigInteger a, BigInteger b, Options options) {
        switch (call.workload) {
            case "next_prime":
                call.one("next", 0, () -> Primes.next(a, options));
                break;
            case "previous_prime":
                call.one("previous", 0, () -> Primes.previous(a, options));
                break;
            default:
                call.whole("between", () -> {
                    List<BigInteger> found = new ArrayList<>(Primes.between(a, b, options));
                    found.add(BigInteger.ZERO);
                    return found;
                });
        }
    }

    /** The moduli of the elements; the one of all if there is one. */
    private static Rows below(GeneratedCall call) {
        return Rows.of(
                call.moduli.size() == 1
                        ? call.moduli
                        : call.elements.stream().map(element -> call.moduli.get(element.modulus)).collect(Collectors.toList()));
    }

    private static void symbols(GeneratedCall call, List<BigInteger> numbers) {
        for (int i = 0; i < numbers.size(); i++) {
            BigInteger a = numbers.get(i);
            BigInteger n = call.moduli.get(call.elements.get(i).modulus);
            call.one("jacobi", i, () -> number(Primes.jacobi(a, n)));
        }
        if (numbers.isEmpty()) {
            assertArrayEquals(new int[0], Primes.jacobiList(Rows.of(numbers), Rows.of(numbers)));
            return;
        }
        call.whole("jacobiList", () -> Arrays.stream(Primes.jacobiList(Rows.of(numbers), below(call)))
                .mapToObj(PrimeCallsFileTest::number)
                .collect(Collectors.toList()));
    }

    private static void roots(GeneratedCall call, List<BigInteger> numbers, Options options) {
        for (int i = 0; i < numbers.size(); i++) {
            BigInteger a = numbers.get(i);
            BigInteger p = call.moduli.get(call.elements.get(i).modulus);
            call.one("sqrtMod", i, () -> Primes.sqrtMod(a, p, options));
        }
        if (call.cap == 0) {
            call.list("sqrtModList", Primes.sqrtModList(Rows.of(numbers), below(call), options));
        }
    }

    private void proofs(GeneratedCall call) throws IOException {
        GeneratedCall.Element element = call.elements.get(0);
        BigInteger base = element.xs.get(0);
        long squarings = element.ys.get(0).longValueExact();
        try (Modulus m = call.open(0)) {
            if (call.workload.equals("verify_squaring")) {
                ProvedSquaring proved = new ProvedSquaring(element.xs.get(1), element.ys.get(1));
                call.one("verifySquaring", 0, () -> number(m.verifySquaring(base, squarings, proved) ? 1 : 0));
                return;
            }
            Path file = folder.resolve("state");
            Files.deleteIfExists(file);
            for (int i = 0; i < 3; i++) {
                Checkpoint checkpoint = i == 0 ? Checkpoint.NONE : Checkpoint.in(file, Duration.ofSeconds(1));
                int memory = i == 0 ? 0 : 1000;
                call.one("proveSquaring", 0, () -> m.proveSquaring(base, squarings, checkpoint, memory).result());
                call.one("the proof of proveSquaring", 1, () -> m.proveSquaring(base, squarings, checkpoint, memory).proof());
                if (!element.answer.startsWith("!")) {
                    ProvedSquaring proved = m.proveSquaring(base, squarings, checkpoint, memory);
                    assertEquals(m.bits() >= 1024, m.verifySquaring(base, squarings, proved), call.line);
                }
            }
        }
    }

    private void make(GeneratedCall call) throws IOException {
        List<BigInteger> xs = call.elements.stream().map(element -> element.xs.get(0)).collect(Collectors.toList());
        List<BigInteger> ys = call.elements.stream().map(element -> element.ys.get(0)).collect(Collectors.toList());
        // The cap is that of all numbers.
        Options options = call.options.withLimits(call.cap, 0);
        switch (call.workload) {
            case "is_prime":
            case "is_prime_list":
                primality(call, xs, ys, options);
                break;
            case "next_prime":
            case "previous_prime":
            case "primes_between":
                primes(call, xs.get(0), ys.get(0), options);
                break;
            case "jacobi":
            case "jacobi_list":
                symbols(call, xs);
                break;
            case "sqrt_mod":
            case "sqrt_mod_list":
                roots(call, xs, options);
                break;
            case "prove_squaring":
            case "verify_squaring":
                proofs(call);
                break;
            default:
                throw new AssertionError("the driver does not know the workload " + call.workload);
        }
    }

    @Test
    void generatedCalls() throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        Map<String, Integer> others = new TreeMap<>();
        for (GeneratedCall call : GeneratedCall.all("vectors/prime_calls.txt")) {
            if (NOT_OFFERED.containsKey(call.workload)) {
                others.merge(call.workload, 1, Integer::sum);
            } else {
                make(call);
                call.count(counts);
            }
        }
        assertEquals(NOT_OFFERED.keySet(), others.keySet());
        assertTrue(counts.size() >= 11 && counts.values().stream().allMatch(n -> n >= 60), counts.toString());
    }

    @Test
    void whatIsNotOfferedDoesNotExist() {
        for (Class<?> type : List.of(Pingala.class, Modulus.class, Primes.class)) {
            Arrays.stream(type.getMethods())
                    .forEach(method -> assertTrue(!method.getName().matches("(?i).*(accumulat|witness).*"), method.toString()));
        }
    }
}
