package org.pingala;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Every function of the C library is called by some method, or named here. */
class SymbolsTest {
    /** Functions that no method calls, with the reason. */
    private static final Map<String, String> NOT_CALLED = Map.of();

    private static final Path ROOT = Paths.get(System.getProperty("root", "../.."));

    private static String camel(String name) {
        String[] parts = name.split("_");
        StringBuilder all = new StringBuilder(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            all.append(Character.toUpperCase(parts[i].charAt(0))).append(parts[i].substring(1));
        }
        return all.toString();
    }

    @Test
    void everyFunctionIsCalledOrNamed() throws IOException {
        Path list = ROOT.resolve("crates/pingala-c/symbols.txt");
        Assumptions.assumeTrue(Files.exists(list), "the list of symbols is in the repository of Pingala");
        List<String> symbols = Files.readAllLines(list);
        Set<String> names = new HashSet<>(symbols);
        List<Path> files = new ArrayList<>();
        for (String folder : List.of("java", "generated")) {
            try (Stream<Path> found = Files.list(ROOT.resolve("java/pingala/src/main/" + folder + "/org/pingala"))) {
                files.addAll(found.filter(p -> !p.endsWith("Functions.java") && !p.endsWith("JniFunctions.java")).collect(Collectors.toList()));
            }
        }
        StringBuilder sources = new StringBuilder();
        for (Path file : files) {
            sources.append(Files.readString(file));
        }
        Set<String> missing = new TreeSet<>();
        List<String> looked = new ArrayList<>();
        for (String symbol : symbols) {
            String name = symbol.replaceFirst("^pingala_", "");
            if (name.endsWith("_limbs") && names.contains(symbol.replaceFirst("_limbs$", "_be"))) {
                continue;
            }
            looked.add(name);
            String call = camel(name.replaceFirst("_be$", ""));
            if (!Pattern.compile("(\\.|::)" + call + "\\b").matcher(sources).find()) {
                missing.add(name);
            }
        }
        assertEquals(new TreeSet<>(NOT_CALLED.keySet()), missing);
        assertEquals(true, looked.size() > 90);
    }

    @Test
    void theVersionsAgree() throws IOException {
        Path cargo = ROOT.resolve("Cargo.toml");
        Assumptions.assumeTrue(Files.exists(cargo), "the version is in the repository of Pingala");
        String line = Files.readAllLines(cargo).stream().filter(l -> l.startsWith("version = ")).findFirst().orElseThrow();
        String version = line.replaceAll("version = \"(.*)\"", "$1");
        assertEquals(version, Pingala.version());
        for (String pom : List.of("java/pom.xml", "java/pingala/pom.xml", "java/pingala-all/pom.xml")) {
            assertEquals(true, Files.readString(ROOT.resolve(pom)).contains("<version>" + version + "</version>"), pom);
        }
        Path header = ROOT.resolve("crates/pingala-c/include/pingala.h");
        assertEquals(true, Files.readString(header).contains("#define PINGALA_ABI " + Library.ABI + "\n"));
    }
}
