// Made from pingala.h by tools/java_abi.py (make c-header); do not edit.
package org.pingala;

/** The functions of the C library, which two classes reach: by JNI or by FFM. Memory is given by its address. */
interface Functions {
    int abi();

    long version();

    long statusName(int status);

    int optionsNew(long options, long why, long whyLen);

    void optionsFree(long options);

    int optionsSetThreads(long options, long threads);

    int optionsSetKernel(long options, long kernel);

    int optionsSetPlan(long options, long plan);

    int optionsSetMemory(long options, long bytes);

    int optionsSetLimits(long options, long modulusBits, long exponentBits);

    int optionsSetTimeout(long options, long milliseconds);

    int optionsSetWatch(long options, long stop, long done);

    int optionsSetPublicExponent(long options, long exponent, long exponentLen);

    int optionsSetBlinding(long options, int blinding);

    int optionsSetWidth(long options, long units);

    int optionsSetPrimeRounds(long options, int rounds);

    int optionsSetPrimeResidue(long options, long residue, long residueLen, long divisor, long divisorLen);

    int optionsSetSalt(long options, long bytes);

    int modulusNew(long modulus, long value, long valueLen, long why, long whyLen);

    int modulusNewFactored(long modulus, long value, long valueLen, long factors, long factorWidth, long multiplicities,
            long count, long options, long why, long whyLen);

    int modulusNewSecret(long modulus, long value, long valueLen, long factors, long factorWidth, long factorBits, long
            multiplicities, long count, long options, long why, long whyLen);

    void modulusFree(long modulus);

    long modulusBits(long modulus);

    long modulusWidth(long modulus);

    int modulusValue(long modulus, long out, long outLen, long why, long whyLen);

    int powmod(long out, long outLen, long base, long baseLen, long exponent, long exponentLen, long modulus, long
            modulusLen, int signs, long options, long why, long whyLen);

    int modulusPow(long modulus, long out, long outLen, long base, long baseLen, long exponent, long exponentLen, int
            signs, long options, long why, long whyLen);

    int modulusInvert(long modulus, long out, long outLen, long value, long valueLen, int signs, long why, long whyLen);

    int modulusPowList(long modulus, long out, long bases, long exponents, long exponentWidth, long count, long status,
            long signs, long options, long why, long whyLen);

    int powList(long out, long outWidth, long bases, long baseWidth, long exponents, long exponentWidth, long moduli,
            long moduliCount, long modulusOf, long count, long status, long signs, long options, long why, long whyLen);

    int modulusPowExpList(long modulus, long out, long base, long baseLen, int baseSigns, long exponents, long
            exponentWidth, long count, long status, long signs, long options, long why, long whyLen);

    int modulusPowBaseList(long modulus, long out, long bases, long exponent, long exponentLen, int exponentSigns, long
            count, long status, long signs, long options, long why, long whyLen);

    int modulusInvertList(long modulus, long out, long values, long count, long status, long signs, long options, long
            why, long whyLen);

    int modulusMulList(long modulus, long out, long a, long b, long count, long status, long signs, long options, long
            why, long whyLen);

    int modulusSquareList(long modulus, long out, long values, long count, long status, long signs, long options, long
            why, long whyLen);

    int modulusProduct(long modulus, long out, long outLen, long values, long count, long signs, long options, long why,
            long whyLen);

    int modulusRunningProduct(long modulus, long out, long values, long count, long status, long signs, long options,
            long why, long whyLen);

    int modulusPowProduct(long modulus, long out, long outLen, long bases, long exponents, long exponentWidth, long
            count, long signs, long options, long why, long whyLen);

    int powProductList(long out, long outWidth, long bases, long baseWidth, long exponents, long exponentWidth, long
            factorCount, long ends, long moduli, long moduliCount, long modulusOf, long count, long status, long signs,
            long options, long why, long whyLen);

    int modulusPowProductList(long modulus, long out, long bases, long exponents, long exponentWidth, long factorCount,
            long ends, long count, long status, long signs, long options, long why, long whyLen);

    int fixedBaseNew(long fixed, long modulus, long base, long baseLen, int signs, long exponentBits, long memoryBytes,
            long uses, int kind, long options, long why, long whyLen);

    int fixedBaseLoad(long fixed, long path, long expected, long options, long why, long whyLen);

    int fixedBaseSave(long fixed, long path, long why, long whyLen);

    int fixedBaseVerify(long fixed, long options, long why, long whyLen);

    void fixedBaseFree(long fixed);

    int fixedBaseModulus(long fixed, long modulus, long why, long whyLen);

    long fixedBaseExponentBits(long fixed);

    long fixedBaseTableBytes(long fixed);

    int fixedBaseBase(long fixed, long out, long outLen, long why, long whyLen);

    int fixedBasePow(long fixed, long out, long outLen, long exponent, long exponentLen, int signs, long options, long
            why, long whyLen);

    int fixedBasePowList(long fixed, long out, long exponents, long exponentWidth, long count, long status, long signs,
            long options, long why, long whyLen);

    int fixedExponentSearch(long fixed, long exponent, long exponentLen, long moves, long milliseconds, long seed, long
            options, long why, long whyLen);

    int fixedExponentLoad(long fixed, long path, long why, long whyLen);

    int fixedExponentSave(long fixed, long path, long why, long whyLen);

    void fixedExponentFree(long fixed);

    long fixedExponentLength(long fixed);

    long fixedExponentBits(long fixed);

    int fixedExponentValue(long fixed, long out, long outLen, long why, long whyLen);

    int fixedExponentExplain(long fixed, long modulus, long text, long textLen, long needed, long why, long whyLen);

    int fixedExponentModulo(long fixed, long modulus, long power, long why, long whyLen);

    void fixedPowerFree(long power);

    int fixedPowerPow(long power, long out, long outLen, long base, long baseLen, int signs, long options, long why,
            long whyLen);

    int fixedPowerPowList(long power, long out, long bases, long count, long status, long signs, long options, long why,
            long whyLen);

    int modulusRepeatedSquare(long modulus, long out, long outLen, long base, long baseLen, long squarings, int signs,
            long checkpoint, long everyMilliseconds, long options, long why, long whyLen);

    int modulusProveSquaring(long modulus, long out, long outLen, long proof, long proofLen, long base, long baseLen,
            long squarings, int signs, long checkpoint, long everyMilliseconds, long memoryBytes, long options, long
            why, long whyLen);

    int modulusVerifySquaring(long modulus, long valid, long base, long baseLen, long squarings, int signs, long result,
            long resultLen, long proof, long proofLen, long options, long why, long whyLen);

    int modulusVerifySquaringList(long modulus, long answers, long bases, long baseWidth, long squarings, long results,
            long resultWidth, long proofs, long proofWidth, long count, long signs, long options, long why, long
            whyLen);

    int modulusPowSec(long modulus, long out, long outLen, long base, long baseLen, long exponent, long exponentLen,
            long exponentBits, long options, long why, long whyLen);

    int modulusPowSecList(long modulus, long out, long bases, long exponents, long exponentWidth, long exponentBits,
            long exponentCount, long count, long status, long options, long why, long whyLen);

    int fixedBasePowSecList(long fixed, long out, long exponents, long exponentWidth, long exponentBits, long count,
            long status, long options, long why, long whyLen);

    int modulusExplain(long modulus, long text, long textLen, long needed, int format, long base, long baseLen, long
            exponent, long exponentLen, int signs, long options, long why, long whyLen);

    int modulusExplainExpList(long modulus, long text, long textLen, long needed, int format, long exponents, long
            exponentWidth, long count, long signs, long options, long why, long whyLen);

    int modulusExplainBaseList(long modulus, long text, long textLen, long needed, int format, long bases, long
            baseWidth, long count, long exponent, long exponentLen, int exponentSigns, long options, long why, long
            whyLen);

    int modulusExplainProduct(long modulus, long text, long textLen, long needed, int format, long exponents, long
            exponentWidth, long count, long signs, long options, long why, long whyLen);

    int modulusExplainRepeatedSquare(long modulus, long text, long textLen, long needed, int format, long squarings,
            long options, long why, long whyLen);

    int fixedBaseExplain(long modulus, long text, long textLen, long needed, int format, long base, long baseLen, int
            signs, long exponentBits, long memoryBytes, long powers, int kind, long options, long why, long whyLen);

    int planList(long text, long textLen, long needed, long bases, long baseWidth, long exponents, long exponentWidth,
            long moduli, long moduliCount, long modulusOf, long count, long signs, long options, long why, long whyLen);

    int modulusPlanList(long modulus, long text, long textLen, long needed, long bases, long exponents, long
            exponentWidth, long count, long signs, long options, long why, long whyLen);

    int planProductList(long text, long textLen, long needed, long bases, long baseWidth, long exponents, long
            exponentWidth, long factorCount, long ends, long moduli, long moduliCount, long modulusOf, long count, long
            signs, long options, long why, long whyLen);

    int modulusPlanProductList(long modulus, long text, long textLen, long needed, long bases, long exponents, long
            exponentWidth, long factorCount, long ends, long count, long signs, long options, long why, long whyLen);

    int explainProductList(long text, long textLen, long needed, int format, long bases, long baseWidth, long exponents,
            long exponentWidth, long factorCount, long ends, long moduli, long moduliCount, long modulusOf, long count,
            long signs, long options, long why, long whyLen);

    int modulusExplainProductList(long modulus, long text, long textLen, long needed, int format, long bases, long
            exponents, long exponentWidth, long factorCount, long ends, long count, long signs, long options, long why,
            long whyLen);

    int fixedBasePlan(long fixed, long text, long textLen, long needed, long why, long whyLen);

    int keyNewDsa(long key, long p, long pLen, long q, long qLen, long g, long gLen, long y, long yLen, long why, long
            whyLen);

    int keyNewRsa(long key, long n, long nLen, long e, long eLen, long why, long whyLen);

    int keyLoad(long key, long data, long dataLen, long why, long whyLen);

    void keyFree(long key);

    int keyKind(long key);

    int keyScheme(long key, int scheme);

    long keySalt(long key);

    long keyBits(long key);

    int keyWeaknesses(long key, int scheme);

    int keyValidate(long key, int depth, long defects, long options, long why, long whyLen);

    int hash(long out, long outLen, long needed, int scheme, long message, long messageLen, long why, long whyLen);

    int verifyList(long verdicts, long status, long keys, long keyOf, long digests, long digestWidth, long signatures,
            long ends, long count, int scheme, long options, long why, long whyLen);

    int explainVerifyList(long text, long textLen, long needed, long keys, long keyOf, long digests, long digestWidth,
            long signatures, long ends, long count, int scheme, long options, long why, long whyLen);

    int isPrime(long answer, long n, long nLen, long options, long why, long whyLen);

    int isPrimeList(long answers, long numbers, long numberWidth, long count, long options, long why, long whyLen);

    int nextPrime(long out, long outLen, long n, long nLen, long options, long why, long whyLen);

    int previousPrime(long out, long outLen, long n, long nLen, long options, long why, long whyLen);

    int primesBetween(long out, long outLen, long width, long needed, long a, long aLen, long b, long bLen, long
            options, long why, long whyLen);

    int randomPrime(long out, long outLen, long bits, int conditions, long options, long why, long whyLen);

    int randomProvedPrime(long out, long outLen, long text, long textLen, long needed, long bits, int conditions, long
            options, long why, long whyLen);

    int randomSecretPrime(long out, long outLen, long bits, int conditions, long options, long why, long whyLen);

    int primePair(long p, long pLen, long q, long qLen, long modulusBits, int kind, long publicExponent, long options,
            long why, long whyLen);

    int certify(long text, long textLen, long needed, long n, long nLen, long factors, long factorWidth, long
            factorCount, long options, long why, long whyLen);

    int checkCertificate(long out, long outLen, long certificate, long certificateLen, long options, long why, long
            whyLen);

    int estimateRandomPrime(long tests, long seconds, long bits, int conditions, int secret, long options, long why,
            long whyLen);

    int jacobi(long symbol, long a, long aLen, long n, long nLen, int signs, long options, long why, long whyLen);

    int jacobiList(long symbols, long a, long aWidth, long n, long nWidth, long nCount, long count, long signs, long
            options, long why, long whyLen);

    int kronecker(long symbol, long a, long aLen, long n, long nLen, int signs, long options, long why, long whyLen);

    int sqrtMod(long out, long outLen, long a, long aLen, long p, long pLen, int signs, long options, long why, long
            whyLen);

    int sqrtModAll(long out, long outLen, long width, long needed, long a, long aLen, long p, long pLen, int signs, long
            options, long why, long whyLen);

    int modulusSqrt(long modulus, long out, long outLen, long a, long aLen, int signs, long options, long why, long
            whyLen);

    int modulusSqrtAll(long modulus, long out, long outLen, long width, long needed, long a, long aLen, long most, int
            signs, long options, long why, long whyLen);

    int sqrtModList(long out, long outWidth, long values, long valueWidth, long primes, long primeWidth, long
            primeCount, long count, long status, long signs, long options, long why, long whyLen);
}
