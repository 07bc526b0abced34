import java.math.BigInteger;
import java.util.function.Supplier;

class Ask {
    static BigInteger n(long value) {
        return BigInteger.valueOf(value);
    }

    static void show(String key, Supplier<Object> ask) {
        Object answer;
        try {
            answer = ask.get();
        } catch (ArithmeticException error) {
            answer = "error ArithmeticException";
        }
        System.out.println(key + "\t" + answer);
    }

    static void power(String key, long b, long e, long m) {
        show(key, () -> n(b).modPow(n(e), n(m)));
    }

    public static void main(String[] arguments) {
        System.out.println("version\tJava " + System.getProperty("java.version"));
        power("power of a negative modulus", 3, 2, -7);
        power("power of a negative exponent", 3, -1, 7);
        power("power of a negative exponent without an inverse", 2, -1, 4);
        power("power of modulus 1", 3, 0, 1);
        power("power of modulus 0", 3, 2, 0);
        power("power of 0 and 0", 0, 0, 7);
        power("power of a negative base", -3, 3, 7);
        power("power of a negative base and exponent", -3, -1, 7);
        power("power of an even modulus", 3, 5, 10);
        show("inverse that is missing", () -> n(2).modInverse(n(4)));
        show("inverse of modulus 1", () -> n(3).modInverse(n(1)));
        show("prime of a negative number", () -> n(-7).isProbablePrime(100));
    }
}
