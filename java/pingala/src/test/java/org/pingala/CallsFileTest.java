package org.pingala;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calls that every binding makes: crates/pingala-core/tests/suite/calls/file.rs has the format. */
class CallsFileTest {
    @TempDir
    Path folder;

    private static BigInteger first(List<BigInteger> numbers) {
        return numbers.isEmpty() ? BigInteger.valueOf(3) : numbers.get(0);
    }

    private static int declared(GeneratedCall call, GeneratedCall.Element element) {
        return Math.max(1, element.ys.get(0).bitLength() + call.wider);
    }

    private static FixedBase table(GeneratedCall call, Modulus modulus, List<BigInteger> xs, List<BigInteger> ys, boolean secret) {
        int bits = ys.stream().mapToInt(y -> y.abs().bitLength()).max().orElse(0) + (secret ? 2 : 0);
        bits = Math.max(1, call.cap > 0 ? Math.min(bits, call.cap) : bits);
        FixedBase.Table use = FixedBase.Table.of(bits, 1 << 16).forPowers(100);
        return FixedBase.of(modulus, first(xs), secret ? use.forSecrets() : call.compared % 2 == 0 ? use.inLists() : use);
    }

    private static BigInteger byItsLine(GeneratedCall call, GeneratedCall.Element element) {
        BigInteger x = element.xs.get(0);
        BigInteger y = element.ys.get(0);
        try (Modulus planned = call.open(element.modulus);
                Modulus forced = call.open(element.modulus, call.plain.withPlan(planned.explain(Format.PLAN, x, y)))) {
            return forced.pow(x, y);
        }
    }

    private void make(GeneratedCall call) throws IOException {
        List<Modulus> moduli = new ArrayList<>();
        boolean each = List.of("power", "powmod", "modexp", "words", "mul_rows", "mul_words").contains(call.workload);
        for (int i = 0; i < call.moduli.size() && !each; i++) {
            moduli.add(call.open(i));
        }
        List<BigInteger> xs = new ArrayList<>();
        List<BigInteger> ys = new ArrayList<>();
        List<Integer> ends = new ArrayList<>();
        List<BigInteger> allXs = new ArrayList<>();
        List<BigInteger> allYs = new ArrayList<>();
        int[] modulusOf = new int[call.elements.size()];
        for (int i = 0; i < modulusOf.length; i++) {
            GeneratedCall.Element element = call.elements.get(i);
            modulusOf[i] = element.modulus;
            if (!element.xs.isEmpty()) {
                xs.add(element.xs.get(0));
                ys.add(element.ys.get(0));
            }
            allXs.addAll(element.xs);
            allYs.addAll(element.ys);
            ends.add(allXs.size());
        }
        Modulus m = moduli.isEmpty() ? null : moduli.get(0);
        try {
            switch (call.workload) {
                case "power":
                case "powmod":
                case "modexp":
                case "words":
                    for (int i = 0; i < modulusOf.length; i++) {
                        GeneratedCall.Element element = call.elements.get(i);
                        call.one("Modulus.pow", i, () -> {
                            try (Modulus own = call.open(element.modulus)) {
                                return own.pow(element.xs.get(0), element.ys.get(0));
                            }
                        });
                        if (call.byItsLine) {
                            call.one("Modulus.pow by its line", i, () -> byItsLine(call, element));
                        }
                        if (call.cap == 0) {
                            BigInteger modulus = call.moduli.get(element.modulus);
                            call.one("modPow", i, () -> Pingala.modPow(element.xs.get(0), element.ys.get(0), modulus));
                        }
                    }
                    break;
                case "list":
                case "rows":
                case "base_list":
                case "exponent_list":
                    call.list("powList", () -> Pingala.powList(Rows.of(xs), Rows.of(ys), moduli, modulusOf, call.options, null));
                    if (moduli.size() == 1) {
                        call.list("Modulus.powList", () -> m.powList(xs, ys));
                        if (call.workload.equals("base_list")) {
                            call.list("powBases", () -> m.powBases(Rows.of(xs), first(ys)));
                        } else if (call.workload.equals("exponent_list")) {
                            call.list("powExponents", () -> m.powExponents(first(xs), Rows.of(ys)));
                        }
                    }
                    break;
                case "product":
                case "product_list":
                    for (int i = 0; i < modulusOf.length; i++) {
                        GeneratedCall.Element element = call.elements.get(i);
                        call.one("powProduct", i,
                                () -> moduli.get(element.modulus).powProduct(Rows.of(element.xs), Rows.of(element.ys)));
                    }
                    int[] all = ends.stream().mapToInt(Integer::intValue).toArray();
                    call.list("powProductList",
                            () -> Pingala.powProductList(Rows.of(allXs), Rows.of(allYs), all, moduli, modulusOf, call.options));
                    if (moduli.size() == 1) {
                        call.list("Modulus.powProductList", () -> m.powProductList(Rows.of(allXs), Rows.of(allYs), all));
                    }
                    break;
                case "fixed_base":
                case "fixed_base_list":
                case "fixed_base_file":
                    FixedBase table = table(call, m, xs, ys, false);
                    if (call.workload.equals("fixed_base_file")) {
                        Path file = folder.resolve("table");
                        table.save(file);
                        table.close();
                        table = FixedBase.load(file, m);
                    }
                    FixedBase made = table;
                    for (int i = 0; i < modulusOf.length; i++) {
                        BigInteger y = ys.get(i);
                        call.one("FixedBase.pow", i, () -> made.pow(y));
                    }
                    call.list("FixedBase.powList", () -> made.powList(Rows.of(ys)));
                    table.close();
                    break;
                case "squaring":
                case "squaring_resumed":
                    long squarings = ys.get(0).bitLength() - 1;
                    Checkpoint checkpoint = Checkpoint.NONE;
                    if (call.workload.equals("squaring_resumed")) {
                        Path file = folder.resolve("state");
                        Files.deleteIfExists(file);
                        checkpoint = Checkpoint.in(file, java.time.Duration.ofSeconds(1));
                    }
                    for (int i = 0; i < 2; i++) {
                        Checkpoint at = checkpoint;
                        call.one("repeatedSquare", 0, () -> m.repeatedSquare(xs.get(0), squarings, at));
                    }
                    break;
                case "invert":
                case "invert_list":
                    for (int i = 0; i < modulusOf.length; i++) {
                        BigInteger x = xs.get(i);
                        call.one("invert", i, () -> m.invert(x));
                    }
                    call.list("invertList", () -> m.invertList(Rows.of(xs)));
                    break;
                case "secret_power":
                case "secret_list":
                case "secret_bytes":
                    secrets(call, m);
                    break;
                case "secret_fixed_base":
                case "secret_fixed_base_list":
                    try (FixedBase secretTable = table(call, m, xs, ys, true)) {
                        for (int i = 0; i < modulusOf.length; i++) {
                            GeneratedCall.Element element = call.elements.get(i);
                            int bits = declared(call, element);
                            call.one("FixedBase.powSecure", i, () -> {
                                try (SecretExponent secret = SecretExponent.of(element.ys.get(0), bits)) {
                                    return secretTable.powSecure(secret);
                                }
                            });
                            call.one("FixedBase.powSecureList", i,
                                    () -> secretTable.powSecureList(Rows.of(element.ys), bits).get(0));
                        }
                    }
                    break;
                case "mul_list":
                    call.list("multiplyList", () -> m.multiplyList(Rows.of(xs), Rows.of(ys)));
                    break;
                case "mul_rows":
                case "mul_words":
                    multiplyEach(call);
                    break;
                case "square_list":
                    call.list("squareList", () -> m.squareList(Rows.of(xs)));
                    break;
                case "running_product":
                    call.list("runningProduct", () -> m.runningProduct(Rows.of(xs)));
                    break;
                case "value_product":
                    call.one("product", 0, () -> m.product(Rows.of(allXs)));
                    break;
                case "residue_chain":
                    // (ab)^2 a^5: the rows of each call are those of the next one.
                    call.list("a chain of lists", () -> {
                        Results squares = m.squareList(rows(m.multiplyList(Rows.of(xs), Rows.of(ys))));
                        return m.multiplyList(rows(squares), rows(m.powBases(Rows.of(xs), BigInteger.valueOf(5))));
                    });
                    break;
                default:
                    throw new AssertionError("the driver does not know the workload " + call.workload);
            }
        } finally {
            moduli.forEach(Modulus::close);
        }
    }

    private static Rows rows(Results results) {
        return Rows.of(results.rows(), results.width());
    }

    /** Multiplies by a list of one for each element, whose moduli may be 0, then by a list into a buffer for all elements of a modulus. */
    private static void multiplyEach(GeneratedCall call) {
        for (int j = 0; j < call.moduli.size(); j++) {
            List<Integer> places = new ArrayList<>();
            List<BigInteger> xs = new ArrayList<>();
            List<BigInteger> ys = new ArrayList<>();
            int place = j;
            for (int i = 0; i < call.elements.size(); i++) {
                GeneratedCall.Element element = call.elements.get(i);
                if (element.modulus == j) {
                    places.add(i);
                    xs.addAll(element.xs);
                    ys.addAll(element.ys);
                    call.one("multiplyList of one", i, () -> {
                        try (Modulus own = call.open(place)) {
                            return own.multiplyList(Rows.of(element.xs), Rows.of(element.ys)).get(0);
                        }
                    });
                }
            }
            if (call.moduli.get(j).signum() > 0) {
                try (Modulus own = call.open(j)) {
                    for (int i = 0; i < places.size(); i++) {
                        int at = i;
                        call.one("multiplyList into a buffer", places.get(i), () -> {
                            ByteBuffer out = ByteBuffer.allocateDirect(places.size() * own.width());
                            own.multiplyList(Rows.of(xs), Rows.of(ys), out).check();
                            return new Results(out, places.size(), own.width(), null).get(at);
                        });
                    }
                }
            }
        }
    }

    private static void secrets(GeneratedCall call, Modulus m) {
        for (int i = 0; i < call.elements.size(); i++) {
            GeneratedCall.Element element = call.elements.get(i);
            BigInteger base = element.xs.get(0).mod(m.value());
            int bits = declared(call, element);
            call.one("powSecure", i, () -> {
                try (SecretExponent secret = SecretExponent.of(element.ys.get(0), bits)) {
                    return m.powSecure(base, secret);
                }
            });
            call.one("powSecureBases", i, () -> {
                try (SecretExponent secret = SecretExponent.of(element.ys.get(0), bits)) {
                    return m.powSecureBases(Rows.of(base, base), secret).get(1);
                }
            });
            call.one("powSecureList", i, () -> m.powSecureList(Rows.of(base), Rows.of(element.ys), bits).get(0));
        }
    }

    @Test
    void generatedCalls() throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        for (GeneratedCall call : GeneratedCall.all("calls.txt")) {
            make(call);
            call.count(counts);
        }
        assertTrue(counts.size() >= 29 && counts.values().stream().allMatch(n -> n >= 60), counts.toString());
    }

    @Test
    void unknownOptionsAreRefused() {
        String line = "power 1 threads=1 cap=0 blinded=0 timeout=none memory=0 kernel=- plan=0 moduli=7 powers=0,2,3 results=1";
        GeneratedCall.read(line);
        for (String[] change : new String[][] {{" threads", " strands"}, {" cap=0", " cap=0 speed=1"}, {" cap=0", " cap=0 cap=0"}}) {
            assertThrows(AssertionError.class, () -> GeneratedCall.read(line.replace(change[0], change[1])));
        }
    }
}
