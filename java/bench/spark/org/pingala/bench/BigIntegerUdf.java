package org.pingala.bench;

import java.math.BigInteger;
import org.apache.spark.sql.api.java.UDF3;

/** The power by BigInteger, a row at a time. */
public final class BigIntegerUdf implements UDF3<byte[], Long, byte[], byte[]> {
    private static final long serialVersionUID = 1;

    @Override
    public byte[] call(byte[] base, Long exponent, byte[] modulus) {
        return new BigInteger(1, base).modPow(BigInteger.valueOf(exponent), new BigInteger(1, modulus)).toByteArray();
    }
}
