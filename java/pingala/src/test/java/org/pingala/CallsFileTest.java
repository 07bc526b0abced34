package org.pingala;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calls that every binding makes: crates/pingala/tests/suite/calls/file.rs has the format. */
class CallsFileTest {
    private static final class Element {
        int modulus;
        final List<BigInteger> xs = new ArrayList<>();
        final List<BigInteger> ys = new ArrayList<>();
        String answer;
    }

    private static final class Call {
        String line;
        String workload;
        Options options = Options.DEFAULT;
        int cap;
        int wider;
        final List<BigInteger> moduli = new ArrayList<>();
        final List<Factor[]> factors = new ArrayList<>();
        final List<Boolean> secret = new ArrayList<>();
        final List<Element> elements = new ArrayList<>();
        int compared;
    }

    @TempDir
    Path folder;

    private static BigInteger hexadecimal(String text) {
        return new BigInteger(text, 16);
    }

    private static String[] items(String text) {
        return text.equals("-") ? new String[0] : text.split(";");
    }

    private static Call read(String line) {
        Call call = new Call();
        call.line = line;
        String[] words = line.split(" ");
        call.workload = words[0];
        Set<String> seen = new HashSet<>();
        for (int w = 2; w < words.length; w++) {
            String name = words[w].substring(0, words[w].indexOf('='));
            String value = words[w].substring(words[w].indexOf('=') + 1);
            assertTrue(seen.add(name), name + " stands there twice");
            switch (name) {
                case "threads":
                    call.options = call.options.withThreads(Integer.parseInt(value, 16));
                    break;
                case "cap":
                    call.cap = Integer.parseInt(value, 16);
                    call.options = call.options.withLimits(0, call.cap);
                    break;
                case "blinded":
                    call.options = call.options.withBlinding(!value.equals("0"));
                    break;
                case "wider":
                    call.wider = Integer.parseInt(value, 16);
                    break;
                case "moduli":
                    for (String text : items(value)) {
                        String[] parts = text.split("[:!]");
                        call.moduli.add(hexadecimal(parts[0]));
                        List<Factor> factors = new ArrayList<>();
                        for (String factor : parts.length > 1 ? parts[1].split(",") : new String[0]) {
                            String[] power = factor.split("\\^");
                            factors.add(Factor.of(hexadecimal(power[0]), Integer.parseInt(power[1], 16)));
                        }
                        call.factors.add(factors.toArray(new Factor[0]));
                        call.secret.add(text.contains("!"));
                    }
                    break;
                case "powers":
                    for (String text : items(value)) {
                        String[] parts = text.split(",");
                        Element element = new Element();
                        element.modulus = Integer.parseInt(parts[0], 16);
                        for (int i = 1; i < parts.length; i += 2) {
                            element.xs.add(hexadecimal(parts[i]));
                            element.ys.add(hexadecimal(parts[i + 1]));
                        }
                        call.elements.add(element);
                    }
                    break;
                case "results":
                    String[] answers = items(value);
                    assertEquals(call.elements.size(), answers.length);
                    for (int i = 0; i < answers.length; i++) {
                        call.elements.get(i).answer = answers[i];
                    }
                    break;
                default:
                    throw new AssertionError("the driver does not know the option " + name);
            }
        }
        assertTrue(seen.containsAll(List.of("threads", "cap", "blinded", "results")));
        return call;
    }

    /** A result as the file has it. */
    private static String outcome(Supplier<BigInteger> result) {
        try {
            return result.get().toString(16);
        } catch (ArithmeticException e) {
            return e.getMessage().equals("BigInteger not invertible.")
                    ? "!not_invertible"
                    : e.getMessage().equals("BigInteger: modulus not positive") ? "!zero_modulus" : e.toString();
        } catch (PingalaException e) {
            return "!" + e.code();
        }
    }

    private static void one(Call call, String way, int i, Supplier<BigInteger> result) {
        call.compared++;
        assertEquals(call.elements.get(i).answer, outcome(result), () -> way + ", element " + i + "\n" + call.line);
    }

    private static void list(Call call, String way, Results results) {
        assertEquals(call.elements.size(), results.size());
        for (int i = 0; i < results.size(); i++) {
            int at = i;
            one(call, way, i, () -> results.get(at));
            assertEquals(results.error(i) != null, call.elements.get(i).answer.startsWith("!"));
        }
    }

    private static Modulus open(Call call, int i) {
        return call.secret.get(i)
                ? Modulus.ofSecretFactors(call.moduli.get(i), call.options, call.factors.get(i))
                : Modulus.of(call.moduli.get(i), call.options, call.factors.get(i));
    }

    private static BigInteger first(List<BigInteger> numbers) {
        return numbers.isEmpty() ? BigInteger.valueOf(3) : numbers.get(0);
    }

    private static int declared(Call call, Element element) {
        return Math.max(1, element.ys.get(0).bitLength() + call.wider);
    }

    private static FixedBase table(Call call, Modulus modulus, List<BigInteger> xs, List<BigInteger> ys, boolean secret) {
        int bits = ys.stream().mapToInt(y -> y.abs().bitLength()).max().orElse(0) + (secret ? 2 : 0);
        bits = Math.max(1, call.cap > 0 ? Math.min(bits, call.cap) : bits);
        FixedBase.Table use = FixedBase.Table.of(bits, 1 << 16).forPowers(100);
        return FixedBase.of(modulus, first(xs), secret ? use.forSecrets() : call.compared % 2 == 0 ? use.inLists() : use);
    }

    private void make(Call call) throws IOException {
        List<Modulus> moduli = new ArrayList<>();
        boolean each = List.of("power", "powmod", "modexp", "words").contains(call.workload);
        for (int i = 0; i < call.moduli.size() && !each; i++) {
            moduli.add(open(call, i));
        }
        List<BigInteger> xs = new ArrayList<>();
        List<BigInteger> ys = new ArrayList<>();
        List<Integer> ends = new ArrayList<>();
        List<BigInteger> allXs = new ArrayList<>();
        List<BigInteger> allYs = new ArrayList<>();
        int[] modulusOf = new int[call.elements.size()];
        for (int i = 0; i < modulusOf.length; i++) {
            Element element = call.elements.get(i);
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
                        Element element = call.elements.get(i);
                        one(call, "Modulus.pow", i, () -> {
                            try (Modulus own = open(call, element.modulus)) {
                                return own.pow(element.xs.get(0), element.ys.get(0));
                            }
                        });
                        if (call.cap == 0) {
                            BigInteger modulus = call.moduli.get(element.modulus);
                            one(call, "modPow", i, () -> Pingala.modPow(element.xs.get(0), element.ys.get(0), modulus));
                        }
                    }
                    break;
                case "list":
                case "rows":
                case "base_list":
                case "exponent_list":
                    list(call, "powList", Pingala.powList(Rows.of(xs), Rows.of(ys), moduli, modulusOf, call.options, null));
                    if (moduli.size() == 1) {
                        list(call, "Modulus.powList", m.powList(xs, ys));
                        if (call.workload.equals("base_list")) {
                            list(call, "powBases", m.powBases(Rows.of(xs), first(ys)));
                        } else if (call.workload.equals("exponent_list")) {
                            list(call, "powExponents", m.powExponents(first(xs), Rows.of(ys)));
                        }
                    }
                    break;
                case "product":
                case "product_list":
                    for (int i = 0; i < modulusOf.length; i++) {
                        Element element = call.elements.get(i);
                        one(call, "powProduct", i,
                                () -> moduli.get(element.modulus).powProduct(Rows.of(element.xs), Rows.of(element.ys)));
                    }
                    int[] all = ends.stream().mapToInt(Integer::intValue).toArray();
                    list(call, "powProductList",
                            Pingala.powProductList(Rows.of(allXs), Rows.of(allYs), all, moduli, modulusOf, call.options));
                    if (moduli.size() == 1) {
                        list(call, "Modulus.powProductList", m.powProductList(Rows.of(allXs), Rows.of(allYs), all));
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
                    for (int i = 0; i < modulusOf.length; i++) {
                        FixedBase made = table;
                        BigInteger y = ys.get(i);
                        one(call, "FixedBase.pow", i, () -> made.pow(y));
                    }
                    list(call, "FixedBase.powList", table.powList(Rows.of(ys)));
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
                        one(call, "repeatedSquare", 0, () -> m.repeatedSquare(xs.get(0), squarings, at));
                    }
                    break;
                case "invert":
                case "invert_list":
                    for (int i = 0; i < modulusOf.length; i++) {
                        BigInteger x = xs.get(i);
                        one(call, "invert", i, () -> m.invert(x));
                    }
                    list(call, "invertList", m.invertList(Rows.of(xs)));
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
                            Element element = call.elements.get(i);
                            int bits = declared(call, element);
                            one(call, "FixedBase.powSecure", i, () -> {
                                try (SecretExponent secret = SecretExponent.of(element.ys.get(0), bits)) {
                                    return secretTable.powSecure(secret);
                                }
                            });
                            one(call, "FixedBase.powSecureList", i,
                                    () -> secretTable.powSecureList(Rows.of(element.ys), bits).get(0));
                        }
                    }
                    break;
                default:
                    throw new AssertionError("the driver does not know the workload " + call.workload);
            }
        } finally {
            moduli.forEach(Modulus::close);
        }
    }

    private static void secrets(Call call, Modulus m) {
        for (int i = 0; i < call.elements.size(); i++) {
            Element element = call.elements.get(i);
            BigInteger base = element.xs.get(0).mod(m.value());
            int bits = declared(call, element);
            one(call, "powSecure", i, () -> {
                try (SecretExponent secret = SecretExponent.of(element.ys.get(0), bits)) {
                    return m.powSecure(base, secret);
                }
            });
            one(call, "powSecureBases", i, () -> {
                try (SecretExponent secret = SecretExponent.of(element.ys.get(0), bits)) {
                    return m.powSecureBases(Rows.of(base, base), secret).get(1);
                }
            });
            one(call, "powSecureList", i, () -> m.powSecureList(Rows.of(base), Rows.of(element.ys), bits).get(0));
        }
    }

    @Test
    void generatedCalls() throws IOException {
        Path file = Paths.get(System.getProperty("root", "../..")).resolve("vectors/calls.txt");
        Assumptions.assumeTrue(Files.exists(file), "the calls are in the repository of Pingala");
        Map<String, Integer> counts = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("#")) {
                continue;
            }
            Call call = read(line);
            make(call);
            assertTrue(call.compared > 0 || call.elements.isEmpty(), "nothing was compared\n" + line);
            counts.merge(call.workload, 1, Integer::sum);
        }
        assertTrue(counts.size() >= 20 && counts.values().stream().allMatch(n -> n >= 60), counts.toString());
    }

    @Test
    void unknownOptionsAreRefused() {
        String line = "power 1 threads=1 cap=0 blinded=0 moduli=7 powers=0,2,3 results=1";
        read(line);
        for (String[] change : new String[][] {{" threads", " strands"}, {" cap=0", " cap=0 speed=1"}, {" cap=0", " cap=0 cap=0"}}) {
            assertThrows(AssertionError.class, () -> read(line.replace(change[0], change[1])));
        }
    }
}
