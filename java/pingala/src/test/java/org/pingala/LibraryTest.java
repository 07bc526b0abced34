package org.pingala;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How the native library is found, in a Java of its own. */
class LibraryTest {
    /** Prints what runs, and a power. */
    public static final class Program {
        public static void main(String[] arguments) {
            try {
                System.out.println(Pingala.backend() + " " + Pingala.modPow(java.math.BigInteger.TWO, java.math.BigInteger.TEN, java.math.BigInteger.valueOf(1000)));
            } catch (UnsatisfiedLinkError e) {
                System.out.println("error " + e.getMessage());
            }
        }
    }

    private static String run(boolean natives, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Paths.get(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(Arrays.asList(options));
        String path = Arrays.stream(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        .split(java.io.File.pathSeparator))
                .filter(one -> natives || !one.contains("natives"))
                .collect(Collectors.joining(java.io.File.pathSeparator));
        command.addAll(List.of("-cp", path, Program.class.getName()));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
        return printed.trim();
    }

    @Test
    void theLibraryIsFoundOrMissed() throws Exception {
        boolean ffm = Runtime.version().feature() >= 22;
        assertEquals((ffm ? "ffm" : "jni") + " 24", run(true));
        assertEquals("jni 24", run(true, "-Dpingala.backend=jni"));
        // Java loads a library by an absolute path only.
        assertEquals("jni 24", run(true, "-Dpingala.backend=jni", "-Djava.io.tmpdir=."));
        assertEquals((ffm ? "ffm" : "jni") + " 24", run(true, "-Djava.io.tmpdir=."));
        String forced = run(true, "-Dpingala.backend=ffm");
        assertTrue(ffm ? forced.equals("ffm 24") : forced.contains("needs Java 22"), forced);
        assertTrue(run(true, "-Dpingala.backend=none").contains("expected jni or ffm"));
        String missing = run(false);
        assertTrue(missing.startsWith("error no native library for this platform, " + Library.platform()), missing);
        assertTrue(missing.contains("On the class path: none") && missing.contains("linux-aarch64"), missing);
        String other = run(true, "-Dos.arch=sparc");
        assertTrue(other.contains("-sparc") && other.contains("On the class path: " + Library.platform()), other);
        assertTrue(run(true, "-Dpingala.library=/none.so").startsWith("error "), "a library that is not there");
        Path here = Paths.get(System.getProperty("root"), "target/java/natives/META-INF/pingala", Library.platform(), System.mapLibraryName("pingala"));
        assertEquals((ffm ? "ffm" : "jni") + " 24", run(false, "-Dpingala.library=" + here.normalize()));
    }
}
