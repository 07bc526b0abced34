package org.pingala;

/** The powers with a fixed exponent modulo a number. It never changes; closing is as of {@link Modulus}. */
public final class FixedPower extends FixedPowerCalls {
    FixedPower(Handle handle, Modulus modulus, int exponentBits) {
        super(handle, modulus.options, modulus.bits, exponentBits);
    }
}
