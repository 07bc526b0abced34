package org.pingala;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/** A line of the files of calls that every binding makes, and what compares its results. */
final class GeneratedCall {
    static final class Element {
        int modulus;
        final List<BigInteger> xs = new ArrayList<>();
        final List<BigInteger> ys = new ArrayList<>();
        String answer;
    }

    String line;
    String workload;
    Options options = Options.DEFAULT;
    /** Those of moduli for tables, without a time-out and a kernel. */
    Options plain;
    int cap;
    int wider;
    /** None, long or past. */
    String timeout;
    /** Whether the call is made again by the line of its plan. */
    boolean byItsLine;
    boolean forced;
    final List<BigInteger> moduli = new ArrayList<>();
    final List<Factor[]> factors = new ArrayList<>();
    final List<Boolean> secret = new ArrayList<>();
    final List<Element> elements = new ArrayList<>();
    int compared;

    private static BigInteger hexadecimal(String text) {
        return new BigInteger(text, 16);
    }

    private static String[] items(String text) {
        return text.equals("-") ? new String[0] : text.split(";");
    }

    static GeneratedCall read(String line) {
        GeneratedCall call = new GeneratedCall();
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
                case "timeout":
                    call.timeout = value;
                    break;
                case "memory":
                    call.options = call.options.withMemory(Long.parseLong(value, 16));
                    break;
                case "kernel":
                    call.forced = !value.equals("-");
                    break;
                case "plan":
                    call.byItsLine = value.equals("1");
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
        assertTrue(seen.containsAll(List.of("threads", "cap", "blinded", "timeout", "memory", "results")));
        call.plain = call.options;
        Duration limit = Map.of("none", Duration.ZERO, "long", Duration.ofHours(1), "past", Duration.ofNanos(1)).get(call.timeout);
        call.options = call.options.withTimeout(limit);
        if (call.forced) {
            call.options = call.options.withKernel("portable_r64");
        }
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
        } catch (IllegalArgumentException e) {
            return "!bad_argument";
        } catch (PingalaException e) {
            return "!" + e.code();
        }
    }

    /** Whether the call may end with a code, whatever its results are. */
    boolean tolerates(String code) {
        return code.equals("interrupted") && timeout.equals("past") || code.equals("bad_plan") && forced;
    }

    void one(String way, int i, Supplier<BigInteger> result) {
        compared++;
        String found = outcome(result);
        if (!found.startsWith("!") || !tolerates(found.substring(1))) {
            assertEquals(elements.get(i).answer, found, () -> way + ", element " + i + "\n" + line);
        }
    }

    /** Compares the results of a list and the errors of its elements. */
    void list(String way, Supplier<Results> list) {
        Results results;
        try {
            results = list.get();
        } catch (PingalaException e) {
            if (!tolerates(e.code())) {
                throw e;
            }
            compared++;
            return;
        }
        assertEquals(elements.size(), results.size(), () -> way + "\n" + line);
        for (int i = 0; i < results.size(); i++) {
            int at = i;
            one(way, i, () -> results.get(at));
            assertTrue(forced || results.error(i) != null == elements.get(i).answer.startsWith("!"), line);
        }
    }

    /** Compares a call that has the first error of its elements, or gives a result for each. */
    void whole(String way, Supplier<List<BigInteger>> results) {
        List<BigInteger> found;
        try {
            found = results.get();
        } catch (RuntimeException e) {
            if (e instanceof PingalaException && tolerates(((PingalaException) e).code())) {
                compared++;
                return;
            }
            for (int i = 0; i < elements.size(); i++) {
                if (elements.get(i).answer.startsWith("!")) {
                    one(way, i, () -> {
                        throw e;
                    });
                    return;
                }
            }
            throw e;
        }
        assertEquals(elements.size(), found.size(), () -> way + "\n" + line);
        for (int i = 0; i < found.size(); i++) {
            int at = i;
            one(way, i, () -> found.get(at));
        }
    }

    /** The modulus of a place. */
    Modulus open(int i) {
        return open(i, workload.contains("fixed_base") ? plain : options);
    }

    /** The same with other options. */
    Modulus open(int i, Options options) {
        return secret.get(i)
                ? Modulus.ofSecretFactors(moduli.get(i), options, factors.get(i))
                : Modulus.of(moduli.get(i), options, factors.get(i));
    }

    /**
     * The lines of a file with calls; the test is skipped outside the repository. More calls than those of the repository lie in a folder that the
     * environment names.
     */
    static List<GeneratedCall> all(String name) throws IOException {
        String other = System.getenv("PINGALA_CALLS");
        Path file = (other == null ? Paths.get(System.getProperty("root", "../..")).resolve("vectors") : Paths.get(other)).resolve(name);
        Assumptions.assumeTrue(Files.exists(file), "the calls are in the repository of Pingala");
        List<GeneratedCall> calls = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.startsWith("#")) {
                calls.add(read(line));
            }
        }
        return calls;
    }

    /** Whether the calls compared anything; it counts them. */
    void count(Map<String, Integer> counts) {
        assertTrue(compared > 0 || elements.isEmpty(), () -> "nothing was compared\n" + line);
        counts.merge(workload, 1, Integer::sum);
    }
}
