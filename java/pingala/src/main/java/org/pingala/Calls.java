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

    static void same(int count, int other, String what) {
        if (count != other) {
            throw new IllegalArgumentException(count + " bases and " + other + " " + what + ": expected as many");
        }
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

    static Results powList(
            Options options, Moduli moduli, int[] modulusOf, Rows bases, Rows exponents, ByteBuffer out) {
        same(bases.count, exponents.count, "exponents");
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, moduli.bits(), 8.0 * exponents.width * bases.count)) {
            int count = bases.count;
            Output output = new Output(scratch, out, count, moduli.longest, moduli.longest);
            long b = bases.place(scratch, bases.width);
            long e = exponents.place(scratch, exponents.width);
            byte[] signs = exponents.flags(bases.flags(null, Status.NEGATIVE_BASE), Status.NEGATIVE_EXPONENT);
            session.check(
                    scratch,
                    Library.get().powList(
                            output.address, moduli.longest, b, bases.width, e, exponents.width, scratch.longs(moduli.handles),
                            moduli.handles.length, scratch.ints(modulusOf), count, output.status, scratch.flags(signs), session.options,
                            scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            bases.keep();
            exponents.keep();
        }
    }

    static Results powProductList(
            Options options, Moduli moduli, int[] modulusOf, Rows bases, Rows exponents, int[] ends, ByteBuffer out) {
        same(bases.count, exponents.count, "exponents");
        long[] allEnds = ends(ends, bases.count);
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, moduli.bits(), 8.0 * exponents.width * bases.count)) {
            Output output = new Output(scratch, out, ends.length, moduli.longest, moduli.longest);
            long b = bases.place(scratch, bases.width);
            long e = exponents.place(scratch, exponents.width);
            byte[] signs = exponents.flags(bases.flags(null, Status.NEGATIVE_BASE), Status.NEGATIVE_EXPONENT);
            session.check(
                    scratch,
                    Library.get().powProductList(
                            output.address, moduli.longest, b, bases.width, e, exponents.width, bases.count, scratch.longs(allEnds),
                            scratch.longs(moduli.handles), moduli.handles.length, scratch.ints(modulusOf), ends.length, output.status,
                            scratch.flags(signs), session.options, scratch.why(), Scratch.WHY_LENGTH));
            return output.results();
        } finally {
            bases.keep();
            exponents.keep();
        }
    }

    static String planList(Options options, Moduli moduli, int[] modulusOf, Rows bases, Rows exponents) {
        same(bases.count, exponents.count, "exponents");
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            long b = bases.place(scratch, bases.width);
            long e = exponents.place(scratch, exponents.width);
            byte[] signs = exponents.flags(bases.flags(null, Status.NEGATIVE_BASE), Status.NEGATIVE_EXPONENT);
            long flags = scratch.flags(signs);
            long handles = scratch.longs(moduli.handles);
            long places = scratch.ints(modulusOf);
            return text(scratch, (text, length, needed) -> Library.get().planList(
                    text, length, needed, b, bases.width, e, exponents.width, handles, moduli.handles.length, places, bases.count, flags,
                    session.options, scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            bases.keep();
            exponents.keep();
        }
    }

    /** The plan of products, as a line or explained. */
    static String planProductList(
            Options options, Format format, Moduli moduli, int[] modulusOf, Rows bases, Rows exponents, int[] ends) {
        same(bases.count, exponents.count, "exponents");
        long[] allEnds = ends(ends, bases.count);
        try (Scratch scratch = Scratch.open();
                Session session = Session.open(options, 0, 0)) {
            long b = bases.place(scratch, bases.width);
            long e = exponents.place(scratch, exponents.width);
            byte[] signs = exponents.flags(bases.flags(null, Status.NEGATIVE_BASE), Status.NEGATIVE_EXPONENT);
            long flags = scratch.flags(signs);
            long handles = scratch.longs(moduli.handles);
            long places = scratch.ints(modulusOf);
            long endsAt = scratch.longs(allEnds);
            return text(scratch, (text, length, needed) -> format == Format.PLAN
                    ? Library.get().planProductList(
                            text, length, needed, b, bases.width, e, exponents.width, bases.count, endsAt, handles,
                            moduli.handles.length, places, ends.length, flags, session.options, scratch.why(), Scratch.WHY_LENGTH)
                    : Library.get().explainProductList(
                            text, length, needed, format.ordinal(), b, bases.width, e, exponents.width, bases.count, endsAt, handles,
                            moduli.handles.length, places, ends.length, flags, session.options, scratch.why(), Scratch.WHY_LENGTH));
        } finally {
            bases.keep();
            exponents.keep();
        }
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

    static String text(ByteBuffer from, int at, int length) {
        byte[] bytes = new byte[length];
        from.position(at);
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
