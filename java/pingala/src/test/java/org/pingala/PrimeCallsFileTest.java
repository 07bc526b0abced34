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

    private static void symbols(GeneratedCall call, List<BigInteger> numbers, Options options) {
        for (int i = 0; i < numbers.size(); i++) {
            BigInteger a = numbers.get(i);
            BigInteger n = call.moduli.get(call.elements.get(i).modulus);
            call.one("jacobi", i, () -> number(Primes.jacobi(a, n, options)));
            if (call.cap == 0) {
                call.one("jacobi without options", i, () -> number(Primes.jacobi(a, n)));
            }
        }
        if (numbers.isEmpty()) {
            assertArrayEquals(new int[0], Primes.jacobiList(Rows.of(numbers), Rows.of(numbers)));
            return;
        }
        call.whole("jacobiList", () -> Arrays.stream(Primes.jacobiList(Rows.of(numbers), below(call), options))
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
            call.list("sqrtModList", () -> Primes.sqrtModList(Rows.of(numbers), below(call), options));
        }
    }

    /** All roots, modulo a number or by a modulus with its factors; one root is one of them. */
    private static void allRoots(GeneratedCall call, BigInteger a, long most, Options options) {
        BigInteger p = call.moduli.get(0);
        boolean factored = call.factors.get(0).length > 0;
        call.whole("all roots", () -> {
            try (Modulus m = factored ? call.open(0) : null) {
                Results results = factored ? m.sqrtAll(a, most) : Primes.sqrtModAll(a, p, options);
                List<BigInteger> roots = new ArrayList<>();
                for (int i = 0; i < results.size(); i++) {
                    roots.add(results.get(i));
                }
                try {
                    BigInteger one = factored ? m.sqrt(a) : Primes.sqrtMod(a, p, options);
                    assertTrue(roots.contains(one), () -> one + "\n" + call.line);
                } catch (IllegalArgumentException e) {
                    assertEquals(List.of(), roots, call.line);
                }
                roots.add(BigInteger.ZERO);
                return roots;
            }
        });
    }

    private static BigInteger estimate(GeneratedCall.Element asked, Options capped) {
        List<Primes.Condition> conditions = new ArrayList<>();
        if (asked.xs.get(3).signum() > 0) {
            conditions.add(Primes.Condition.SAFE);
        }
        if (asked.xs.get(2).intValueExact() == 2) {
            conditions.add(Primes.Condition.TWO_TOP_BITS);
        }
        if (asked.ys.get(3).signum() > 0) {
            conditions.add(Primes.Condition.UNIFORM);
        }
        Options options = capped.withPrimeRounds(asked.ys.get(2).intValueExact());
        if (asked.ys.get(1).signum() > 0) {
            options = options.withPrimeResidue(asked.xs.get(1), asked.ys.get(1));
        }
        Primes.Estimate found = Primes.estimateRandom(
                asked.xs.get(0).longValueExact(), asked.ys.get(0).signum() > 0, options, conditions.toArray(new Primes.Condition[0]));
        return number(found.tests() >= 1 && found.seconds() >= 0 ? 1 : 0);
    }

    private void proofs(GeneratedCall call) throws IOException {
        GeneratedCall.Element element = call.elements.get(0);
        BigInteger base = element.xs.get(0);
        long squarings = element.ys.get(0).longValueExact();
        try (Modulus m = call.open(0)) {
            if (call.workload.equals("verify_squaring")) {
                ProvedSquaring proved = new ProvedSquaring(element.xs.get(1), element.ys.get(1));
                call.one("verifySquaring", 0, () -> number(m.verifySquaring(base, squarings, proved) ? 1 : 0));
                Rows bases = Rows.of(base, base);
                Rows results = Rows.of(proved.result(), BigInteger.ONE.negate());
                Rows proofs = Rows.of(proved.proof(), proved.proof());
                call.one("verifySquaringList", 0, () -> {
                    boolean[] each = m.verifySquaringList(bases, squarings, results, proofs);
                    return number(each[1] ? 99 : each[0] ? 1 : 0);
                });
                return;
            }
            Path file = folder.resolve("state");
            Files.deleteIfExists(file);
            for (int i = 0; i < 3; i++) {
                Checkpoint checkpoint = i == 0 ? Checkpoint.NONE : Checkpoint.in(file, Duration.ofSeconds(1));
                int memory = i == 0 ? 0 : 1000;
                call.one("proveSquaring", 0, () -> m.proveSquaring(base, squarings, checkpoint, memory).result());
                call.one("the proof of proveSquaring", 1, () -> m.proveSquaring(base, squarings, checkpoint, memory).proof());
                if (!element.answer.startsWith("!") && !call.timeout.equals("past")) {
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
                symbols(call, xs, options);
                break;
            case "kronecker":
                call.one("kronecker", 0, () -> number(Primes.kronecker(xs.get(0), ys.get(0), options)));
                break;
            case "sqrt_mod_all":
                allRoots(call, xs.get(0), ys.get(0).longValueExact(), options);
                break;
            case "estimate_prime":
                call.one("estimateRandom", 0, () -> estimate(call.elements.get(0), options));
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
        for (GeneratedCall call : GeneratedCall.all("prime_calls.txt")) {
            if (NOT_OFFERED.containsKey(call.workload)) {
                others.merge(call.workload, 1, Integer::sum);
            } else {
                make(call);
                call.count(counts);
            }
        }
        assertEquals(NOT_OFFERED.keySet(), others.keySet());
        assertTrue(counts.size() >= 14 && counts.values().stream().allMatch(n -> n >= 60), counts.toString());
    }

    @Test
    void whatIsNotOfferedDoesNotExist() {
        for (Class<?> type : List.of(Pingala.class, Modulus.class, Primes.class)) {
            Arrays.stream(type.getMethods())
                    .forEach(method -> assertTrue(!method.getName().matches("(?i).*(accumulat|witness).*"), method.toString()));
        }
    }
}
