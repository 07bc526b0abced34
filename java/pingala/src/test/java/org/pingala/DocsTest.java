package org.pingala;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/java.md are compiled, and the programs of java/README.md and docs/recipes run. */
class DocsTest {
    private static final String ARGUMENTS = "java.math.BigInteger base, java.math.BigInteger exponent, java.math.BigInteger modulus, "
            + "java.util.List<java.math.BigInteger> bases, byte[][] exponents, java.nio.ByteBuffer buffer, java.nio.ByteBuffer out";
    private static final Path DOCS = Paths.get(System.getProperty("root", "../..")).resolve("docs");
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    @BeforeAll
    static void needed() {
        Assumptions.assumeTrue(Files.exists(DOCS), "the pages are in the repository of Pingala");
        Assumptions.assumeTrue(COMPILER != null, "this Java has no compiler");
    }

    @Test
    void examplesCompile(@TempDir Path folder) throws Exception {
        Matcher blocks = blocks("^```java\n(.*?)^```", DOCS.resolve("java.md"));
        int count = 0;
        while (blocks.find()) {
            String name = "Example" + count++;
            StringBuilder head = new StringBuilder("import java.math.BigInteger;\nimport org.pingala.*;\n");
            StringBuilder body = new StringBuilder();
            for (String line : blocks.group(1).split("\n")) {
                (line.startsWith("import ") ? head : body).append(line).append('\n');
            }
            compile(folder, name, head + "class " + name + " {\nstatic void run(" + ARGUMENTS + ") {\n" + body + "}\n}\n");
        }
        assertTrue(count >= 2);
    }

    /** What a program prints is checked if the page shows it. */
    @Test
    void recipesRun(@TempDir Path folder) throws Exception {
        int count = 0;
        for (Path page : pages()) {
            Matcher blocks = blocks("^```java\n(.*?class (\\w+).*?)^```\n(?:\n```text\n(.*?)^```)?", page);
            while (blocks.find()) {
                compile(folder, blocks.group(2), blocks.group(1));
                String printed = run(folder, blocks.group(2));
                if (blocks.group(3) != null) {
                    assertEquals(blocks.group(3), printed.replace(System.lineSeparator(), "\n"), page.toString());
                }
                count++;
            }
        }
        assertTrue(count >= 6);
    }

    private static List<Path> pages() throws Exception {
        try (Stream<Path> files = Files.list(DOCS.resolve("recipes"))) {
            Stream<Path> recipes = files.filter(file -> file.toString().endsWith(".md")).sorted();
            return Stream.concat(Stream.of(DOCS.resolveSibling("java").resolve("README.md")), recipes).collect(Collectors.toList());
        }
    }

    private static Matcher blocks(String pattern, Path page) throws Exception {
        return Pattern.compile(pattern, Pattern.MULTILINE | Pattern.DOTALL).matcher(Files.readString(page));
    }

    private static void compile(Path folder, String name, String program) throws Exception {
        Path file = folder.resolve(name + ".java");
        Files.writeString(file, program);
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        int status = COMPILER.run(null, null, errors, "-d", folder.toString(), "-cp", path, file.toString());
        assertEquals(0, status, () -> errors.toString(StandardCharsets.UTF_8));
    }

    /** What the main method of a class prints. */
    private static String run(Path folder, String name) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        URL[] places = {folder.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(places, DocsTest.class.getClassLoader());
                PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
