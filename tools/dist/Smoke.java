import java.math.BigInteger;
import java.util.Random;
import org.pingala.Pingala;

/** Powers by the jars of a release, compared with BigInteger's: {@code java -cp JARS Smoke.java}. */
final class Smoke {
    public static void main(String[] arguments) {
        Random random = new Random(1);
        int right = 0;
        int cases = 0;
        for (int bits : new int[] {1, 63, 64, 65, 521, 1024, 2048, 4096}) {
            for (int i = 0; i < 4; i++, cases++) {
                BigInteger modulus = new BigInteger(bits, random).setBit(bits - 1);
                BigInteger base = new BigInteger(bits + 7, random).negate();
                BigInteger exponent = new BigInteger(bits, random);
                right += Pingala.modPow(base, exponent, modulus).equals(base.modPow(exponent, modulus)) ? 1 : 0;
            }
        }
        System.out.println(right + " of " + cases + " powers as BigInteger, by " + Pingala.backend());
        System.exit(right == cases ? 0 : 1);
    }
}
