package org.pingala;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What several kinds of calls share. */
final class Calls {
    private Calls() {}

    static int bytes(long bits) {
        return (int) ((bits + 7) / 8);
    }

    static int sign(BigInteger number, int flag) {
        return number.signum() < 0 ? flag : 0;
    }

    /** About how many products a power takes, with the inversion that a negative exponent needs. */
    static double products(BigInteger exponent) {
        return exponent.bitLength() + (exponent.signum() < 0 ? 30 : 0);
    }

    static void same(String what, int count, String others, int other) {
        if (count != other) {
            throw new IllegalArgumentException(count + " " + what + " and " + other + " " + others + ": expected as many");
        }
    }

    static void same(String what, Rows rows, String others, Rows other) {
        same(what, rows.count, others, other.count);
    }

    /** Checks that there is one number for each of others, or one for all. */
    static void oneOrAll(String what, Rows rows, String others, Rows other) {
        if (other.count != 1) {
            same(what, rows, others + " (or 1)", other);
        }
    }

    static void positive(BigInteger modulus) {
        if (modulus.signum() <= 0) {
            throw new ArithmeticException(Status.NOT_POSITIVE);
        }
    }

    static void notNegative(String what, BigInteger number) {
        if (number.signum() < 0) {
            throw new IllegalArgumentException(what + " " + Shown.number(number) + ": expected 0 or more");
        }
    }

    static long notNegative(String what, long number) {
        if (number < 0) {
            throw new IllegalArgumentException(what + " " + number + ": expected 0 or more");
        }
        return number;
    }

    static void notNegative(String what, Rows rows) {
        if (rows.flags(null, Status.NEGATIVE_BASE) != null) {
            throw new IllegalArgumentException("a negative number among " + what + ": expected 0 or more");
        }
    }

    /** Checks which modulus each element has. */
    static int[] places(int[] modulusOf, int count, int moduli) {
        if (modulusOf == null ? count != moduli : modulusOf.length != count) {
            throw new IllegalArgumentException((modulusOf == null ? moduli : modulusOf.length) + " moduli for " + count + " elements");
        }
        for (int i = 0; modulusOf != null && i < count; i++) {
            if (modulusOf[i] < 0 || modulusOf[i] >= moduli) {
                throw new IllegalArgumentException("element " + i + " has modulus " + modulusOf[i] + " of " + moduli);
            }
        }
        return modulusOf;
    }

    static int[] ints(ByteBuffer bytes, int at, int count) {
        int[] all = new int[count];
        for (int i = 0; i < count; i++) {
            all[i] = bytes.getInt(at + 4 * i);
        }
        return all;
    }

    static boolean[] truths(ByteBuffer bytes, int at, int count) {
        boolean[] all = new boolean[count];
        for (int i = 0; i < count; i++) {
            all[i] = bytes.get(at + i) == 1;
        }
        return all;
    }

    /** Where a list call writes its rows and statuses. */
    static final class Output {
        final long address;
        final long status;
        private final ByteBuffer from;
        private final int at;
        private final ByteBuffer statusBytes;
        private final int statusAt;
        private final ByteBuffer out;
        private final int count;
        private final int width;
        private final int wide;

        /** For {@code count} rows that the library writes {@code wide} bytes wide; {@code out} gets their last {@code width}. */
        Output(Scratch scratch, ByteBuffer out, int count, int width, int wide) {
            this.count = count;
            this.width = width;
            this.wide = wide;
            long needed = (long) count * width;
            if (out != null) {
                if (out.isReadOnly()) {
                    throw new ReadOnlyBufferException();
                }
                if (out.remaining() < needed) {
                    throw new IllegalArgumentException(out.remaining() + " bytes for results: expected " + needed);
                }
                ByteBuffer rest = out.slice();
                rest.limit((int) needed);
                out = rest.slice();
            }
            if (out != null && out.isDirect() && wide == width) {
                if (needed > 0) {
                    out.get(0); // throws if the arena of a segment is closed, or belongs to another thread
                }
                address = Library.get().address(out);
                from = null;
                at = 0;
            } else {
                address = scratch.reserve((long) count * wide);
                from = scratch.bytes;
                at = scratch.at;
            }
            this.out = out;
            status = scratch.reserve(4L * count);
            statusBytes = scratch.bytes;
            statusAt = scratch.at;
        }

        Results results() {
            int[] statuses = null;
            for (int i = 0; i < count; i++) {
                int one = statusBytes.getInt(statusAt + 4 * i);
                if (one != Status.OK && statuses == null) {
                    statuses = new int[count];
                }
                if (statuses != null) {
                    statuses[i] = one;
                }
            }
            ByteBuffer rows = out;
            if (from != null) {
                rows = out == null ? ByteBuffer.wrap(new byte[Math.multiplyExact(count, width)]) : out.duplicate();
                for (int i = 0; i < (wide == width ? 1 : count); i++) {
                    int skipped = i * wide + wide - width;
                    int copied = wide == width ? count * width : width;
                    ByteBuffer row = from.duplicate();
                    row.position(at + skipped).limit(at + skipped + copied);
                    rows.put(row);
                }
                rows.rewind();
            }
            return new Results(rows, count, width, statuses);
        }
    }

    /** Several moduli in use by a call. */
    static final class Moduli implements AutoCloseable {
        final long[] handles;
        final int longest;
        private final List<Modulus> all;
        private int acquired;

        Moduli(List<Modulus> moduli) {
            all = List.copyOf(moduli);
            handles = new long[all.size()];
            int bytes = 0;
            try {
                for (Modulus modulus : all) {
                    handles[acquired] = modulus.handle.acquire();
                    acquired++;
                    bytes = Math.max(bytes, modulus.width);
                }
            } catch (RuntimeException e) {
                close();
                throw e;
            }
            longest = Math.max(1, bytes);
        }

        long bits() {
            return 8L * longest;
        }

        @Override
        public void close() {
            while (acquired > 0) {
                all.get(--acquired).handle.release();
            }
        }
    }

    /** Products of powers: where each ends. */
    static long[] ends(int[] ends, int factors) {
        long[] all = new long[ends.length];
        for (int i = 0; i < ends.length; i++) {
            all[i] = ends[i];
            if (ends[i] < (i == 0 ? 0 : ends[i - 1])) {
                throw new IllegalArgumentException("product " + i + " ends at " + ends[i] + ", before it begins");
            }
        }
        if (factors != (ends.length == 0 ? 0 : ends[ends.length - 1])) {
            throw new IllegalArgumentException("the last product is expected to end at the last of the " + factors + " powers");
        }
        return all;
    }

    /** A call that writes a text: it may be repeated with more room. */
    interface Text {
        int call(long text, long length, long needed);
    }

    static String text(Scratch scratch, Text call) {
        long needed = scratch.reserve(8);
        ByteBuffer neededBytes = scratch.bytes;
        int neededAt = scratch.at;
        for (long room = 4096; ; room = neededBytes.getLong(neededAt)) {
            long text = scratch.reserve(room);
            ByteBuffer textBytes = scratch.bytes;
            int textAt = scratch.at;
            neededBytes.putLong(neededAt, 0);
            int status = call.call(text, room, needed);
            long length = neededBytes.getLong(neededAt);
            if (length <= room) {
                scratch.check(status);
                return text(textBytes, textAt, (int) length - 1);
            }
        }
    }

    /** A call that writes rows, and how many there are: it may be repeated with more room. */
    interface Some {
        int call(long out, long room, long needed);
    }

    /** The rows of a call that is tried with so many bytes at first. */
    static Results some(Scratch scratch, Session session, int width, long first, Some call) {
        long needed = scratch.reserve(8);
        ByteBuffer neededBytes = scratch.bytes;
        int neededAt = scratch.at;
        for (long room = first; ; ) {
            long out = scratch.reserve(room);
            ByteBuffer bytes = scratch.bytes;
            int at = scratch.at;
            session.check(scratch, call.call(out, room, needed));
            int count = Math.toIntExact(neededBytes.getLong(neededAt));
            if ((long) count * width <= room) {
                byte[] rows = new byte[count * width];
                bytes.position(at);
                bytes.get(rows);
                return new Results(ByteBuffer.wrap(rows), count, width, null);
            }
            room = (long) count * width;
        }
    }

    static String text(ByteBuffer from, int at, int length) {
        byte[] bytes = new byte[length];
        from.position(at);
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
