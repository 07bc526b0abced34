package org.pingala.bench;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.pingala.Modulus;
import org.pingala.Options;
import org.pingala.Pingala;
import org.pingala.Rows;

/** Powers with exponents as long as the modulus, beside BigInteger; the answers are compared first. One thread; lists also with default options. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class Powers {
    /** One power. */
    @State(Scope.Benchmark)
    public static class One {
        @Param({"64", "256", "1024", "2048", "4096"})
        int bits;

        BigInteger base;
        BigInteger exponent;
        BigInteger modulus;
        Modulus prepared;

        @Setup
        public void setUp() {
            Random random = new Random(bits);
            modulus = new BigInteger(bits, random).setBit(bits - 1).setBit(0);
            base = new BigInteger(bits, random).mod(modulus);
            exponent = new BigInteger(bits, random).setBit(bits - 1);
            prepared = Modulus.of(modulus);
            BigInteger expected = base.modPow(exponent, modulus);
            if (!expected.equals(Pingala.modPow(base, exponent, modulus)) || !expected.equals(prepared.pow(base, exponent))) {
                throw new AssertionError("another answer");
            }
        }
    }

    /** A list of powers of 2048 bits. */
    @State(Scope.Benchmark)
    public static class Many {
        static final int COUNT = 1000;
        static final int WIDTH = 256;

        BigInteger[] bases = new BigInteger[COUNT];
        BigInteger[] exponents = new BigInteger[COUNT];
        byte[][] baseArrays = new byte[COUNT][];
        byte[][] exponentArrays = new byte[COUNT][];
        ByteBuffer baseRows = ByteBuffer.allocateDirect(COUNT * WIDTH);
        ByteBuffer exponentRows = ByteBuffer.allocateDirect(COUNT * WIDTH);
        ByteBuffer out = ByteBuffer.allocateDirect(COUNT * WIDTH);
        BigInteger modulus;
        Modulus prepared;
        Modulus preparedDefault;

        @Setup
        public void setUp() {
            Random random = new Random(1);
            modulus = new BigInteger(8 * WIDTH, random).setBit(8 * WIDTH - 1).setBit(0);
            prepared = Modulus.of(modulus, Options.DEFAULT.withThreads(1));
            preparedDefault = Modulus.of(modulus);
            for (int i = 0; i < COUNT; i++) {
                bases[i] = new BigInteger(8 * WIDTH, random).mod(modulus);
                exponents[i] = new BigInteger(8 * WIDTH, random).setBit(8 * WIDTH - 1);
                baseArrays[i] = row(bases[i]);
                exponentArrays[i] = row(exponents[i]);
                baseRows.put(baseArrays[i]);
                exponentRows.put(exponentArrays[i]);
            }
            baseRows.flip();
            exponentRows.flip();
            for (int i = 0; i < COUNT; i += 97) {
                BigInteger expected = bases[i].modPow(exponents[i], modulus);
                for (Modulus each : new Modulus[] {prepared, preparedDefault}) {
                    if (!expected.equals(arrays(each).get(i)) || !expected.equals(rows(each).get(i))) {
                        throw new AssertionError("another answer");
                    }
                }
            }
        }

        static byte[] row(BigInteger number) {
            byte[] bytes = number.toByteArray();
            byte[] row = new byte[WIDTH];
            int length = Math.min(WIDTH, bytes.length);
            System.arraycopy(bytes, bytes.length - length, row, WIDTH - length, length);
            return row;
        }

        org.pingala.Results arrays(Modulus prepared) {
            return prepared.powList(Rows.of(baseArrays), Rows.of(exponentArrays));
        }

        org.pingala.Results rows(Modulus prepared) {
            return prepared.powList(Rows.of(baseRows, WIDTH), Rows.of(exponentRows, WIDTH), out);
        }
    }

    @Benchmark
    public BigInteger bigInteger(One one) {
        return one.base.modPow(one.exponent, one.modulus);
    }

    @Benchmark
    public BigInteger modPow(One one) {
        return Pingala.modPow(one.base, one.exponent, one.modulus);
    }

    @Benchmark
    public BigInteger modulusPow(One one) {
        return one.prepared.pow(one.base, one.exponent);
    }

    /** A tenth of the list: it is slow. */
    @Benchmark
    public BigInteger[] listBigInteger(Many many) {
        BigInteger[] powers = new BigInteger[Many.COUNT / 10];
        for (int i = 0; i < powers.length; i++) {
            powers[i] = many.bases[i].modPow(many.exponents[i], many.modulus);
        }
        return powers;
    }

    private static byte[][] bytes(org.pingala.Results results) {
        byte[][] powers = new byte[Many.COUNT][];
        Arrays.setAll(powers, results::bytes);
        return powers;
    }

    @Benchmark
    public byte[][] listArrays(Many many) {
        return bytes(many.arrays(many.prepared));
    }

    @Benchmark
    public byte[][] listArraysDefault(Many many) {
        return bytes(many.arrays(many.preparedDefault));
    }

    @Benchmark
    public Object listRows(Many many) {
        return many.rows(many.prepared);
    }

    @Benchmark
    public Object listRowsDefault(Many many) {
        return many.rows(many.preparedDefault);
    }
}
