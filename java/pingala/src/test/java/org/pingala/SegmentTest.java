package org.pingala;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows in memory segments. The tests are compiled for Java 11, which has none: they are called by reflection. */
class SegmentTest {
    private static final boolean HERE = Runtime.version().feature() >= 22;
    private static final int COUNT = 41;

    /** Calls a public method of a class of java.lang.foreign by its name and arguments. */
    private static Object call(String type, Object on, String name, Class<?>[] types, Object... arguments) throws Exception {
        try {
            return Class.forName("java.lang.foreign." + type).getMethod(name, types).invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    private static Object arena(String kind) throws Exception {
        return call("Arena", null, kind, new Class<?>[0]);
    }

    private static void close(Object arena) throws Exception {
        call("Arena", arena, "close", new Class<?>[0]);
    }

    private static Object allocate(Object arena, long bytes) throws Exception {
        return call("Arena", arena, "allocate", new Class<?>[] {long.class}, bytes);
    }

    private static ByteBuffer bytes(Object segment) throws Exception {
        return (ByteBuffer) call("MemorySegment", segment, "asByteBuffer", new Class<?>[0]);
    }

    private static Object ofArray(Object array) throws Exception {
        return call("MemorySegment", null, "ofArray", new Class<?>[] {array.getClass()}, array);
    }

    private static Object slice(Object segment, long from, long length) throws Exception {
        return call("MemorySegment", segment, "asSlice", new Class<?>[] {long.class, long.class}, from, length);
    }

    private static List<BigInteger> numbers(int bits) {
        Random random = new Random(bits);
        List<BigInteger> all = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            all.add(i == 3 ? BigInteger.ZERO : new BigInteger(bits, random));
        }
        return all;
    }

    private static void put(ByteBuffer to, List<BigInteger> numbers, int width) {
        for (BigInteger number : numbers) {
            for (int i = 0; i < width; i++) {
                to.put(number.shiftRight(8 * (width - 1 - i)).byteValue());
            }
        }
    }

    @Test
    void olderJavaSaysSo() {
        if (HERE) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Rows.ofSegment(ByteBuffer.allocate(8), 8));
            assertTrue(e.getMessage().contains("HeapByteBuffer"), e.getMessage());
        } else {
            UnsupportedOperationException e = assertThrows(UnsupportedOperationException.class, () -> Rows.ofSegment(new Object(), 8));
            assertTrue(e.getMessage().contains("Java 22"), e.getMessage());
        }
        assertThrows(NullPointerException.class, () -> Rows.ofSegment(null, 8));
        assertThrows(IllegalArgumentException.class, () -> Rows.ofSegment(new Object(), 0));
    }

    @Test
    @Tag("java22")
    void formsAgree() throws Exception {
        Assumptions.assumeTrue(HERE, "memory segments need Java 22 or newer");
        BigInteger m = Cases.odd(new Random(1), 509);
        Object arena = arena("ofConfined");
        try (Modulus modulus = Modulus.of(m)) {
            List<BigInteger> bases = numbers(512);
            List<BigInteger> exponents = numbers(60);
            Results expected = modulus.powList(Rows.of(bases), Rows.of(exponents)).check();
            for (int wide : new int[] {64, 69}) {
                Object placed = allocate(arena, (long) COUNT * wide);
                put(bytes(placed), bases, wide);
                byte[] copy = new byte[COUNT * wide];
                bytes(placed).get(copy);
                // An odd address, and an array of long, which has no buffer of bytes.
                Object odd = slice(allocate(arena, COUNT * wide + 1L), 1, COUNT * wide);
                put(bytes(odd), bases, wide);
                long[] words = new long[(COUNT * wide + 7) / 8];
                ByteBuffer.wrap(copy).order(java.nio.ByteOrder.nativeOrder()).asLongBuffer().get(words, 0, COUNT * wide / 8);
                List<Object> segments = new ArrayList<>(List.of(placed, odd, ofArray(copy)));
                if (COUNT * wide % 8 == 0) {
                    segments.add(ofArray(words));
                }
                byte[] short_ = new byte[COUNT * 8];
                put(ByteBuffer.wrap(short_), exponents, 8);
                for (Object segment : segments) {
                    Rows rows = Rows.ofSegment(segment, wide);
                    assertEquals(COUNT, rows.count());
                    assertEquals(wide, rows.width());
                    assertEquals(expected, modulus.powList(rows, Rows.ofSegment(ofArray(short_), 8)).check());
                    assertEquals(modulus.product(Rows.of(bases)), modulus.product(rows));
                    // The results go to a segment too.
                    Object out = allocate(arena, (long) COUNT * modulus.width());
                    modulus.powBases(rows, BigInteger.TEN, bytes(out));
                    assertEquals(modulus.powBases(Rows.of(bases), BigInteger.TEN), modulus.powBases(Rows.ofSegment(out, modulus.width()), BigInteger.ONE));
                }
                IllegalArgumentException e = assertThrows(
                        IllegalArgumentException.class, () -> Rows.ofSegment(slice(placed, 0, 2L * wide - 1), wide));
                assertTrue(e.getMessage().contains("whole rows"), e.getMessage());
            }
            assertEquals(0, modulus.powBases(Rows.ofSegment(allocate(arena, 0), 5), BigInteger.TEN).size());
        } finally {
            close(arena);
        }
    }

    @Test
    @Tag("java22")
    void closedArenasAndOtherThreadsAreRefused() throws Exception {
        Assumptions.assumeTrue(HERE, "memory segments need Java 22 or newer");
        Object arena = arena("ofConfined");
        Object segment = allocate(arena, 320);
        try (Modulus modulus = Modulus.of(BigInteger.ONE.shiftLeft(255))) {
            Rows narrow = Rows.ofSegment(segment, 20);
            Rows wide = Rows.ofSegment(segment, 32);
            List<Throwable> thrown = new ArrayList<>();
            Thread other = new Thread(() -> {
                for (Rows rows : List.of(narrow, wide)) {
                    try {
                        modulus.powBases(rows, BigInteger.TWO);
                    } catch (RuntimeException e) {
                        thrown.add(e);
                    }
                }
            });
            other.start();
            other.join();
            assertEquals(2, thrown.stream().filter(e -> e instanceof RuntimeException).count());
            assertTrue(thrown.stream().allMatch(e -> e.getClass().getSimpleName().equals("WrongThreadException")), thrown.toString());
            close(arena);
            assertThrows(IllegalStateException.class, () -> modulus.powBases(narrow, BigInteger.TWO));
            assertThrows(IllegalStateException.class, () -> modulus.powBases(wide, BigInteger.TWO));
        }
    }

    @Test
    @Tag("java22")
    void nothingIsAllocatedForAnElement() throws Exception {
        Assumptions.assumeTrue(HERE, "memory segments need Java 22 or newer");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Object arena = arena("ofConfined");
        int count = 20_000;
        Object segment = allocate(arena, 32L * count);
        Object out = allocate(arena, 32L * count);
        ByteBuffer in = bytes(segment);
        for (int i = 0; i < count; i++) {
            in.put(32 * i + 31, (byte) (i | 1));
        }
        ByteBuffer results = bytes(out);
        try (Modulus modulus = Modulus.of(Cases.odd(new Random(5), 256))) {
            for (int width : new int[] {32, 16}) {
                Rows rows = Rows.ofSegment(slice(segment, 0, (long) width * count), width);
                long least = Long.MAX_VALUE;
                for (int i = 0; i < 5; i++) {
                    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                    modulus.powBases(rows, BigInteger.TWO, results).check();
                    least = Math.min(least, threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
                }
                long most = least;
                assertTrue(most < count, () -> most + " bytes for " + count + " elements");
            }
        } finally {
            close(arena);
        }
    }
}
