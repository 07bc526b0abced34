package org.pingala;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** Finds functions of the C library. It is opened once, before any of them is looked for. */
abstract class FfmLinker {
    /** How {@link FfmFunctions} names the types of arguments and results. */
    static final MemoryLayout INT = ValueLayout.JAVA_INT;

    static final MemoryLayout LONG = ValueLayout.JAVA_LONG;
    static final MemoryLayout VOID = null;

    private static final Linker LINKER = Linker.nativeLinker();
    private static volatile SymbolLookup library;

    static final MethodHandle MALLOC = link(LINKER.defaultLookup(), "malloc", LONG, LONG);
    static final MethodHandle FREE = link(LINKER.defaultLookup(), "free", VOID, LONG);

    static void open(String path) {
        try {
            library = SymbolLookup.libraryLookup(Path.of(path), Arena.global());
        } catch (IllegalArgumentException e) {
            throw new UnsatisfiedLinkError(path + ": " + e.getMessage());
        }
    }

    /** The function of this name: what it gives, then what it takes. */
    static MethodHandle function(String name, MemoryLayout gives, MemoryLayout... takes) {
        return link(library, name, gives, takes);
    }

    private static MethodHandle link(SymbolLookup where, String name, MemoryLayout gives, MemoryLayout... takes) {
        FunctionDescriptor type =
                gives == null ? FunctionDescriptor.ofVoid(takes) : FunctionDescriptor.of(gives, takes);
        return LINKER.downcallHandle(
                where.find(name).orElseThrow(() -> new UnsatisfiedLinkError("the library has no " + name)), type);
    }

    /** A function of C throws nothing. */
    static Error impossible(Throwable e) {
        return e instanceof Error ? (Error) e : new AssertionError(e);
    }
}
