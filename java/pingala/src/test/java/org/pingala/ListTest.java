package org.pingala;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lists in every form that they may have. */
class ListTest {
    private static final int COUNT = 37;

    private static List<BigInteger> numbers(Random random, int bits, boolean negative) {
        List<BigInteger> all = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            BigInteger one = i == 5 ? BigInteger.ZERO : new BigInteger(bits, random);
            all.add(negative && i % 3 == 0 ? one.negate() : one);
        }
        return all;
    }

    private static byte[] row(BigInteger number, int width) {
        byte[] bytes = number.toByteArray();
        byte[] row = new byte[width];
        for (int i = 0; i < Math.min(width, bytes.length); i++) {
            row[width - 1 - i] = bytes[bytes.length - 1 - i];
        }
        return row;
    }

    private static byte[][] arrays(List<BigInteger> numbers) {
        return numbers.stream().map(n -> row(n, (n.bitLength() + 7) / 8 + n.bitLength() % 3)).toArray(byte[][]::new);
    }

    private static ByteBuffer packed(List<BigInteger> numbers, int width, boolean direct) {
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(numbers.size() * width + 3) : ByteBuffer.allocate(numbers.size() * width + 3);
        buffer.put(new byte[3]);
        numbers.forEach(n -> buffer.put(row(n, width)));
        return buffer.flip().position(3);
    }

    /** The forms of a list of numbers of 0 or more; rows of buffers are wider by some bytes. */
    private static List<Rows> forms(List<BigInteger> numbers, int width) {
        return List.of(
                Rows.of(numbers),
                Rows.of(arrays(numbers)),
                Rows.of(packed(numbers, width, false), width),
                Rows.of(packed(numbers, width, true), width),
                Rows.of(packed(numbers, width + 5, true), width + 5),
                Rows.of(packed(numbers, width + 9, false), width + 9));
    }

    @Test
    void formsAgree() {
        Random random = new Random(7);
        for (int bits : new int[] {1, 8, 61, 64, 200, 1024}) {
            for (int parity = 0; parity < 2; parity++) {
                BigInteger m = Cases.odd(random, bits).add(BigInteger.valueOf(parity));
                try (Modulus modulus = Modulus.of(m)) {
                    int width = modulus.width();
                    for (int baseBits : new int[] {8 * width, Math.max(1, 8 * width - 20)}) {
                        List<BigInteger> bases = numbers(random, baseBits, false);
                        List<BigInteger> exponents = numbers(random, 70, false);
                        for (Rows b : forms(bases, width)) {
                            for (Rows e : forms(exponents, 9)) {
                                Results powers = modulus.powList(b, e);
                                for (int i = 0; i < COUNT; i++) {
                                    assertEquals(bases.get(i).modPow(exponents.get(i), m), powers.get(i));
                                }
                            }
                            Results each = modulus.powBases(b, exponents.get(0));
                            Results product = modulus.multiplyList(b, forms(bases, width).get(3));
                            Results square = modulus.squareList(b);
                            BigInteger all = BigInteger.ONE.mod(m);
                            Results running = modulus.runningProduct(b);
                            for (int i = 0; i < COUNT; i++) {
                                BigInteger one = bases.get(i);
                                assertEquals(one.modPow(exponents.get(0), m), each.get(i));
                                assertEquals(one.multiply(one).mod(m), product.get(i));
                                assertEquals(one.multiply(one).mod(m), square.get(i));
                                all = all.multiply(one).mod(m);
                                assertEquals(all, running.get(i));
                            }
                            assertEquals(all, modulus.product(b));
                            int[] ends = {0, 5, 5, COUNT};
                            Results products = modulus.powProductList(b, Rows.of(exponents), ends);
                            for (int i = 0; i < ends.length; i++) {
                                BigInteger expected = BigInteger.ONE.mod(m);
                                for (int j = i == 0 ? 0 : ends[i - 1]; j < ends[i]; j++) {
                                    expected = expected.multiply(bases.get(j).modPow(exponents.get(j), m)).mod(m);
                                }
                                assertEquals(expected, products.get(i));
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void signsAndErrorsOfElements() {
        Random random = new Random(8);
        BigInteger m = BigInteger.valueOf(3 * 5 * 7 * 11 * 13);
        List<BigInteger> bases = numbers(random, 40, true);
        List<BigInteger> exponents = numbers(random, 10, true);
        try (Modulus modulus = Modulus.of(m)) {
            Results powers = modulus.powList(bases, exponents);
            Results shared = modulus.powExponents(BigInteger.valueOf(-2), Rows.of(exponents));
            Results inverses = modulus.invertList(Rows.of(bases));
            boolean bad = false;
            for (int i = 0; i < COUNT; i++) {
                int at = i;
                String expected = Cases.outcome(() -> bases.get(at).modPow(exponents.get(at), m));
                if (expected.contains("not invertible")) {
                    bad = true;
                    assertEquals("not_invertible", powers.error(i));
                    PingalaException e = assertThrows(PingalaException.class, () -> powers.get(at));
                    assertEquals(i, e.index());
                    assertTrue(e.getMessage().contains("element " + i));
                } else {
                    assertNull(powers.error(i));
                    assertEquals(expected, powers.get(i).toString(16));
                }
                assertEquals(BigInteger.valueOf(-2).modPow(exponents.get(i), m), shared.get(i));
                String inverse = Cases.outcome(() -> bases.get(at).modInverse(m));
                assertEquals(inverse.contains("not invertible") ? "not_invertible" : null, inverses.error(i));
                if (inverses.error(i) == null) {
                    assertEquals(inverse, inverses.get(i).toString(16));
                }
            }
            assertTrue(bad);
            assertThrows(PingalaException.class, powers::check);
            shared.check();
        }
    }

    @Test
    void severalModuli() {
        Random random = new Random(9);
        List<BigInteger> bases = numbers(random, 300, true);
        List<BigInteger> exponents = numbers(random, 60, false);
        List<BigInteger> moduli = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            moduli.add(i % 4 == 0 ? BigInteger.ONE : i % 4 == 1 && i > 1 ? moduli.get(1) : Cases.odd(random, 10 * i + 1));
        }
        Results powers = Pingala.modPowList(bases, exponents, moduli, Options.DEFAULT);
        for (int i = 0; i < COUNT; i++) {
            assertEquals(bases.get(i).modPow(exponents.get(i), moduli.get(i)), powers.get(i));
        }
        moduli.set(3, null);
        NullPointerException none = assertThrows(
                NullPointerException.class, () -> Pingala.modPowList(bases, exponents, moduli, Options.DEFAULT));
        assertEquals("modulus 3 is null", none.getMessage());
        try (Modulus a = Modulus.of(moduli.get(1));
                Modulus b = Modulus.of(moduli.get(2))) {
            Results products = Pingala.powProductList(
                    Rows.of(bases), Rows.of(exponents), new int[] {2, COUNT}, List.of(a, b), null, Options.DEFAULT);
            BigInteger first = bases.get(0).modPow(exponents.get(0), a.value()).multiply(bases.get(1).modPow(exponents.get(1), a.value()));
            assertEquals(first.mod(a.value()), products.get(0));
        }
    }

    @Test
    void badModuliAreErrorsOfTheirElements() {
        Random random = new Random(12);
        List<BigInteger> bases = numbers(random, 90, true);
        List<BigInteger> exponents = numbers(random, 60, true);
        List<BigInteger> moduli = new ArrayList<>();
        String[] codes = new String[COUNT];
        for (int i = 0; i < COUNT; i++) {
            BigInteger good = i % 4 == 0 ? BigInteger.ONE : BigInteger.valueOf(6 * (1 + i % 5));
            int kind = i % 7;
            moduli.add(kind == 1 ? BigInteger.ZERO : kind == 3 ? good.negate() : kind == 5 ? BigInteger.ONE.shiftLeft(1 << 24) : good);
            codes[i] = kind == 1 ? "zero_modulus" : kind == 3 ? "negative_modulus" : kind == 5 ? "too_long" : null;
        }
        Results powers = Pingala.modPowList(bases, exponents, moduli, Options.DEFAULT);
        assertEquals(COUNT, powers.size());
        for (int i = 0; i < COUNT; i++) {
            if (codes[i] == null) {
                BigInteger expected = null;
                try {
                    expected = bases.get(i).modPow(exponents.get(i), moduli.get(i));
                } catch (ArithmeticException e) {
                    codes[i] = "not_invertible";
                }
                if (expected != null) {
                    assertEquals(expected, powers.get(i));
                }
            }
            assertEquals(codes[i], powers.error(i));
            if (codes[i] != null) {
                int place = i;
                PingalaException e = assertThrows(PingalaException.class, () -> powers.get(place));
                assertEquals(i, e.index());
                assertEquals(codes[i], e.code());
                assertEquals("element " + i + ": " + codes[i].replace('_', ' '), e.getMessage());
                byte[] row = new byte[powers.width()];
                powers.rows().position(i * row.length).get(row);
                assertArrayEquals(new byte[row.length], row);
            }
        }
        assertTrue(Arrays.asList(codes).contains("not_invertible"));
        assertEquals(1, assertThrows(PingalaException.class, powers::check).index());
        List<BigInteger> two = List.of(BigInteger.TWO, BigInteger.TWO);
        Results limited = Pingala.modPowList(two, two, List.of(BigInteger.TEN, BigInteger.ONE.shiftLeft(99)), Options.DEFAULT.withLimits(64, 64));
        assertEquals(BigInteger.valueOf(4), limited.get(0));
        assertEquals("too_long", limited.error(1));
        Results all = Pingala.modPowList(two, two, List.of(BigInteger.ZERO, BigInteger.TEN.negate()), Options.DEFAULT);
        assertEquals("zero_modulus", all.error(0));
        assertEquals("negative_modulus", all.error(1));
    }

    @Test
    void resultsGoToABuffer() {
        Random random = new Random(10);
        BigInteger m = Cases.odd(random, 250);
        List<BigInteger> bases = numbers(random, 250, false);
        try (Modulus modulus = Modulus.of(m)) {
            int width = modulus.width();
            for (boolean direct : new boolean[] {false, true}) {
                for (int wide : new int[] {width, width + 4}) {
                    ByteBuffer out = direct ? ByteBuffer.allocateDirect(2000) : ByteBuffer.allocate(2000);
                    out.position(11);
                    Results powers = modulus.powBases(Rows.of(packed(bases, wide, direct), wide), BigInteger.TWO, out);
                    assertEquals(11, out.position());
                    for (int i = 0; i < COUNT; i++) {
                        byte[] row = new byte[width];
                        out.duplicate().position(11 + i * width).get(row);
                        assertEquals(bases.get(i).modPow(BigInteger.TWO, m), new BigInteger(1, row));
                        assertArrayEquals(row, powers.bytes(i));
                    }
                    for (int i = 0; i < 2000; i++) {
                        assertTrue(i >= 11 && i < 11 + COUNT * width || out.get(i) == 0, "a byte outside the rows was written");
                    }
                    assertEquals(COUNT * width, powers.rows().remaining());
                }
            }
            ByteBuffer inPlace = packed(bases, width, true);
            modulus.powBases(Rows.of(inPlace, width), BigInteger.TWO, inPlace);
            byte[] last = new byte[width];
            inPlace.duplicate().position(3 + (COUNT - 1) * width).get(last);
            assertEquals(bases.get(COUNT - 1).modPow(BigInteger.TWO, m), new BigInteger(1, last));
        }
    }

    @Test
    void badArgumentsAreRefused() {
        try (Modulus modulus = Modulus.of(BigInteger.valueOf(1000))) {
            Rows two = Rows.of(BigInteger.TWO, BigInteger.TWO);
            Rows one = Rows.of(BigInteger.TWO);
            assertThrows(IllegalArgumentException.class, () -> modulus.powList(two, one));
            assertThrows(IllegalArgumentException.class, () -> modulus.multiplyList(two, one));
            assertThrows(IllegalArgumentException.class, () -> modulus.powList(two, two, ByteBuffer.allocate(3)));
            assertThrows(IllegalArgumentException.class, () -> modulus.powList(two, two, ByteBuffer.allocateDirect(3)));
            assertThrows(ReadOnlyBufferException.class, () -> modulus.powList(two, two, ByteBuffer.allocate(9).asReadOnlyBuffer()));
            assertThrows(IllegalArgumentException.class, () -> Rows.of(ByteBuffer.allocate(7), 2));
            assertThrows(IllegalArgumentException.class, () -> Rows.of(ByteBuffer.allocate(8), 0));
            assertThrows(IllegalArgumentException.class, () -> Rows.of(ByteBuffer.allocate(8), -2));
            assertThrows(NullPointerException.class, () -> Rows.of(Arrays.asList(BigInteger.ONE, null)));
            assertThrows(NullPointerException.class, () -> Rows.of(new byte[][] {{1}, null}));
            assertThrows(NullPointerException.class, () -> modulus.powList(null, one));
            assertThrows(NullPointerException.class, () -> modulus.powBases(one, null));
            assertThrows(NullPointerException.class, () -> modulus.with(null));
            assertThrows(IllegalArgumentException.class, () -> modulus.powProductList(two, two, new int[] {1}));
            assertThrows(IllegalArgumentException.class, () -> modulus.powProductList(two, two, new int[] {3, 2}));
            assertThrows(IllegalArgumentException.class, () -> modulus.powProductList(two, two, new int[] {-1, 2}));
            assertThrows(IllegalArgumentException.class, () -> modulus.repeatedSquare(BigInteger.TWO, -1, Checkpoint.NONE));
            assertThrows(IllegalArgumentException.class,
                    () -> Pingala.powList(two, two, List.of(modulus), new int[] {0, 1}, Options.DEFAULT, null));
            assertThrows(IllegalArgumentException.class, () -> Pingala.powList(two, two, List.of(modulus), null, Options.DEFAULT, null));
            assertThrows(IndexOutOfBoundsException.class, () -> modulus.powList(two, two).get(2));
            assertThrows(IndexOutOfBoundsException.class, () -> modulus.powList(two, two).get(-1));
            assertThrows(IllegalArgumentException.class, () -> Options.DEFAULT.withThreads(-1));
            assertThrows(PingalaException.class, () -> modulus.with(Options.DEFAULT.withKernel("none")).pow(BigInteger.TWO, BigInteger.TEN));
            assertEquals(0, modulus.powList(List.of(), List.of()).size());
        }
        assertThrows(ArithmeticException.class, () -> Modulus.of(BigInteger.ZERO));
        assertThrows(ArithmeticException.class, () -> Modulus.of(BigInteger.valueOf(-7)));
        assertThrows(NullPointerException.class, () -> Modulus.of(null));
    }

    @Test
    void rowsReadOnlyAndUnusual() {
        BigInteger m = BigInteger.valueOf(65521);
        try (Modulus modulus = Modulus.of(m)) {
            ByteBuffer rows = packed(List.of(BigInteger.TWO, BigInteger.TEN), 2, true).asReadOnlyBuffer();
            assertEquals(BigInteger.valueOf(100), modulus.powBases(Rows.of(rows, 2), BigInteger.TWO).get(1));
            assertEquals(BigInteger.valueOf(100), modulus.powBases(Rows.of(new byte[][] {{0, 0, 0, 10}, {}}), BigInteger.TWO).get(0));
            assertEquals(BigInteger.ZERO, modulus.powBases(Rows.of(new byte[][] {{0, 0, 0, 10}, {}}), BigInteger.TWO).get(1));
        }
    }

    /** Rows in direct buffers: a list of ten thousand allocates no more in the heap than one of ten. */
    @Test
    void rowsAllocateNothingForAnElement() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        try (Modulus modulus = Modulus.of(BigInteger.valueOf((1L << 61) - 1), Options.DEFAULT.withThreads(1))) {
            long[] bytes = new long[2];
            for (int round = 0; round < 300; round++) {
                for (int i = 0; i < 2; i++) {
                    ByteBuffer rows = ByteBuffer.allocateDirect(i == 0 ? 80 : 80_000);
                    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                    modulus.powBases(Rows.of(rows, 8), BigInteger.TWO, rows);
                    bytes[i] = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
                }
            }
            assertTrue(bytes[1] <= bytes[0] + 2000, () -> Arrays.toString(bytes));
        }
    }
}
