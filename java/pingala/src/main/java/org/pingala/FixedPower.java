package org.pingala;

/** The powers with a fixed exponent modulo a number. It never changes; closing is as of {@link Modulus}. */
public final class FixedPower extends FixedPowerCalls {
    FixedPower(Handle handle, Modulus modulus, int exponentBits) {
        super(handle, modulus.options, modulus.bits, exponentBits);
    }

    /**
     * Returns the length of the modulus.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {
        return "<FixedPower modulo " + bits + " bits>";
    }
}
