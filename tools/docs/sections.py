"""The sections of the references of the Python and the JavaScript package."""

# The names of the Python package by what a reader looks for; what is missing here is an error.
SECTIONS = [
    ("One power", ["powmod", "powmod_sec", "invert", "Modulus"]),
    ("Lists", [
        "powmod_list", "powmod_base_list", "powmod_exp_list", "powmod_product", "powmod_product_list", "Residues"]),
    ("Columns", ["powmod_column", "invert_column", "mulmod_column", "verify_column", "Column"]),
    ("Fixed bases, fixed exponents, repeated squaring", [
        "FixedBase", "FixedExponent", "repeated_square", "verify_squaring", "verify_squaring_list", "Progress"]),
    ("Primes", [
        "is_prime", "is_prime_list", "is_prime_column", "Primality", "Answers", "next_prime",
        "previous_prime", "primes_between", "random_prime", "estimate_random_prime", "prime_pair", "certify",
        "check_certificate", "jacobi", "jacobi_list", "jacobi_column", "kronecker", "sqrt_mod", "sqrt_mod_all",
        "sqrt_mod_list"]),
    ("Accumulators", [
        "accumulate", "witnesses", "update_witnesses", "verify_witnesses", "failing_witnesses"]),
    ("Files", ["Job", "JobError", "JobBusyError"]),
    ("Secrets", ["SecretInt", "RSAPrivateKey", "load_private_key"]),
    ("Signatures", ["DSAPublicKey", "RSAPublicKey", "load_public_key", "verify_list", "Verdict"]),
    ("Plans and explanations", [
        "plan", "plan_list", "plan_product_list", "explain", "explain_base_list", "explain_exp_list", "explain_product",
        "explain_product_list", "explain_fixed_base", "explain_repeated_square", "explain_verify_list", "Explanation",
        "ExplainedPart", "Candidate", "Alternative"]),
    ("Errors", [
        "PingalaError", "ArgumentError", "ElementTypeError", "FaultError", "FileError", "NegativeModulusError",
        "NotInvertibleError", "PlanError", "SecretError", "TimeLimitError", "TooLongError", "WrongFactorsError",
        "ZeroModulusError"]),
]  # fmt: skip

# The calls and classes of the JavaScript package; twins stand with their call.
JAVASCRIPT = [
    ("One power", ["modPow", "modInv", "explain", "Modulus"]),
    ("Lists", ["modPowList", "modPowExpList", "modPowProduct", "modInvList"]),
    ("Fixed bases", ["FixedBase"]),
    ("Secrets", ["powSec"]),
    ("Primes", [
        "isPrime", "isPrimeList", "primality", "nextPrime", "previousPrime", "primesBetween", "randomPrime",
        "randomSecretPrime", "randomProvedPrime", "estimateRandomPrime", "primePair", "certify", "checkCertificate",
        "jacobi", "jacobiList", "kronecker", "sqrtMod", "sqrtModAll", "sqrtModList"]),
    ("Signatures", ["PublicKey", "verify"]),
    ("The engine", ["init", "backend", "kernelName", "version", "configure", "closeWorkers"]),
    ("Errors", ["PingalaError"]),
]  # fmt: skip
