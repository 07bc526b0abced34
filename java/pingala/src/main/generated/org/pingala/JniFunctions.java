// Made from pingala.h by tools/java_abi.py (make c-header); do not edit.
package org.pingala;

/** The functions of the C library by JNI. */
abstract class JniFunctions implements Functions {
    @Override
    public native int abi();

    @Override
    public native long version();

    @Override
    public native long statusName(int status);

    @Override
    public native int optionsNew(long options, long why, long whyLen);

    @Override
    public native void optionsFree(long options);

    @Override
    public native int optionsSetThreads(long options, long threads);

    @Override
    public native int optionsSetKernel(long options, long kernel);

    @Override
    public native int optionsSetPlan(long options, long plan);

    @Override
    public native int optionsSetMemory(long options, long bytes);

    @Override
    public native int optionsSetLimits(long options, long modulusBits, long exponentBits);

    @Override
    public native int optionsSetTimeout(long options, long milliseconds);

    @Override
    public native int optionsSetWatch(long options, long stop, long done);

    @Override
    public native int optionsSetPublicExponent(long options, long exponent, long exponentLen);

    @Override
    public native int optionsSetBlinding(long options, int blinding);

    @Override
    public native int optionsSetWidth(long options, long units);

    @Override
    public native int optionsSetPrimeRounds(long options, int rounds);

    @Override
    public native int optionsSetPrimeResidue(long options, long residue, long residueLen, long divisor, long
            divisorLen);

    @Override
    public native int optionsSetSalt(long options, long bytes);

    @Override
    public native int modulusNew(long modulus, long value, long valueLen, long why, long whyLen);

    @Override
    public native int modulusNewFactored(long modulus, long value, long valueLen, long factors, long factorWidth, long
            multiplicities, long count, long options, long why, long whyLen);

    @Override
    public native int modulusNewSecret(long modulus, long value, long valueLen, long factors, long factorWidth, long
            factorBits, long multiplicities, long count, long options, long why, long whyLen);

    @Override
    public native void modulusFree(long modulus);

    @Override
    public native long modulusBits(long modulus);

    @Override
    public native long modulusWidth(long modulus);

    @Override
    public native int modulusValue(long modulus, long out, long outLen, long why, long whyLen);

    @Override
    public native int powmod(long out, long outLen, long base, long baseLen, long exponent, long exponentLen, long
            modulus, long modulusLen, int signs, long options, long why, long whyLen);

    @Override
    public native int modulusPow(long modulus, long out, long outLen, long base, long baseLen, long exponent, long
            exponentLen, int signs, long options, long why, long whyLen);

    @Override
    public native int modulusInvert(long modulus, long out, long outLen, long value, long valueLen, int signs, long why,
            long whyLen);

    @Override
    public native int modulusPowList(long modulus, long out, long bases, long exponents, long exponentWidth, long count,
            long status, long signs, long options, long why, long whyLen);

    @Override
    public native int powList(long out, long outWidth, long bases, long baseWidth, long exponents, long exponentWidth,
            long moduli, long moduliCount, long modulusOf, long count, long status, long signs, long options, long why,
            long whyLen);

    @Override
    public native int modulusPowExpList(long modulus, long out, long base, long baseLen, int baseSigns, long exponents,
            long exponentWidth, long count, long status, long signs, long options, long why, long whyLen);

    @Override
    public native int modulusPowBaseList(long modulus, long out, long bases, long exponent, long exponentLen, int
            exponentSigns, long count, long status, long signs, long options, long why, long whyLen);

    @Override
    public native int modulusInvertList(long modulus, long out, long values, long count, long status, long signs, long
            options, long why, long whyLen);

    @Override
    public native int modulusMulList(long modulus, long out, long a, long b, long count, long status, long signs, long
            options, long why, long whyLen);

    @Override
    public native int modulusSquareList(long modulus, long out, long values, long count, long status, long signs, long
            options, long why, long whyLen);

    @Override
    public native int modulusProduct(long modulus, long out, long outLen, long values, long count, long signs, long
            options, long why, long whyLen);

    @Override
    public native int modulusRunningProduct(long modulus, long out, long values, long count, long status, long signs,
            long options, long why, long whyLen);

    @Override
    public native int modulusPowProduct(long modulus, long out, long outLen, long bases, long exponents, long
            exponentWidth, long count, long signs, long options, long why, long whyLen);

    @Override
    public native int powProductList(long out, long outWidth, long bases, long baseWidth, long exponents, long
            exponentWidth, long factorCount, long ends, long moduli, long moduliCount, long modulusOf, long count, long
            status, long signs, long options, long why, long whyLen);

    @Override
    public native int modulusPowProductList(long modulus, long out, long bases, long exponents, long exponentWidth, long
            factorCount, long ends, long count, long status, long signs, long options, long why, long whyLen);

    @Override
    public native int fixedBaseNew(long fixed, long modulus, long base, long baseLen, int signs, long exponentBits, long
            memoryBytes, long uses, int kind, long options, long why, long whyLen);

    @Override
    public native int fixedBaseLoad(long fixed, long path, long expected, long options, long why, long whyLen);

    @Override
    public native int fixedBaseSave(long fixed, long path, long why, long whyLen);

    @Override
    public native int fixedBaseVerify(long fixed, long options, long why, long whyLen);

    @Override
    public native void fixedBaseFree(long fixed);

    @Override
    public native int fixedBaseModulus(long fixed, long modulus, long why, long whyLen);

    @Override
    public native long fixedBaseExponentBits(long fixed);

    @Override
    public native long fixedBaseTableBytes(long fixed);

    @Override
    public native int fixedBaseBase(long fixed, long out, long outLen, long why, long whyLen);

    @Override
    public native int fixedBasePow(long fixed, long out, long outLen, long exponent, long exponentLen, int signs, long
            options, long why, long whyLen);

    @Override
    public native int fixedBasePowList(long fixed, long out, long exponents, long exponentWidth, long count, long
            status, long signs, long options, long why, long whyLen);

    @Override
    public native int fixedExponentSearch(long fixed, long exponent, long exponentLen, long moves, long milliseconds,
            long seed, long options, long why, long whyLen);

    @Override
    public native int fixedExponentLoad(long fixed, long path, long why, long whyLen);

    @Override
    public native int fixedExponentSave(long fixed, long path, long why, long whyLen);

    @Override
    public native void fixedExponentFree(long fixed);

    @Override
    public native long fixedExponentLength(long fixed);

    @Override
    public native long fixedExponentBits(long fixed);

    @Override
    public native int fixedExponentValue(long fixed, long out, long outLen, long why, long whyLen);

    @Override
    public native int fixedExponentExplain(long fixed, long modulus, long text, long textLen, long needed, long why,
            long whyLen);

    @Override
    public native int fixedExponentModulo(long fixed, long modulus, long power, long why, long whyLen);

    @Override
    public native void fixedPowerFree(long power);

    @Override
    public native int fixedPowerPow(long power, long out, long outLen, long base, long baseLen, int signs, long options,
            long why, long whyLen);

    @Override
    public native int fixedPowerPowList(long power, long out, long bases, long count, long status, long signs, long
            options, long why, long whyLen);

    @Override
    public native int modulusRepeatedSquare(long modulus, long out, long outLen, long base, long baseLen, long
            squarings, int signs, long checkpoint, long everyMilliseconds, long options, long why, long whyLen);

    @Override
    public native int modulusProveSquaring(long modulus, long out, long outLen, long proof, long proofLen, long base,
            long baseLen, long squarings, int signs, long checkpoint, long everyMilliseconds, long memoryBytes, long
            options, long why, long whyLen);

    @Override
    public native int modulusVerifySquaring(long modulus, long valid, long base, long baseLen, long squarings, int
            signs, long result, long resultLen, long proof, long proofLen, long options, long why, long whyLen);

    @Override
    public native int modulusVerifySquaringList(long modulus, long answers, long bases, long baseWidth, long squarings,
            long results, long resultWidth, long proofs, long proofWidth, long count, long signs, long options, long
            why, long whyLen);

    @Override
    public native int modulusPowSec(long modulus, long out, long outLen, long base, long baseLen, long exponent, long
            exponentLen, long exponentBits, long options, long why, long whyLen);

    @Override
    public native int modulusPowSecList(long modulus, long out, long bases, long exponents, long exponentWidth, long
            exponentBits, long exponentCount, long count, long status, long options, long why, long whyLen);

    @Override
    public native int fixedBasePowSecList(long fixed, long out, long exponents, long exponentWidth, long exponentBits,
            long count, long status, long options, long why, long whyLen);

    @Override
    public native int modulusExplain(long modulus, long text, long textLen, long needed, int format, long base, long
            baseLen, long exponent, long exponentLen, int signs, long options, long why, long whyLen);

    @Override
    public native int modulusExplainExpList(long modulus, long text, long textLen, long needed, int format, long
            exponents, long exponentWidth, long count, long signs, long options, long why, long whyLen);

    @Override
    public native int modulusExplainBaseList(long modulus, long text, long textLen, long needed, int format, long bases,
            long baseWidth, long count, long exponent, long exponentLen, int exponentSigns, long options, long why, long
            whyLen);

    @Override
    public native int modulusExplainProduct(long modulus, long text, long textLen, long needed, int format, long
            exponents, long exponentWidth, long count, long signs, long options, long why, long whyLen);

    @Override
    public native int modulusExplainRepeatedSquare(long modulus, long text, long textLen, long needed, int format, long
            squarings, long options, long why, long whyLen);

    @Override
    public native int fixedBaseExplain(long modulus, long text, long textLen, long needed, int format, long base, long
            baseLen, int signs, long exponentBits, long memoryBytes, long powers, int kind, long options, long why, long
            whyLen);

    @Override
    public native int planList(long text, long textLen, long needed, long bases, long baseWidth, long exponents, long
            exponentWidth, long moduli, long moduliCount, long modulusOf, long count, long signs, long options, long
            why, long whyLen);

    @Override
    public native int modulusPlanList(long modulus, long text, long textLen, long needed, long bases, long exponents,
            long exponentWidth, long count, long signs, long options, long why, long whyLen);

    @Override
    public native int planProductList(long text, long textLen, long needed, long bases, long baseWidth, long exponents,
            long exponentWidth, long factorCount, long ends, long moduli, long moduliCount, long modulusOf, long count,
            long signs, long options, long why, long whyLen);

    @Override
    public native int modulusPlanProductList(long modulus, long text, long textLen, long needed, long bases, long
            exponents, long exponentWidth, long factorCount, long ends, long count, long signs, long options, long why,
            long whyLen);

    @Override
    public native int explainProductList(long text, long textLen, long needed, int format, long bases, long baseWidth,
            long exponents, long exponentWidth, long factorCount, long ends, long moduli, long moduliCount, long
            modulusOf, long count, long signs, long options, long why, long whyLen);

    @Override
    public native int modulusExplainProductList(long modulus, long text, long textLen, long needed, int format, long
            bases, long exponents, long exponentWidth, long factorCount, long ends, long count, long signs, long
            options, long why, long whyLen);

    @Override
    public native int fixedBasePlan(long fixed, long text, long textLen, long needed, long why, long whyLen);

    @Override
    public native int keyNewDsa(long key, long p, long pLen, long q, long qLen, long g, long gLen, long y, long yLen,
            long why, long whyLen);

    @Override
    public native int keyNewRsa(long key, long n, long nLen, long e, long eLen, long why, long whyLen);

    @Override
    public native int keyLoad(long key, long data, long dataLen, long why, long whyLen);

    @Override
    public native void keyFree(long key);

    @Override
    public native int keyKind(long key);

    @Override
    public native int keyScheme(long key, int scheme);

    @Override
    public native long keySalt(long key);

    @Override
    public native long keyBits(long key);

    @Override
    public native int keyWeaknesses(long key, int scheme);

    @Override
    public native int keyValidate(long key, int depth, long defects, long options, long why, long whyLen);

    @Override
    public native int hash(long out, long outLen, long needed, int scheme, long message, long messageLen, long why, long
            whyLen);

    @Override
    public native int verifyList(long verdicts, long status, long keys, long keyOf, long digests, long digestWidth, long
            signatures, long ends, long count, int scheme, long options, long why, long whyLen);

    @Override
    public native int explainVerifyList(long text, long textLen, long needed, long keys, long keyOf, long digests, long
            digestWidth, long signatures, long ends, long count, int scheme, long options, long why, long whyLen);

    @Override
    public native int isPrime(long answer, long n, long nLen, long options, long why, long whyLen);

    @Override
    public native int isPrimeList(long answers, long numbers, long numberWidth, long count, long options, long why, long
            whyLen);

    @Override
    public native int nextPrime(long out, long outLen, long n, long nLen, long options, long why, long whyLen);

    @Override
    public native int previousPrime(long out, long outLen, long n, long nLen, long options, long why, long whyLen);

    @Override
    public native int primesBetween(long out, long outLen, long width, long needed, long a, long aLen, long b, long
            bLen, long options, long why, long whyLen);

    @Override
    public native int randomPrime(long out, long outLen, long bits, int conditions, long options, long why, long
            whyLen);

    @Override
    public native int randomProvedPrime(long out, long outLen, long text, long textLen, long needed, long bits, int
            conditions, long options, long why, long whyLen);

    @Override
    public native int randomSecretPrime(long out, long outLen, long bits, int conditions, long options, long why, long
            whyLen);

    @Override
    public native int primePair(long p, long pLen, long q, long qLen, long modulusBits, int kind, long publicExponent,
            long options, long why, long whyLen);

    @Override
    public native int certify(long text, long textLen, long needed, long n, long nLen, long factors, long factorWidth,
            long factorCount, long options, long why, long whyLen);

    @Override
    public native int checkCertificate(long out, long outLen, long certificate, long certificateLen, long options, long
            why, long whyLen);

    @Override
    public native int estimateRandomPrime(long tests, long seconds, long bits, int conditions, int secret, long options,
            long why, long whyLen);

    @Override
    public native int jacobi(long symbol, long a, long aLen, long n, long nLen, int signs, long options, long why, long
            whyLen);

    @Override
    public native int jacobiList(long symbols, long a, long aWidth, long n, long nWidth, long nCount, long count, long
            signs, long options, long why, long whyLen);

    @Override
    public native int kronecker(long symbol, long a, long aLen, long n, long nLen, int signs, long options, long why,
            long whyLen);

    @Override
    public native int sqrtMod(long out, long outLen, long a, long aLen, long p, long pLen, int signs, long options, long
            why, long whyLen);

    @Override
    public native int sqrtModAll(long out, long outLen, long width, long needed, long a, long aLen, long p, long pLen,
            int signs, long options, long why, long whyLen);

    @Override
    public native int modulusSqrt(long modulus, long out, long outLen, long a, long aLen, int signs, long options, long
            why, long whyLen);

    @Override
    public native int modulusSqrtAll(long modulus, long out, long outLen, long width, long needed, long a, long aLen,
            long most, int signs, long options, long why, long whyLen);

    @Override
    public native int sqrtModList(long out, long outWidth, long values, long valueWidth, long primes, long primeWidth,
            long primeCount, long count, long status, long signs, long options, long why, long whyLen);
}
