// Made from pingala.h by tools/java_abi.py (make c-header); do not edit.
package org.pingala;

import java.lang.invoke.MethodHandle;

/** The functions of the C library by FFM. Each is linked at its first call. */
abstract class FfmFunctions extends FfmLinker implements Functions {
    private static final class Abi {
        static final MethodHandle CALL = function("pingala_abi", INT);
    }

    @Override
    public int abi() {
        try {
            return (int) Abi.CALL.invokeExact();
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class Version {
        static final MethodHandle CALL = function("pingala_version", LONG);
    }

    @Override
    public long version() {
        try {
            return (long) Version.CALL.invokeExact();
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class StatusName {
        static final MethodHandle CALL = function("pingala_status_name", LONG, INT);
    }

    @Override
    public long statusName(int status) {
        try {
            return (long) StatusName.CALL.invokeExact(status);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsNew {
        static final MethodHandle CALL = function("pingala_options_new", INT, LONG, LONG, LONG);
    }

    @Override
    public int optionsNew(long options, long why, long whyLen) {
        try {
            return (int) OptionsNew.CALL.invokeExact(options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsFree {
        static final MethodHandle CALL = function("pingala_options_free", VOID, LONG);
    }

    @Override
    public void optionsFree(long options) {
        try {
            OptionsFree.CALL.invokeExact(options);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetThreads {
        static final MethodHandle CALL = function("pingala_options_set_threads", INT, LONG, LONG);
    }

    @Override
    public int optionsSetThreads(long options, long threads) {
        try {
            return (int) OptionsSetThreads.CALL.invokeExact(options, threads);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetKernel {
        static final MethodHandle CALL = function("pingala_options_set_kernel", INT, LONG, LONG);
    }

    @Override
    public int optionsSetKernel(long options, long kernel) {
        try {
            return (int) OptionsSetKernel.CALL.invokeExact(options, kernel);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetPlan {
        static final MethodHandle CALL = function("pingala_options_set_plan", INT, LONG, LONG);
    }

    @Override
    public int optionsSetPlan(long options, long plan) {
        try {
            return (int) OptionsSetPlan.CALL.invokeExact(options, plan);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetMemory {
        static final MethodHandle CALL = function("pingala_options_set_memory", INT, LONG, LONG);
    }

    @Override
    public int optionsSetMemory(long options, long bytes) {
        try {
            return (int) OptionsSetMemory.CALL.invokeExact(options, bytes);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetLimits {
        static final MethodHandle CALL = function("pingala_options_set_limits", INT, LONG, LONG, LONG);
    }

    @Override
    public int optionsSetLimits(long options, long modulusBits, long exponentBits) {
        try {
            return (int) OptionsSetLimits.CALL.invokeExact(options, modulusBits, exponentBits);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetTimeout {
        static final MethodHandle CALL = function("pingala_options_set_timeout", INT, LONG, LONG);
    }

    @Override
    public int optionsSetTimeout(long options, long milliseconds) {
        try {
            return (int) OptionsSetTimeout.CALL.invokeExact(options, milliseconds);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetWatch {
        static final MethodHandle CALL = function("pingala_options_set_watch", INT, LONG, LONG, LONG);
    }

    @Override
    public int optionsSetWatch(long options, long stop, long done) {
        try {
            return (int) OptionsSetWatch.CALL.invokeExact(options, stop, done);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetPublicExponent {
        static final MethodHandle CALL = function("pingala_options_set_public_exponent_be", INT, LONG, LONG, LONG);
    }

    @Override
    public int optionsSetPublicExponent(long options, long exponent, long exponentLen) {
        try {
            return (int) OptionsSetPublicExponent.CALL.invokeExact(options, exponent, exponentLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetBlinding {
        static final MethodHandle CALL = function("pingala_options_set_blinding", INT, LONG, INT);
    }

    @Override
    public int optionsSetBlinding(long options, int blinding) {
        try {
            return (int) OptionsSetBlinding.CALL.invokeExact(options, blinding);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetWidth {
        static final MethodHandle CALL = function("pingala_options_set_width", INT, LONG, LONG);
    }

    @Override
    public int optionsSetWidth(long options, long units) {
        try {
            return (int) OptionsSetWidth.CALL.invokeExact(options, units);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetPrimeRounds {
        static final MethodHandle CALL = function("pingala_options_set_prime_rounds", INT, LONG, INT);
    }

    @Override
    public int optionsSetPrimeRounds(long options, int rounds) {
        try {
            return (int) OptionsSetPrimeRounds.CALL.invokeExact(options, rounds);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetPrimeResidue {
        static final MethodHandle CALL = function("pingala_options_set_prime_residue_be", INT, LONG, LONG, LONG, LONG,
                LONG);
    }

    @Override
    public int optionsSetPrimeResidue(long options, long residue, long residueLen, long divisor, long divisorLen) {
        try {
            return (int) OptionsSetPrimeResidue.CALL.invokeExact(options, residue, residueLen, divisor, divisorLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class OptionsSetSalt {
        static final MethodHandle CALL = function("pingala_options_set_salt", INT, LONG, LONG);
    }

    @Override
    public int optionsSetSalt(long options, long bytes) {
        try {
            return (int) OptionsSetSalt.CALL.invokeExact(options, bytes);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusNew {
        static final MethodHandle CALL = function("pingala_modulus_new_be", INT, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusNew(long modulus, long value, long valueLen, long why, long whyLen) {
        try {
            return (int) ModulusNew.CALL.invokeExact(modulus, value, valueLen, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusNewFactored {
        static final MethodHandle CALL = function("pingala_modulus_new_factored_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusNewFactored(long modulus, long value, long valueLen, long factors, long factorWidth, long
            multiplicities, long count, long options, long why, long whyLen) {
        try {
            return (int) ModulusNewFactored.CALL.invokeExact(modulus, value, valueLen, factors, factorWidth,
                    multiplicities, count, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusNewSecret {
        static final MethodHandle CALL = function("pingala_modulus_new_secret_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusNewSecret(long modulus, long value, long valueLen, long factors, long factorWidth, long
            factorBits, long multiplicities, long count, long options, long why, long whyLen) {
        try {
            return (int) ModulusNewSecret.CALL.invokeExact(modulus, value, valueLen, factors, factorWidth, factorBits,
                    multiplicities, count, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusFree {
        static final MethodHandle CALL = function("pingala_modulus_free", VOID, LONG);
    }

    @Override
    public void modulusFree(long modulus) {
        try {
            ModulusFree.CALL.invokeExact(modulus);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusBits {
        static final MethodHandle CALL = function("pingala_modulus_bits", LONG, LONG);
    }

    @Override
    public long modulusBits(long modulus) {
        try {
            return (long) ModulusBits.CALL.invokeExact(modulus);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusWidth {
        static final MethodHandle CALL = function("pingala_modulus_width_be", LONG, LONG);
    }

    @Override
    public long modulusWidth(long modulus) {
        try {
            return (long) ModulusWidth.CALL.invokeExact(modulus);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusValue {
        static final MethodHandle CALL = function("pingala_modulus_value_be", INT, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusValue(long modulus, long out, long outLen, long why, long whyLen) {
        try {
            return (int) ModulusValue.CALL.invokeExact(modulus, out, outLen, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class Powmod {
        static final MethodHandle CALL = function("pingala_powmod_be", INT, LONG, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, INT, LONG, LONG, LONG);
    }

    @Override
    public int powmod(long out, long outLen, long base, long baseLen, long exponent, long exponentLen, long modulus,
            long modulusLen, int signs, long options, long why, long whyLen) {
        try {
            return (int) Powmod.CALL.invokeExact(out, outLen, base, baseLen, exponent, exponentLen, modulus, modulusLen,
                    signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusPow {
        static final MethodHandle CALL = function("pingala_modulus_pow_be", INT, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, INT, LONG, LONG, LONG);
    }

    @Override
    public int modulusPow(long modulus, long out, long outLen, long base, long baseLen, long exponent, long exponentLen,
            int signs, long options, long why, long whyLen) {
        try {
            return (int) ModulusPow.CALL.invokeExact(modulus, out, outLen, base, baseLen, exponent, exponentLen, signs,
                    options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusInvert {
        static final MethodHandle CALL = function("pingala_modulus_invert_be", INT, LONG, LONG, LONG, LONG, LONG, INT,
                LONG, LONG);
    }

    @Override
    public int modulusInvert(long modulus, long out, long outLen, long value, long valueLen, int signs, long why, long
            whyLen) {
        try {
            return (int) ModulusInvert.CALL.invokeExact(modulus, out, outLen, value, valueLen, signs, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusPowList {
        static final MethodHandle CALL = function("pingala_modulus_pow_list_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusPowList(long modulus, long out, long bases, long exponents, long exponentWidth, long count, long
            status, long signs, long options, long why, long whyLen) {
        try {
            return (int) ModulusPowList.CALL.invokeExact(modulus, out, bases, exponents, exponentWidth, count, status,
                    signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class PowList {
        static final MethodHandle CALL = function("pingala_pow_list_be", INT, LONG, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int powList(long out, long outWidth, long bases, long baseWidth, long exponents, long exponentWidth, long
            moduli, long moduliCount, long modulusOf, long count, long status, long signs, long options, long why, long
            whyLen) {
        try {
            return (int) PowList.CALL.invokeExact(out, outWidth, bases, baseWidth, exponents, exponentWidth, moduli,
                    moduliCount, modulusOf, count, status, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusPowExpList {
        static final MethodHandle CALL = function("pingala_modulus_pow_exp_list_be", INT, LONG, LONG, LONG, LONG, INT,
                LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusPowExpList(long modulus, long out, long base, long baseLen, int baseSigns, long exponents, long
            exponentWidth, long count, long status, long signs, long options, long why, long whyLen) {
        try {
            return (int) ModulusPowExpList.CALL.invokeExact(modulus, out, base, baseLen, baseSigns, exponents,
                    exponentWidth, count, status, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusPowBaseList {
        static final MethodHandle CALL = function("pingala_modulus_pow_base_list_be", INT, LONG, LONG, LONG, LONG, LONG,
                INT, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusPowBaseList(long modulus, long out, long bases, long exponent, long exponentLen, int
            exponentSigns, long count, long status, long signs, long options, long why, long whyLen) {
        try {
            return (int) ModulusPowBaseList.CALL.invokeExact(modulus, out, bases, exponent, exponentLen, exponentSigns,
                    count, status, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusInvertList {
        static final MethodHandle CALL = function("pingala_modulus_invert_list_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusInvertList(long modulus, long out, long values, long count, long status, long signs, long options,
            long why, long whyLen) {
        try {
            return (int) ModulusInvertList.CALL.invokeExact(modulus, out, values, count, status, signs, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusMulList {
        static final MethodHandle CALL = function("pingala_modulus_mul_list_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusMulList(long modulus, long out, long a, long b, long count, long status, long signs, long options,
            long why, long whyLen) {
        try {
            return (int) ModulusMulList.CALL.invokeExact(modulus, out, a, b, count, status, signs, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusSquareList {
        static final MethodHandle CALL = function("pingala_modulus_square_list_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusSquareList(long modulus, long out, long values, long count, long status, long signs, long options,
            long why, long whyLen) {
        try {
            return (int) ModulusSquareList.CALL.invokeExact(modulus, out, values, count, status, signs, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusProduct {
        static final MethodHandle CALL = function("pingala_modulus_product_be", INT, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG);
    }

    @Override
    public int modulusProduct(long modulus, long out, long outLen, long values, long count, long signs, long options,
            long why, long whyLen) {
        try {
            return (int) ModulusProduct.CALL.invokeExact(modulus, out, outLen, values, count, signs, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusRunningProduct {
        static final MethodHandle CALL = function("pingala_modulus_running_product_be", INT, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusRunningProduct(long modulus, long out, long values, long count, long status, long signs, long
            options, long why, long whyLen) {
        try {
            return (int) ModulusRunningProduct.CALL.invokeExact(modulus, out, values, count, status, signs, options,
                    why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusPowProduct {
        static final MethodHandle CALL = function("pingala_modulus_pow_product_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusPowProduct(long modulus, long out, long outLen, long bases, long exponents, long exponentWidth,
            long count, long signs, long options, long why, long whyLen) {
        try {
            return (int) ModulusPowProduct.CALL.invokeExact(modulus, out, outLen, bases, exponents, exponentWidth,
                    count, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class PowProductList {
        static final MethodHandle CALL = function("pingala_pow_product_list_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int powProductList(long out, long outWidth, long bases, long baseWidth, long exponents, long exponentWidth,
            long factorCount, long ends, long moduli, long moduliCount, long modulusOf, long count, long status, long
            signs, long options, long why, long whyLen) {
        try {
            return (int) PowProductList.CALL.invokeExact(out, outWidth, bases, baseWidth, exponents, exponentWidth,
                    factorCount, ends, moduli, moduliCount, modulusOf, count, status, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusPowProductList {
        static final MethodHandle CALL = function("pingala_modulus_pow_product_list_be", INT, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusPowProductList(long modulus, long out, long bases, long exponents, long exponentWidth, long
            factorCount, long ends, long count, long status, long signs, long options, long why, long whyLen) {
        try {
            return (int) ModulusPowProductList.CALL.invokeExact(modulus, out, bases, exponents, exponentWidth,
                    factorCount, ends, count, status, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBaseNew {
        static final MethodHandle CALL = function("pingala_fixed_base_new_be", INT, LONG, LONG, LONG, LONG, INT, LONG,
                LONG, LONG, INT, LONG, LONG, LONG);
    }

    @Override
    public int fixedBaseNew(long fixed, long modulus, long base, long baseLen, int signs, long exponentBits, long
            memoryBytes, long uses, int kind, long options, long why, long whyLen) {
        try {
            return (int) FixedBaseNew.CALL.invokeExact(fixed, modulus, base, baseLen, signs, exponentBits, memoryBytes,
                    uses, kind, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBaseLoad {
        static final MethodHandle CALL = function("pingala_fixed_base_load", INT, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedBaseLoad(long fixed, long path, long expected, long options, long why, long whyLen) {
        try {
            return (int) FixedBaseLoad.CALL.invokeExact(fixed, path, expected, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBaseSave {
        static final MethodHandle CALL = function("pingala_fixed_base_save", INT, LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedBaseSave(long fixed, long path, long why, long whyLen) {
        try {
            return (int) FixedBaseSave.CALL.invokeExact(fixed, path, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBaseVerify {
        static final MethodHandle CALL = function("pingala_fixed_base_verify", INT, LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedBaseVerify(long fixed, long options, long why, long whyLen) {
        try {
            return (int) FixedBaseVerify.CALL.invokeExact(fixed, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBaseFree {
        static final MethodHandle CALL = function("pingala_fixed_base_free", VOID, LONG);
    }

    @Override
    public void fixedBaseFree(long fixed) {
        try {
            FixedBaseFree.CALL.invokeExact(fixed);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBaseModulus {
        static final MethodHandle CALL = function("pingala_fixed_base_modulus", INT, LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedBaseModulus(long fixed, long modulus, long why, long whyLen) {
        try {
            return (int) FixedBaseModulus.CALL.invokeExact(fixed, modulus, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBaseExponentBits {
        static final MethodHandle CALL = function("pingala_fixed_base_exponent_bits", LONG, LONG);
    }

    @Override
    public long fixedBaseExponentBits(long fixed) {
        try {
            return (long) FixedBaseExponentBits.CALL.invokeExact(fixed);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBaseTableBytes {
        static final MethodHandle CALL = function("pingala_fixed_base_table_bytes", LONG, LONG);
    }

    @Override
    public long fixedBaseTableBytes(long fixed) {
        try {
            return (long) FixedBaseTableBytes.CALL.invokeExact(fixed);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBaseBase {
        static final MethodHandle CALL = function("pingala_fixed_base_base_be", INT, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedBaseBase(long fixed, long out, long outLen, long why, long whyLen) {
        try {
            return (int) FixedBaseBase.CALL.invokeExact(fixed, out, outLen, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBasePow {
        static final MethodHandle CALL = function("pingala_fixed_base_pow_be", INT, LONG, LONG, LONG, LONG, LONG, INT,
                LONG, LONG, LONG);
    }

    @Override
    public int fixedBasePow(long fixed, long out, long outLen, long exponent, long exponentLen, int signs, long options,
            long why, long whyLen) {
        try {
            return (int) FixedBasePow.CALL.invokeExact(fixed, out, outLen, exponent, exponentLen, signs, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBasePowList {
        static final MethodHandle CALL = function("pingala_fixed_base_pow_list_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedBasePowList(long fixed, long out, long exponents, long exponentWidth, long count, long status, long
            signs, long options, long why, long whyLen) {
        try {
            return (int) FixedBasePowList.CALL.invokeExact(fixed, out, exponents, exponentWidth, count, status, signs,
                    options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedExponentSearch {
        static final MethodHandle CALL = function("pingala_fixed_exponent_search_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedExponentSearch(long fixed, long exponent, long exponentLen, long moves, long milliseconds, long
            seed, long options, long why, long whyLen) {
        try {
            return (int) FixedExponentSearch.CALL.invokeExact(fixed, exponent, exponentLen, moves, milliseconds, seed,
                    options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedExponentLoad {
        static final MethodHandle CALL = function("pingala_fixed_exponent_load", INT, LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedExponentLoad(long fixed, long path, long why, long whyLen) {
        try {
            return (int) FixedExponentLoad.CALL.invokeExact(fixed, path, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedExponentSave {
        static final MethodHandle CALL = function("pingala_fixed_exponent_save", INT, LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedExponentSave(long fixed, long path, long why, long whyLen) {
        try {
            return (int) FixedExponentSave.CALL.invokeExact(fixed, path, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedExponentFree {
        static final MethodHandle CALL = function("pingala_fixed_exponent_free", VOID, LONG);
    }

    @Override
    public void fixedExponentFree(long fixed) {
        try {
            FixedExponentFree.CALL.invokeExact(fixed);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedExponentLength {
        static final MethodHandle CALL = function("pingala_fixed_exponent_length", LONG, LONG);
    }

    @Override
    public long fixedExponentLength(long fixed) {
        try {
            return (long) FixedExponentLength.CALL.invokeExact(fixed);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedExponentBits {
        static final MethodHandle CALL = function("pingala_fixed_exponent_bits", LONG, LONG);
    }

    @Override
    public long fixedExponentBits(long fixed) {
        try {
            return (long) FixedExponentBits.CALL.invokeExact(fixed);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedExponentValue {
        static final MethodHandle CALL = function("pingala_fixed_exponent_value_be", INT, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedExponentValue(long fixed, long out, long outLen, long why, long whyLen) {
        try {
            return (int) FixedExponentValue.CALL.invokeExact(fixed, out, outLen, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedExponentExplain {
        static final MethodHandle CALL = function("pingala_fixed_exponent_explain", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG);
    }

    @Override
    public int fixedExponentExplain(long fixed, long modulus, long text, long textLen, long needed, long why, long
            whyLen) {
        try {
            return (int) FixedExponentExplain.CALL.invokeExact(fixed, modulus, text, textLen, needed, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedExponentModulo {
        static final MethodHandle CALL = function("pingala_fixed_exponent_modulo", INT, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedExponentModulo(long fixed, long modulus, long power, long why, long whyLen) {
        try {
            return (int) FixedExponentModulo.CALL.invokeExact(fixed, modulus, power, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedPowerFree {
        static final MethodHandle CALL = function("pingala_fixed_power_free", VOID, LONG);
    }

    @Override
    public void fixedPowerFree(long power) {
        try {
            FixedPowerFree.CALL.invokeExact(power);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedPowerPow {
        static final MethodHandle CALL = function("pingala_fixed_power_pow_be", INT, LONG, LONG, LONG, LONG, LONG, INT,
                LONG, LONG, LONG);
    }

    @Override
    public int fixedPowerPow(long power, long out, long outLen, long base, long baseLen, int signs, long options, long
            why, long whyLen) {
        try {
            return (int) FixedPowerPow.CALL.invokeExact(power, out, outLen, base, baseLen, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedPowerPowList {
        static final MethodHandle CALL = function("pingala_fixed_power_pow_list_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedPowerPowList(long power, long out, long bases, long count, long status, long signs, long options,
            long why, long whyLen) {
        try {
            return (int) FixedPowerPowList.CALL.invokeExact(power, out, bases, count, status, signs, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusRepeatedSquare {
        static final MethodHandle CALL = function("pingala_modulus_repeated_square_be", INT, LONG, LONG, LONG, LONG,
                LONG, LONG, INT, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusRepeatedSquare(long modulus, long out, long outLen, long base, long baseLen, long squarings, int
            signs, long checkpoint, long everyMilliseconds, long options, long why, long whyLen) {
        try {
            return (int) ModulusRepeatedSquare.CALL.invokeExact(modulus, out, outLen, base, baseLen, squarings, signs,
                    checkpoint, everyMilliseconds, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusProveSquaring {
        static final MethodHandle CALL = function("pingala_modulus_prove_squaring_be", INT, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, INT, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusProveSquaring(long modulus, long out, long outLen, long proof, long proofLen, long base, long
            baseLen, long squarings, int signs, long checkpoint, long everyMilliseconds, long memoryBytes, long options,
            long why, long whyLen) {
        try {
            return (int) ModulusProveSquaring.CALL.invokeExact(modulus, out, outLen, proof, proofLen, base, baseLen,
                    squarings, signs, checkpoint, everyMilliseconds, memoryBytes, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusVerifySquaring {
        static final MethodHandle CALL = function("pingala_modulus_verify_squaring_be", INT, LONG, LONG, LONG, LONG,
                LONG, INT, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusVerifySquaring(long modulus, long valid, long base, long baseLen, long squarings, int signs, long
            result, long resultLen, long proof, long proofLen, long options, long why, long whyLen) {
        try {
            return (int) ModulusVerifySquaring.CALL.invokeExact(modulus, valid, base, baseLen, squarings, signs, result,
                    resultLen, proof, proofLen, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusVerifySquaringList {
        static final MethodHandle CALL = function("pingala_modulus_verify_squaring_list_be", INT, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusVerifySquaringList(long modulus, long answers, long bases, long baseWidth, long squarings, long
            results, long resultWidth, long proofs, long proofWidth, long count, long signs, long options, long why,
            long whyLen) {
        try {
            return (int) ModulusVerifySquaringList.CALL.invokeExact(modulus, answers, bases, baseWidth, squarings,
                    results, resultWidth, proofs, proofWidth, count, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusPowSec {
        static final MethodHandle CALL = function("pingala_modulus_pow_sec_be", INT, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusPowSec(long modulus, long out, long outLen, long base, long baseLen, long exponent, long
            exponentLen, long exponentBits, long options, long why, long whyLen) {
        try {
            return (int) ModulusPowSec.CALL.invokeExact(modulus, out, outLen, base, baseLen, exponent, exponentLen,
                    exponentBits, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusPowSecList {
        static final MethodHandle CALL = function("pingala_modulus_pow_sec_list_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusPowSecList(long modulus, long out, long bases, long exponents, long exponentWidth, long
            exponentBits, long exponentCount, long count, long status, long options, long why, long whyLen) {
        try {
            return (int) ModulusPowSecList.CALL.invokeExact(modulus, out, bases, exponents, exponentWidth, exponentBits,
                    exponentCount, count, status, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBasePowSecList {
        static final MethodHandle CALL = function("pingala_fixed_base_pow_sec_list_be", INT, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedBasePowSecList(long fixed, long out, long exponents, long exponentWidth, long exponentBits, long
            count, long status, long options, long why, long whyLen) {
        try {
            return (int) FixedBasePowSecList.CALL.invokeExact(fixed, out, exponents, exponentWidth, exponentBits, count,
                    status, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusExplain {
        static final MethodHandle CALL = function("pingala_modulus_explain_be", INT, LONG, LONG, LONG, LONG, INT, LONG,
                LONG, LONG, LONG, INT, LONG, LONG, LONG);
    }

    @Override
    public int modulusExplain(long modulus, long text, long textLen, long needed, int format, long base, long baseLen,
            long exponent, long exponentLen, int signs, long options, long why, long whyLen) {
        try {
            return (int) ModulusExplain.CALL.invokeExact(modulus, text, textLen, needed, format, base, baseLen,
                    exponent, exponentLen, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusExplainExpList {
        static final MethodHandle CALL = function("pingala_modulus_explain_exp_list_be", INT, LONG, LONG, LONG, LONG,
                INT, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusExplainExpList(long modulus, long text, long textLen, long needed, int format, long exponents,
            long exponentWidth, long count, long signs, long options, long why, long whyLen) {
        try {
            return (int) ModulusExplainExpList.CALL.invokeExact(modulus, text, textLen, needed, format, exponents,
                    exponentWidth, count, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusExplainBaseList {
        static final MethodHandle CALL = function("pingala_modulus_explain_base_list_be", INT, LONG, LONG, LONG, LONG,
                INT, LONG, LONG, LONG, LONG, LONG, INT, LONG, LONG, LONG);
    }

    @Override
    public int modulusExplainBaseList(long modulus, long text, long textLen, long needed, int format, long bases, long
            baseWidth, long count, long exponent, long exponentLen, int exponentSigns, long options, long why, long
            whyLen) {
        try {
            return (int) ModulusExplainBaseList.CALL.invokeExact(modulus, text, textLen, needed, format, bases,
                    baseWidth, count, exponent, exponentLen, exponentSigns, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusExplainProduct {
        static final MethodHandle CALL = function("pingala_modulus_explain_product_be", INT, LONG, LONG, LONG, LONG,
                INT, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusExplainProduct(long modulus, long text, long textLen, long needed, int format, long exponents,
            long exponentWidth, long count, long signs, long options, long why, long whyLen) {
        try {
            return (int) ModulusExplainProduct.CALL.invokeExact(modulus, text, textLen, needed, format, exponents,
                    exponentWidth, count, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusExplainRepeatedSquare {
        static final MethodHandle CALL = function("pingala_modulus_explain_repeated_square", INT, LONG, LONG, LONG,
                LONG, INT, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusExplainRepeatedSquare(long modulus, long text, long textLen, long needed, int format, long
            squarings, long options, long why, long whyLen) {
        try {
            return (int) ModulusExplainRepeatedSquare.CALL.invokeExact(modulus, text, textLen, needed, format,
                    squarings, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBaseExplain {
        static final MethodHandle CALL = function("pingala_fixed_base_explain_be", INT, LONG, LONG, LONG, LONG, INT,
                LONG, LONG, INT, LONG, LONG, LONG, INT, LONG, LONG, LONG);
    }

    @Override
    public int fixedBaseExplain(long modulus, long text, long textLen, long needed, int format, long base, long baseLen,
            int signs, long exponentBits, long memoryBytes, long powers, int kind, long options, long why, long whyLen)
            {
        try {
            return (int) FixedBaseExplain.CALL.invokeExact(modulus, text, textLen, needed, format, base, baseLen, signs,
                    exponentBits, memoryBytes, powers, kind, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class PlanList {
        static final MethodHandle CALL = function("pingala_plan_list_be", INT, LONG, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int planList(long text, long textLen, long needed, long bases, long baseWidth, long exponents, long
            exponentWidth, long moduli, long moduliCount, long modulusOf, long count, long signs, long options, long
            why, long whyLen) {
        try {
            return (int) PlanList.CALL.invokeExact(text, textLen, needed, bases, baseWidth, exponents, exponentWidth,
                    moduli, moduliCount, modulusOf, count, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusPlanList {
        static final MethodHandle CALL = function("pingala_modulus_plan_list_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusPlanList(long modulus, long text, long textLen, long needed, long bases, long exponents, long
            exponentWidth, long count, long signs, long options, long why, long whyLen) {
        try {
            return (int) ModulusPlanList.CALL.invokeExact(modulus, text, textLen, needed, bases, exponents,
                    exponentWidth, count, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class PlanProductList {
        static final MethodHandle CALL = function("pingala_plan_product_list_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int planProductList(long text, long textLen, long needed, long bases, long baseWidth, long exponents, long
            exponentWidth, long factorCount, long ends, long moduli, long moduliCount, long modulusOf, long count, long
            signs, long options, long why, long whyLen) {
        try {
            return (int) PlanProductList.CALL.invokeExact(text, textLen, needed, bases, baseWidth, exponents,
                    exponentWidth, factorCount, ends, moduli, moduliCount, modulusOf, count, signs, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusPlanProductList {
        static final MethodHandle CALL = function("pingala_modulus_plan_product_list_be", INT, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusPlanProductList(long modulus, long text, long textLen, long needed, long bases, long exponents,
            long exponentWidth, long factorCount, long ends, long count, long signs, long options, long why, long
            whyLen) {
        try {
            return (int) ModulusPlanProductList.CALL.invokeExact(modulus, text, textLen, needed, bases, exponents,
                    exponentWidth, factorCount, ends, count, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ExplainProductList {
        static final MethodHandle CALL = function("pingala_explain_product_list_be", INT, LONG, LONG, LONG, INT, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int explainProductList(long text, long textLen, long needed, int format, long bases, long baseWidth, long
            exponents, long exponentWidth, long factorCount, long ends, long moduli, long moduliCount, long modulusOf,
            long count, long signs, long options, long why, long whyLen) {
        try {
            return (int) ExplainProductList.CALL.invokeExact(text, textLen, needed, format, bases, baseWidth, exponents,
                    exponentWidth, factorCount, ends, moduli, moduliCount, modulusOf, count, signs, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusExplainProductList {
        static final MethodHandle CALL = function("pingala_modulus_explain_product_list_be", INT, LONG, LONG, LONG,
                LONG, INT, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int modulusExplainProductList(long modulus, long text, long textLen, long needed, int format, long bases,
            long exponents, long exponentWidth, long factorCount, long ends, long count, long signs, long options, long
            why, long whyLen) {
        try {
            return (int) ModulusExplainProductList.CALL.invokeExact(modulus, text, textLen, needed, format, bases,
                    exponents, exponentWidth, factorCount, ends, count, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class FixedBasePlan {
        static final MethodHandle CALL = function("pingala_fixed_base_plan", INT, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int fixedBasePlan(long fixed, long text, long textLen, long needed, long why, long whyLen) {
        try {
            return (int) FixedBasePlan.CALL.invokeExact(fixed, text, textLen, needed, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class KeyNewDsa {
        static final MethodHandle CALL = function("pingala_key_new_dsa_be", INT, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int keyNewDsa(long key, long p, long pLen, long q, long qLen, long g, long gLen, long y, long yLen, long why,
            long whyLen) {
        try {
            return (int) KeyNewDsa.CALL.invokeExact(key, p, pLen, q, qLen, g, gLen, y, yLen, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class KeyNewRsa {
        static final MethodHandle CALL = function("pingala_key_new_rsa_be", INT, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG);
    }

    @Override
    public int keyNewRsa(long key, long n, long nLen, long e, long eLen, long why, long whyLen) {
        try {
            return (int) KeyNewRsa.CALL.invokeExact(key, n, nLen, e, eLen, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class KeyLoad {
        static final MethodHandle CALL = function("pingala_key_load", INT, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int keyLoad(long key, long data, long dataLen, long why, long whyLen) {
        try {
            return (int) KeyLoad.CALL.invokeExact(key, data, dataLen, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class KeyFree {
        static final MethodHandle CALL = function("pingala_key_free", VOID, LONG);
    }

    @Override
    public void keyFree(long key) {
        try {
            KeyFree.CALL.invokeExact(key);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class KeyKind {
        static final MethodHandle CALL = function("pingala_key_kind", INT, LONG);
    }

    @Override
    public int keyKind(long key) {
        try {
            return (int) KeyKind.CALL.invokeExact(key);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class KeyScheme {
        static final MethodHandle CALL = function("pingala_key_scheme", INT, LONG, INT);
    }

    @Override
    public int keyScheme(long key, int scheme) {
        try {
            return (int) KeyScheme.CALL.invokeExact(key, scheme);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class KeySalt {
        static final MethodHandle CALL = function("pingala_key_salt", LONG, LONG);
    }

    @Override
    public long keySalt(long key) {
        try {
            return (long) KeySalt.CALL.invokeExact(key);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class KeyBits {
        static final MethodHandle CALL = function("pingala_key_bits", LONG, LONG);
    }

    @Override
    public long keyBits(long key) {
        try {
            return (long) KeyBits.CALL.invokeExact(key);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class KeyWeaknesses {
        static final MethodHandle CALL = function("pingala_key_weaknesses", INT, LONG, INT);
    }

    @Override
    public int keyWeaknesses(long key, int scheme) {
        try {
            return (int) KeyWeaknesses.CALL.invokeExact(key, scheme);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class KeyValidate {
        static final MethodHandle CALL = function("pingala_key_validate", INT, LONG, INT, LONG, LONG, LONG, LONG);
    }

    @Override
    public int keyValidate(long key, int depth, long defects, long options, long why, long whyLen) {
        try {
            return (int) KeyValidate.CALL.invokeExact(key, depth, defects, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class Hash {
        static final MethodHandle CALL = function("pingala_hash", INT, LONG, LONG, LONG, INT, LONG, LONG, LONG, LONG);
    }

    @Override
    public int hash(long out, long outLen, long needed, int scheme, long message, long messageLen, long why, long
            whyLen) {
        try {
            return (int) Hash.CALL.invokeExact(out, outLen, needed, scheme, message, messageLen, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class VerifyList {
        static final MethodHandle CALL = function("pingala_verify_list", INT, LONG, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, INT, LONG, LONG, LONG);
    }

    @Override
    public int verifyList(long verdicts, long status, long keys, long keyOf, long digests, long digestWidth, long
            signatures, long ends, long count, int scheme, long options, long why, long whyLen) {
        try {
            return (int) VerifyList.CALL.invokeExact(verdicts, status, keys, keyOf, digests, digestWidth, signatures,
                    ends, count, scheme, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ExplainVerifyList {
        static final MethodHandle CALL = function("pingala_explain_verify_list", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, INT, LONG, LONG, LONG);
    }

    @Override
    public int explainVerifyList(long text, long textLen, long needed, long keys, long keyOf, long digests, long
            digestWidth, long signatures, long ends, long count, int scheme, long options, long why, long whyLen) {
        try {
            return (int) ExplainVerifyList.CALL.invokeExact(text, textLen, needed, keys, keyOf, digests, digestWidth,
                    signatures, ends, count, scheme, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class IsPrime {
        static final MethodHandle CALL = function("pingala_is_prime_be", INT, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int isPrime(long answer, long n, long nLen, long options, long why, long whyLen) {
        try {
            return (int) IsPrime.CALL.invokeExact(answer, n, nLen, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class IsPrimeList {
        static final MethodHandle CALL = function("pingala_is_prime_list_be", INT, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG);
    }

    @Override
    public int isPrimeList(long answers, long numbers, long numberWidth, long count, long options, long why, long
            whyLen) {
        try {
            return (int) IsPrimeList.CALL.invokeExact(answers, numbers, numberWidth, count, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class NextPrime {
        static final MethodHandle CALL = function("pingala_next_prime_be", INT, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG);
    }

    @Override
    public int nextPrime(long out, long outLen, long n, long nLen, long options, long why, long whyLen) {
        try {
            return (int) NextPrime.CALL.invokeExact(out, outLen, n, nLen, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class PreviousPrime {
        static final MethodHandle CALL = function("pingala_previous_prime_be", INT, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG);
    }

    @Override
    public int previousPrime(long out, long outLen, long n, long nLen, long options, long why, long whyLen) {
        try {
            return (int) PreviousPrime.CALL.invokeExact(out, outLen, n, nLen, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class PrimesBetween {
        static final MethodHandle CALL = function("pingala_primes_between_be", INT, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int primesBetween(long out, long outLen, long width, long needed, long a, long aLen, long b, long bLen, long
            options, long why, long whyLen) {
        try {
            return (int) PrimesBetween.CALL.invokeExact(out, outLen, width, needed, a, aLen, b, bLen, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class RandomPrime {
        static final MethodHandle CALL = function("pingala_random_prime_be", INT, LONG, LONG, LONG, INT, LONG, LONG,
                LONG);
    }

    @Override
    public int randomPrime(long out, long outLen, long bits, int conditions, long options, long why, long whyLen) {
        try {
            return (int) RandomPrime.CALL.invokeExact(out, outLen, bits, conditions, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class RandomProvedPrime {
        static final MethodHandle CALL = function("pingala_random_proved_prime_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, INT, LONG, LONG, LONG);
    }

    @Override
    public int randomProvedPrime(long out, long outLen, long text, long textLen, long needed, long bits, int conditions,
            long options, long why, long whyLen) {
        try {
            return (int) RandomProvedPrime.CALL.invokeExact(out, outLen, text, textLen, needed, bits, conditions,
                    options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class RandomSecretPrime {
        static final MethodHandle CALL = function("pingala_random_secret_prime_be", INT, LONG, LONG, LONG, INT, LONG,
                LONG, LONG);
    }

    @Override
    public int randomSecretPrime(long out, long outLen, long bits, int conditions, long options, long why, long whyLen)
            {
        try {
            return (int) RandomSecretPrime.CALL.invokeExact(out, outLen, bits, conditions, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class PrimePair {
        static final MethodHandle CALL = function("pingala_prime_pair_be", INT, LONG, LONG, LONG, LONG, LONG, INT, LONG,
                LONG, LONG, LONG);
    }

    @Override
    public int primePair(long p, long pLen, long q, long qLen, long modulusBits, int kind, long publicExponent, long
            options, long why, long whyLen) {
        try {
            return (int) PrimePair.CALL.invokeExact(p, pLen, q, qLen, modulusBits, kind, publicExponent, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class Certify {
        static final MethodHandle CALL = function("pingala_certify_be", INT, LONG, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG);
    }

    @Override
    public int certify(long text, long textLen, long needed, long n, long nLen, long factors, long factorWidth, long
            factorCount, long options, long why, long whyLen) {
        try {
            return (int) Certify.CALL.invokeExact(text, textLen, needed, n, nLen, factors, factorWidth, factorCount,
                    options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class CheckCertificate {
        static final MethodHandle CALL = function("pingala_check_certificate_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG);
    }

    @Override
    public int checkCertificate(long out, long outLen, long certificate, long certificateLen, long options, long why,
            long whyLen) {
        try {
            return (int) CheckCertificate.CALL.invokeExact(out, outLen, certificate, certificateLen, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class EstimateRandomPrime {
        static final MethodHandle CALL = function("pingala_estimate_random_prime", INT, LONG, LONG, LONG, INT, INT,
                LONG, LONG, LONG);
    }

    @Override
    public int estimateRandomPrime(long tests, long seconds, long bits, int conditions, int secret, long options, long
            why, long whyLen) {
        try {
            return (int) EstimateRandomPrime.CALL.invokeExact(tests, seconds, bits, conditions, secret, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class Jacobi {
        static final MethodHandle CALL = function("pingala_jacobi_be", INT, LONG, LONG, LONG, LONG, LONG, INT, LONG,
                LONG, LONG);
    }

    @Override
    public int jacobi(long symbol, long a, long aLen, long n, long nLen, int signs, long options, long why, long whyLen)
            {
        try {
            return (int) Jacobi.CALL.invokeExact(symbol, a, aLen, n, nLen, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class JacobiList {
        static final MethodHandle CALL = function("pingala_jacobi_list_be", INT, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int jacobiList(long symbols, long a, long aWidth, long n, long nWidth, long nCount, long count, long signs,
            long options, long why, long whyLen) {
        try {
            return (int) JacobiList.CALL.invokeExact(symbols, a, aWidth, n, nWidth, nCount, count, signs, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class Kronecker {
        static final MethodHandle CALL = function("pingala_kronecker_be", INT, LONG, LONG, LONG, LONG, LONG, INT, LONG,
                LONG, LONG);
    }

    @Override
    public int kronecker(long symbol, long a, long aLen, long n, long nLen, int signs, long options, long why, long
            whyLen) {
        try {
            return (int) Kronecker.CALL.invokeExact(symbol, a, aLen, n, nLen, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class SqrtMod {
        static final MethodHandle CALL = function("pingala_sqrt_mod_be", INT, LONG, LONG, LONG, LONG, LONG, LONG, INT,
                LONG, LONG, LONG);
    }

    @Override
    public int sqrtMod(long out, long outLen, long a, long aLen, long p, long pLen, int signs, long options, long why,
            long whyLen) {
        try {
            return (int) SqrtMod.CALL.invokeExact(out, outLen, a, aLen, p, pLen, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class SqrtModAll {
        static final MethodHandle CALL = function("pingala_sqrt_mod_all_be", INT, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, INT, LONG, LONG, LONG);
    }

    @Override
    public int sqrtModAll(long out, long outLen, long width, long needed, long a, long aLen, long p, long pLen, int
            signs, long options, long why, long whyLen) {
        try {
            return (int) SqrtModAll.CALL.invokeExact(out, outLen, width, needed, a, aLen, p, pLen, signs, options, why,
                    whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusSqrt {
        static final MethodHandle CALL = function("pingala_modulus_sqrt_be", INT, LONG, LONG, LONG, LONG, LONG, INT,
                LONG, LONG, LONG);
    }

    @Override
    public int modulusSqrt(long modulus, long out, long outLen, long a, long aLen, int signs, long options, long why,
            long whyLen) {
        try {
            return (int) ModulusSqrt.CALL.invokeExact(modulus, out, outLen, a, aLen, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class ModulusSqrtAll {
        static final MethodHandle CALL = function("pingala_modulus_sqrt_all_be", INT, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, INT, LONG, LONG, LONG);
    }

    @Override
    public int modulusSqrtAll(long modulus, long out, long outLen, long width, long needed, long a, long aLen, long
            most, int signs, long options, long why, long whyLen) {
        try {
            return (int) ModulusSqrtAll.CALL.invokeExact(modulus, out, outLen, width, needed, a, aLen, most, signs,
                    options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }

    private static final class SqrtModList {
        static final MethodHandle CALL = function("pingala_sqrt_mod_list_be", INT, LONG, LONG, LONG, LONG, LONG, LONG,
                LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    }

    @Override
    public int sqrtModList(long out, long outWidth, long values, long valueWidth, long primes, long primeWidth, long
            primeCount, long count, long status, long signs, long options, long why, long whyLen) {
        try {
            return (int) SqrtModList.CALL.invokeExact(out, outWidth, values, valueWidth, primes, primeWidth, primeCount,
                    count, status, signs, options, why, whyLen);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
    }
}
