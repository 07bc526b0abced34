package org.pingala;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds and opens the native library, once. */
final class Library {
    /** The number of the C interface that this class was written for ({@code PINGALA_ABI}). */
    static final int ABI = 3;

    /** The platforms of a release, by the names of their jars. */
    static final List<String> PLATFORMS =
            List.of("linux-x86_64", "musl-x86_64", "linux-aarch64", "macos-arm64", "macos-x86_64", "windows-x86_64");

    private static final Native NATIVE;
    private static final String WHY_NOT;

    static {
        Native opened = null;
        String why = null;
        try {
            opened = open();
        } catch (IOException e) {
            why = "the native library cannot be extracted into " + System.getProperty("java.io.tmpdir") + " (java.io.tmpdir): " + e;
        } catch (UnsatisfiedLinkError e) {
            why = e.getMessage();
        } catch (ExceptionInInitializerError e) {
            why = "Java does not allow native libraries: " + e.getCause();
        }
        NATIVE = opened;
        WHY_NOT = why;
    }

    private Library() {}

    /** The open library; an error that says what was looked for if there is none. */
    static Native get() {
        if (NATIVE == null) {
            throw new UnsatisfiedLinkError(WHY_NOT);
        }
        return NATIVE;
    }

    /** A text of static memory. */
    static String text(long address) {
        ByteBuffer memory = get().view(address, 100);
        byte[] bytes = new byte[100];
        int length = 0;
        for (byte b; length < bytes.length && (b = memory.get(length)) != 0; length++) {
            bytes[length] = b;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static Native open() throws IOException {
        String named = System.getProperty("pingala.library");
        if (named != null) {
            Path path = Paths.get(named).toAbsolutePath();
            return open(path, path.resolveSibling(System.mapLibraryName("pingala_jni")));
        }
        String platform = platform();
        String folder = "META-INF/pingala/" + platform + "/";
        String[] names = {libraryName(platform, "pingala"), libraryName(platform, "pingala_jni")};
        if (resource(folder + names[0]) == null) {
            throw new UnsatisfiedLinkError(missing(platform));
        }
        // System.load takes absolute paths only, and java.io.tmpdir may be a relative one.
        Path own = Files.createTempDirectory("pingala-").toAbsolutePath();
        try {
            for (String name : names) {
                URL from = resource(folder + name);
                if (from != null) {
                    try (InputStream in = from.openStream()) {
                        Files.copy(in, own.resolve(name));
                    }
                }
            }
            return open(own.resolve(names[0]), own.resolve(names[1]));
        } finally {
            // On Windows an open library cannot be removed: the next start does.
            for (String name : names) {
                remove(own.resolve(name));
            }
            remove(own);
            if (platform.startsWith("windows")) {
                removeOld(own.getParent(), names);
            }
        }
    }

    private static Native open(Path library, Path jniLibrary) {
        String wanted = System.getProperty("pingala.backend", "");
        if (!List.of("", "jni", "ffm").contains(wanted)) {
            throw new UnsatisfiedLinkError("pingala.backend is \"" + wanted + "\": expected jni or ffm");
        }
        Native opened = wanted.equals("jni") ? null : Ffm.load(library.toString());
        if (opened == null) {
            if (wanted.equals("ffm")) {
                throw new UnsatisfiedLinkError("pingala.backend=ffm needs Java 22 or newer, and a jar with its classes; this is Java "
                        + System.getProperty("java.version"));
            }
            if (!Files.exists(jniLibrary)) {
                throw new UnsatisfiedLinkError("Java " + System.getProperty("java.version") + " needs " + jniLibrary.getFileName()
                        + " beside " + library);
            }
            opened = Jni.load(jniLibrary.toString(), library.toString());
        }
        if (opened.abi() < ABI) {
            throw new UnsatisfiedLinkError(library + " has version " + opened.abi() + " of the C interface: expected " + ABI);
        }
        return opened;
    }

    private static String missing(String platform) {
        List<String> there = new ArrayList<>();
        for (String other : PLATFORMS) {
            if (resource("META-INF/pingala/" + other + "/" + libraryName(other, "pingala")) != null) {
                there.add(other);
            }
        }
        return "no native library for this platform, " + platform + " (os.name=" + System.getProperty("os.name") + ", os.arch="
                + System.getProperty("os.arch") + "). On the class path: " + (there.isEmpty() ? "none" : String.join(", ", there))
                + ". Add pingala-<version>-" + platform + ".jar or pingala-all; there are jars for " + String.join(", ", PLATFORMS)
                + ". Or name a library: -Dpingala.library=FILE";
    }

    private static URL resource(String name) {
        ClassLoader loader = Library.class.getClassLoader();
        return loader == null ? ClassLoader.getSystemResource(name) : loader.getResource(name);
    }

    /** The name of this platform. */
    static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        boolean x86 = processor.equals("amd64") || processor.equals("x86_64");
        if (system.startsWith("windows")) {
            return "windows-" + (x86 ? "x86_64" : processor);
        }
        if (system.startsWith("mac")) {
            return "macos-" + (x86 ? "x86_64" : processor.equals("aarch64") ? "arm64" : processor);
        }
        return (system.equals("linux") && usesMusl() ? "musl" : system) + "-" + (x86 ? "x86_64" : processor);
    }

    private static boolean usesMusl() {
        try (BufferedReader maps = Files.newBufferedReader(Paths.get("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
            return maps.lines().anyMatch(line -> line.contains("/ld-musl-"));
        } catch (IOException e) {
            return false;
        }
    }

    private static String libraryName(String platform, String name) {
        return platform.startsWith("windows") ? name + ".dll" : "lib" + name + (platform.startsWith("macos") ? ".dylib" : ".so");
    }

    private static void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // It is in use.
        }
    }

    private static void removeOld(Path folder, String[] names) {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(folder, "pingala-*")) {
            for (Path one : old) {
                BasicFileAttributes it = Files.readAttributes(one, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                // Links and junctions are not ours; and another program may be about to open what is new.
                boolean isOld = System.currentTimeMillis() - it.lastModifiedTime().toMillis() >= 3_600_000;
                if (it.isDirectory() && !it.isOther() && isOld) {
                    for (String name : names) {
                        remove(one.resolve(name));
                    }
                    remove(one);
                }
            }
        } catch (IOException e) {
            // What stays there harms nobody.
        }
    }
}
