package org.pingala;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/java.md are compiled. */
class DocsTest {
    private static final String ARGUMENTS = "java.math.BigInteger base, java.math.BigInteger exponent, java.math.BigInteger modulus, "
            + "java.util.List<java.math.BigInteger> bases, byte[][] exponents, java.nio.ByteBuffer buffer, java.nio.ByteBuffer out";

    @Test
    void examplesCompile(@TempDir Path folder) throws Exception {
        Path page = Paths.get(System.getProperty("root", "../..")).resolve("docs/java.md");
        Assumptions.assumeTrue(Files.exists(page), "the page is in the repository of Pingala");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Assumptions.assumeTrue(compiler != null, "this Java has no compiler");
        Matcher blocks = Pattern.compile("^```java\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL).matcher(Files.readString(page));
        int count = 0;
        while (blocks.find()) {
            String name = "Example" + count++;
            StringBuilder head = new StringBuilder("import java.math.BigInteger;\nimport org.pingala.*;\n");
            StringBuilder body = new StringBuilder();
            for (String line : blocks.group(1).split("\n")) {
                (line.startsWith("import ") ? head : body).append(line).append('\n');
            }
            Path file = folder.resolve(name + ".java");
            Files.writeString(file, head + "class " + name + " {\nstatic void run(" + ARGUMENTS + ") {\n" + body + "}\n}\n");
            ByteArrayOutputStream errors = new ByteArrayOutputStream();
            String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            int status = compiler.run(null, null, errors, "-d", folder.toString(), "-cp", path, file.toString());
            assertTrue(status == 0, () -> errors.toString(StandardCharsets.UTF_8));
        }
        assertTrue(count >= 2);
    }
}
