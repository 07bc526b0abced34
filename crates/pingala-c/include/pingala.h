/* Pingala: base^exponent mod modulus, for one number or for long lists. Licence: MIT OR Apache-2.0.
 * Made from crates/pingala-c by cbindgen; change it there.
 *
 * Numbers. Functions that end in _be take bytes, most significant first; those that end in _limbs take 64-bit limbs, least
 * significant first, each limb in the order of the machine (as GMP and Go have them), and otherwise do what the function above them
 * does. Leading zeros are allowed, and no units are 0.
 * Signs are flags. A result is at least 0 and below the modulus; it fills `out`, which must be as long as the modulus or longer,
 * with zeros on top. The rows of a list follow each other.
 *
 * Memory. The caller owns all buffers; nothing is kept after a call but what a handle needs, which is copied. `out` may overlap
 * operands. Handles are made by the `new` and `load` functions and freed by `free`. But for options they never change: any threads
 * may use one at the same time, and a child process after fork() too.
 *
 * Errors. A function returns PINGALA_OK (0) or another status, whose stable name pingala_status_name gives. The message is written
 * to `why`, cut to `why_len` bytes with the zero byte at its end; NULL and 0 for none. After an error the `out` of a single result is
 * as it was, and a new handle is NULL. NULL for a handle or for memory is PINGALA_BAD_ARGUMENT where it is needed. `options` may be NULL.
 *
 * A program that finds the library at run time compares pingala_abi() with PINGALA_ABI, as pingala_abi_fits() does. */


#ifndef PINGALA_H
#define PINGALA_H

#include <stddef.h>
#include <stdint.h>

// The number of this interface. It grows when functions are added, and only then; a change that breaks a program gets another
// soname.
#define PINGALA_ABI 3

// Flag of `kind`: most of a table's powers come in lists.
#define PINGALA_IN_LISTS 1

// Flag of `kind`: the exponents are secret, for pingala_fixed_base_pow_sec_list_be; the modulus must be odd.
#define PINGALA_FOR_SECRETS 2

// Flag of `signs`: the base, or the value to invert, is negative.
#define PINGALA_NEGATIVE_BASE 1

// Flag of `signs`: the exponent is negative.
#define PINGALA_NEGATIVE_EXPONENT 2

// Success.
#define PINGALA_OK 0

// Text that is not a number.
#define PINGALA_NOT_A_NUMBER 1

// A length beyond its limit.
#define PINGALA_TOO_LONG 2

// The modulus is 0.
#define PINGALA_ZERO_MODULUS 3

// The modulus is negative.
#define PINGALA_NEGATIVE_MODULUS 4

// A value has no inverse modulo the modulus.
#define PINGALA_NOT_INVERTIBLE 5

// The given factors do not fit the modulus.
#define PINGALA_WRONG_FACTORS 6

// A plan or kernel that is not valid, or does not fit the problem, this CPU or a secret.
#define PINGALA_BAD_PLAN 7

// A secret exponent that is wider than declared.
#define PINGALA_BAD_SECRET 8

// An argument out of range: NULL, a buffer that is too short, an unknown flag.
#define PINGALA_BAD_ARGUMENT 9

// The stop word was not 0.
#define PINGALA_INTERRUPTED 10

// A result failed its check and was not released.
#define PINGALA_FAULT 11

// A file that cannot be read or written, or has unexpected content.
#define PINGALA_BAD_FILE 12

// A signature does not belong to the message and the key.
#define PINGALA_MISMATCH 20

// The bytes of a signature are not in the stated encoding.
#define PINGALA_BAD_ENCODING 21

// A number of a signature is out of range.
#define PINGALA_OUT_OF_RANGE 22

// The policy refuses a key or a hash function, or the key is restricted to other schemes.
#define PINGALA_POLICY 23

// A key is too short for the padding of a signature.
#define PINGALA_KEY_TOO_SHORT 24

// An error that this version of the interface has no number for.
#define PINGALA_OTHER 99

// A bug of the library: the call panicked. Please report it.
#define PINGALA_PANIC 100

// Format: the plan as one line, which pingala_options_set_plan accepts.
#define PINGALA_PLAN 0

// Format: two sentences, then at most twelve candidates.
#define PINGALA_TEXT 1

// Format: two sentences, then all candidates.
#define PINGALA_TEXT_ALL 2

// Format: JSON with all candidates; the fields are those of `pingala explain --json`.
#define PINGALA_JSON 3

// Scheme: DSA. A scheme is one of these three, with a hash function and flags added, such as PINGALA_DSA | PINGALA_SHA256.
#define PINGALA_DSA 1

// Scheme: RSA with the padding of PKCS#1 v1.5.
#define PINGALA_RSA_PKCS1 2

// Scheme: RSA with PSS. The salt may have any length unless pingala_options_set_salt says which. Without a hash function, or without
// one of the mask, the key says which (pingala_key_scheme).
#define PINGALA_RSA_PSS 3

// Hash function of a scheme.
#define PINGALA_SHA1 (1 << 8)
#define PINGALA_SHA224 (2 << 8)
#define PINGALA_SHA256 (3 << 8)
#define PINGALA_SHA384 (4 << 8)
#define PINGALA_SHA512 (5 << 8)
#define PINGALA_SHA512_224 (6 << 8)
#define PINGALA_SHA512_256 (7 << 8)
#define PINGALA_SHA3_224 (8 << 8)
#define PINGALA_SHA3_256 (9 << 8)
#define PINGALA_SHA3_384 (10 << 8)
#define PINGALA_SHA3_512 (11 << 8)

// The hash function of the mask of PINGALA_RSA_PSS is a constant above, shifted by this number of bits. Without one it is that of the
// key, or that of the message.
#define PINGALA_MGF_SHIFT 8

// Flag of a scheme: r and s of DSA, each as wide as q, follow each other (IEEE P1363). Without a flag they are in DER.
#define PINGALA_P1363 (1 << 24)

// Flag of a scheme: signatures as OpenSSH has them, the name of the algorithm and a blob, both with their lengths (RFC 4253).
#define PINGALA_SSH (1 << 25)

// Flag of a scheme: integers in DER may be padded, and lengths long.
#define PINGALA_LENIENT (1 << 26)

// Flag of a scheme: signatures as OpenPGP has them, r and s, or s, each behind its length in bits (RFC 9580).
#define PINGALA_OPENPGP (1 << 27)

// Flag of a scheme: only the sizes of FIPS 186 are accepted.
#define PINGALA_STRICT (1 << 28)

// Flag of a scheme: as PINGALA_STRICT, and no weakness is accepted.
#define PINGALA_MODERN (1 << 29)

// Weakness: less than 112 bits of security.
#define PINGALA_SHORT_KEY 1

// Weakness: SHA-1.
#define PINGALA_BROKEN_HASH 2

// Weakness: lengths that FIPS 186 does not have.
#define PINGALA_ODD_SIZES 4

// Weakness: a public exponent below 65537.
#define PINGALA_SMALL_EXPONENT 8

// Weakness: a digest shorter than q.
#define PINGALA_SHORT_DIGEST 16

// Answer of a test: no prime. That is certain.
#define PINGALA_NOT_PRIME 0

// Answer of a test: it passed every test. It is composite with probability 4^-rounds at most, whoever chose it.
#define PINGALA_PROBABLE_PRIME 1

// Answer of a test: a prime, proved, as for all below 2^64.
#define PINGALA_PROVED_PRIME 2

// Flag of `conditions`: (p - 1) / 2 is prime too.
#define PINGALA_SAFE_PRIME 1

// Flag of `conditions`: the two highest bits are set, so that the product of two such primes has twice their length.
#define PINGALA_TWO_TOP_BITS 2

// Flag of `conditions`: each prime that fits has the same probability; secret primes always have.
#define PINGALA_UNIFORM_PRIME 4

// Kind of two primes: for RSA; p - 1 and q - 1 have no divisor in common with the public exponent.
#define PINGALA_PAIR_RSA 1

// Kind of two primes: for Paillier's cryptosystem.
#define PINGALA_PAIR_PAILLIER 2

// Kind of two primes: both are safe.
#define PINGALA_PAIR_SAFE 3

// A base, a modulus and a table that makes further powers cheaper. It never changes, so any number of threads may use it at once.
typedef struct pingala_fixed_base pingala_fixed_base;

// An exponent with its addition chain. It never changes, so any number of threads may use it at once.
typedef struct pingala_fixed_exponent pingala_fixed_exponent;

// A fixed exponent and a modulus with the plan of their powers. It never changes, so any number of threads may use it at once.
typedef struct pingala_fixed_power pingala_fixed_power;

// A public key. It never changes, so any number of threads may use it at once.
typedef struct pingala_key pingala_key;

// A modulus with its prepared constants. It never changes, so any number of threads may use it at once.
typedef struct pingala_modulus pingala_modulus;

// Settings of calls. Handles of this kind are the only ones that change: no thread may set while a call begins.
typedef struct pingala_options pingala_options;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The ABI number of the library that was loaded. It must be at least the `PINGALA_ABI` of the header that the program was compiled
// with.
uint32_t pingala_abi(void);

// The version of the library, such as "0.4.0". Static memory.
const char *pingala_version(void);

// The stable name of a status, such as "not_invertible": the code of the error in Rust and Python. "ok" for 0, "unknown" for a
// number that is no status. Static memory.
const char *pingala_status_name(int32_t status);

// Makes options with the default settings; pass NULL to a call for the same.
int32_t pingala_options_new(pingala_options **options, char *why, size_t why_len);

// Frees options; NULL is fine.
void pingala_options_free(pingala_options *options);

// The most threads for lists; 0 for the default, all cores.
int32_t pingala_options_set_threads(pingala_options *options, size_t threads);

// Forces a kernel by name, such as "portable_r64"; NULL for none. The text is copied. An unknown name is an error of the calls that
// get these options, PINGALA_BAD_PLAN, which have a message.
int32_t pingala_options_set_kernel(pingala_options *options, const char *kernel);

// Forces a plan by its line, such as "sliding_window(w=7) on portable_r64(n=32)"; NULL for none. The text is copied. A wrong line is an
// error of the calls that get these options, PINGALA_BAD_PLAN.
int32_t pingala_options_set_plan(pingala_options *options, const char *plan);

// The most bytes for powers that share work; 0 for the default, 2^30.
int32_t pingala_options_set_memory(pingala_options *options, uint64_t bytes);

// The longest modulus and the longest exponent that calls accept, in bits; 0 for the defaults, 2^24 and 2^26.
int32_t pingala_options_set_limits(pingala_options *options, uint64_t modulus_bits, uint64_t exponent_bits);

// The milliseconds that a call may take: it ends with PINGALA_INTERRUPTED after them, or a product later. 0 for the default, no limit.
int32_t pingala_options_set_timeout(pingala_options *options, uint64_t milliseconds);

// Words that a call polls and writes. The call ends with PINGALA_INTERRUPTED soon after `*stop` is not 0. The word must keep that
// value until the call has returned, because several threads poll it. The call sets `*done` to 0 when it begins, and then to its
// progress: elements of a list, squarings, bits of the exponent of one power. Both are used by atomic operations, so any thread may
// write `*stop` and read `*done` in the same way. NULL for either one: there is none. They must live until calls with these options
// have returned; two calls at a time need options of their own.
int32_t pingala_options_set_watch(pingala_options *options, const uint32_t *stop, uint64_t *done);

// The public exponent e that belongs to a secret exponent: the result of pingala_modulus_pow_sec_be is released only if result^e is
// the base: that call's error is PINGALA_BAD_ARGUMENT if e does not belong to the secret exponent, and PINGALA_FAULT if the computer
// erred. No units for none. The number is copied. Error: PINGALA_TOO_LONG above the limit of exponents that is set. Secret factors
// that are set up with it have to be those of a key: known to be prime, with e prime to each p - 1.
int32_t pingala_options_set_public_exponent_be(pingala_options *options, const uint8_t *exponent, size_t exponent_len);
int32_t pingala_options_set_public_exponent_limbs(pingala_options *options, const uint64_t *exponent,
    size_t exponent_len);

// Whether secret powers are blinded, which is the default: exponents modulo prime factors by random multiples of the order, and the
// base if all factors are known to be prime and the exponent is the inverse of the public one that is set. 0 switches it off.
int32_t pingala_options_set_blinding(pingala_options *options, uint32_t blinding);

// The width of the rows of bases, values and results in calls on one handle (pingala_modulus_pow_list_be and its siblings, products,
// inverses, tables, fixed powers), in units of the call: bytes, or limbs. It is at least that of the modulus; further units on top
// are zeros in results. 0 for the default, the width of the modulus. Calls that take widths of their own do not read it.
int32_t pingala_options_set_width(pingala_options *options, size_t units);

// The rounds of Miller and Rabin's test, with random bases, of calls on primes; 0 for the default, which those calls name.
int32_t pingala_options_set_prime_rounds(pingala_options *options, uint32_t rounds);

// Random primes are `residue` modulo `divisor`; no units of divisor for any. Both are copied. Error: PINGALA_TOO_LONG above the limit of
// moduli that is set.
int32_t pingala_options_set_prime_residue_be(pingala_options *options, const uint8_t *residue, size_t residue_len,
    const uint8_t *divisor, size_t divisor_len);
int32_t pingala_options_set_prime_residue_limbs(pingala_options *options, const uint64_t *residue, size_t residue_len,
    const uint64_t *divisor, size_t divisor_len);

// The length of the salt of PINGALA_RSA_PSS, in bytes; below 0 for any, which is the default.
int32_t pingala_options_set_salt(pingala_options *options, int64_t bytes);

// Makes a modulus m >= 1. Leading zeros are allowed; lists on a handle that was made with any need a declared width of their rows
// (pingala_options_set_width). Errors: PINGALA_ZERO_MODULUS; PINGALA_TOO_LONG for more than 2^24 bits.
int32_t pingala_modulus_new_be(pingala_modulus **modulus, const uint8_t *value, size_t value_len, char *why,
    size_t why_len);
int32_t pingala_modulus_new_limbs(pingala_modulus **modulus, const uint64_t *value, size_t value_len, char *why,
    size_t why_len);

// Makes a modulus whose factors are known and public: `count` rows of `factor_width` bytes, pairwise coprime, each to the power
// of its multiplicity, with this product. Powers are computed modulo each factor. Without factors (count 0) it is
// pingala_modulus_new_be under the limits of the options. Further error: PINGALA_WRONG_FACTORS.
int32_t pingala_modulus_new_factored_be(pingala_modulus **modulus, const uint8_t *value, size_t value_len,
    const uint8_t *factors, size_t factor_width, const uint32_t *multiplicities, size_t count,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_new_factored_limbs(pingala_modulus **modulus, const uint64_t *value, size_t value_len,
    const uint64_t *factors, size_t factor_width, const uint32_t *multiplicities, size_t count,
    const pingala_options *options, char *why, size_t why_len);

// Makes an odd modulus whose factors are secret: `count` >= 2 rows of `factor_width` bytes, the primes p or numbers of unknown
// factors; `factor_bits[i]` is the exact length of factor i and public. pingala_modulus_pow_sec_be uses the factors and branches
// on none of their bits. The library wipes its copies; the caller wipes his. Further error: PINGALA_WRONG_FACTORS.
int32_t pingala_modulus_new_secret_be(pingala_modulus **modulus, const uint8_t *value, size_t value_len,
    const uint8_t *factors, size_t factor_width, const uint64_t *factor_bits, const uint32_t *multiplicities,
    size_t count, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_new_secret_limbs(pingala_modulus **modulus, const uint64_t *value, size_t value_len,
    const uint64_t *factors, size_t factor_width, const uint64_t *factor_bits, const uint32_t *multiplicities,
    size_t count, const pingala_options *options, char *why, size_t why_len);

// Frees a modulus; NULL is fine. Handles that were made with it live on.
void pingala_modulus_free(pingala_modulus *modulus);

// The length of the modulus in bits: a result takes a byte for each 8 of them, or a limb for each 64. 0 for NULL.
uint64_t pingala_modulus_bits(const pingala_modulus *modulus);

// The width of the modulus without leading zeros, in bytes: that of a result, and of the rows of bytes in calls on this handle unless
// pingala_options_set_width declares another one. 0 for NULL.
size_t pingala_modulus_width_be(const pingala_modulus *modulus);

// As pingala_modulus_width_be, in limbs.
size_t pingala_modulus_width_limbs(const pingala_modulus *modulus);

// Writes the modulus.
int32_t pingala_modulus_value_be(const pingala_modulus *modulus, uint8_t *out, size_t out_len, char *why,
    size_t why_len);
int32_t pingala_modulus_value_limbs(const pingala_modulus *modulus, uint64_t *out, size_t out_len, char *why,
    size_t why_len);

// out = base^exponent mod modulus. `signs` makes base and exponent negative by PINGALA_NEGATIVE_BASE and PINGALA_NEGATIVE_EXPONENT.
// `out` must be as long as the modulus without its leading zeros, or longer. Errors: PINGALA_ZERO_MODULUS,
// PINGALA_NOT_INVERTIBLE, PINGALA_TOO_LONG; with options PINGALA_BAD_PLAN, PINGALA_INTERRUPTED.
int32_t pingala_powmod_be(uint8_t *out, size_t out_len, const uint8_t *base, size_t base_len, const uint8_t *exponent,
    size_t exponent_len, const uint8_t *modulus, size_t modulus_len, uint32_t signs, const pingala_options *options,
    char *why, size_t why_len);
int32_t pingala_powmod_limbs(uint64_t *out, size_t out_len, const uint64_t *base, size_t base_len,
    const uint64_t *exponent, size_t exponent_len, const uint64_t *modulus, size_t modulus_len, uint32_t signs,
    const pingala_options *options, char *why, size_t why_len);

// out = base^exponent modulo a handle. `out` must be as long as the modulus, or longer. Errors as pingala_powmod_be.
int32_t pingala_modulus_pow_be(const pingala_modulus *modulus, uint8_t *out, size_t out_len, const uint8_t *base,
    size_t base_len, const uint8_t *exponent, size_t exponent_len, uint32_t signs, const pingala_options *options,
    char *why, size_t why_len);
int32_t pingala_modulus_pow_limbs(const pingala_modulus *modulus, uint64_t *out, size_t out_len, const uint64_t *base,
    size_t base_len, const uint64_t *exponent, size_t exponent_len, uint32_t signs, const pingala_options *options,
    char *why, size_t why_len);

// out = value^-1 modulo a handle; the flag is PINGALA_NEGATIVE_BASE. Error: PINGALA_NOT_INVERTIBLE.
int32_t pingala_modulus_invert_be(const pingala_modulus *modulus, uint8_t *out, size_t out_len, const uint8_t *value,
    size_t value_len, uint32_t signs, char *why, size_t why_len);
int32_t pingala_modulus_invert_limbs(const pingala_modulus *modulus, uint64_t *out, size_t out_len,
    const uint64_t *value, size_t value_len, uint32_t signs, char *why, size_t why_len);

// out[i] = bases[i]^exponents[i] modulo one handle, for `count` rows: those of `out` and `bases` as wide as the modulus WITHOUT its
// leading zeros (pingala_modulus_width_be), or as wide as pingala_options_set_width declares; those of `exponents` of
// `exponent_width` bytes. A modulus that was made from a padded buffer needs a declared width. `signs` has a byte of flags for
// each element, or is NULL for none. The call runs on several threads, and eight powers at a time if the CPU can.
//
// `status` receives the status of each element. An element with an error gets zeros, `why` describes the first one, and the call
// succeeds. If `status` is NULL, the first error is that of the call; the other rows are written all the same.
int32_t pingala_modulus_pow_list_be(const pingala_modulus *modulus, uint8_t *out, const uint8_t *bases,
    const uint8_t *exponents, size_t exponent_width, size_t count, int32_t *status, const uint8_t *signs,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_pow_list_limbs(const pingala_modulus *modulus, uint64_t *out, const uint64_t *bases,
    const uint64_t *exponents, size_t exponent_width, size_t count, int32_t *status, const uint8_t *signs,
    const pingala_options *options, char *why, size_t why_len);

// out[i] = bases[i]^exponents[i] modulo moduli[modulus_of[i]], for `count` rows with these widths in bytes; `out_width` is at least
// that of the longest modulus. `modulus_of` may be NULL if there are `count` moduli, one each. Otherwise as
// pingala_modulus_pow_list_be.
int32_t pingala_pow_list_be(uint8_t *out, size_t out_width, const uint8_t *bases, size_t base_width,
    const uint8_t *exponents, size_t exponent_width, const pingala_modulus *const *moduli, size_t moduli_count,
    const uint32_t *modulus_of, size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options,
    char *why, size_t why_len);
int32_t pingala_pow_list_limbs(uint64_t *out, size_t out_width, const uint64_t *bases, size_t base_width,
    const uint64_t *exponents, size_t exponent_width, const pingala_modulus *const *moduli, size_t moduli_count,
    const uint32_t *modulus_of, size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options,
    char *why, size_t why_len);

// out[i] = base^exponents[i] modulo one handle: powers that share squarings or a table. `base_signs` is the flag of the base,
// `signs` has those of the exponents. Otherwise as pingala_modulus_pow_list_be.
int32_t pingala_modulus_pow_exp_list_be(const pingala_modulus *modulus, uint8_t *out, const uint8_t *base,
    size_t base_len, uint32_t base_signs, const uint8_t *exponents, size_t exponent_width, size_t count,
    int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_pow_exp_list_limbs(const pingala_modulus *modulus, uint64_t *out, const uint64_t *base,
    size_t base_len, uint32_t base_signs, const uint64_t *exponents, size_t exponent_width, size_t count,
    int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);

// out[i] = bases[i]^exponent modulo one handle: the exponent is recoded once. `exponent_signs` is the flag of the exponent, `signs`
// has those of the bases. Otherwise as pingala_modulus_pow_list_be.
int32_t pingala_modulus_pow_base_list_be(const pingala_modulus *modulus, uint8_t *out, const uint8_t *bases,
    const uint8_t *exponent, size_t exponent_len, uint32_t exponent_signs, size_t count, int32_t *status,
    const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_pow_base_list_limbs(const pingala_modulus *modulus, uint64_t *out, const uint64_t *bases,
    const uint64_t *exponent, size_t exponent_len, uint32_t exponent_signs, size_t count, int32_t *status,
    const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);

// out[i] = values[i]^-1 modulo one handle; about a hundred values share one inversion. A value without an inverse does not affect
// the others. The flag is PINGALA_NEGATIVE_BASE; otherwise as pingala_modulus_pow_list_be.
int32_t pingala_modulus_invert_list_be(const pingala_modulus *modulus, uint8_t *out, const uint8_t *values,
    size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_invert_list_limbs(const pingala_modulus *modulus, uint64_t *out, const uint64_t *values,
    size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);

// out[i] = a[i] * b[i] modulo one handle. The rows of `a` and `b` are as wide as those of `out`. `signs` has PINGALA_NEGATIVE_BASE for
// a[i] and PINGALA_NEGATIVE_EXPONENT for b[i]. No plan can be forced, and no element has an error. Otherwise as
// pingala_modulus_pow_list_be.
int32_t pingala_modulus_mul_list_be(const pingala_modulus *modulus, uint8_t *out, const uint8_t *a, const uint8_t *b,
    size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_mul_list_limbs(const pingala_modulus *modulus, uint64_t *out, const uint64_t *a,
    const uint64_t *b, size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options, char *why,
    size_t why_len);

// out[i] = values[i]^2 modulo one handle. The flag is PINGALA_NEGATIVE_BASE. Otherwise as pingala_modulus_mul_list_be.
int32_t pingala_modulus_square_list_be(const pingala_modulus *modulus, uint8_t *out, const uint8_t *values,
    size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_square_list_limbs(const pingala_modulus *modulus, uint64_t *out, const uint64_t *values,
    size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);

// out = the product of all values modulo one handle; of none it is 1 modulo the handle. The rows of `values` are as wide as in
// pingala_modulus_mul_list_be. The flag is PINGALA_NEGATIVE_BASE.
int32_t pingala_modulus_product_be(const pingala_modulus *modulus, uint8_t *out, size_t out_len, const uint8_t *values,
    size_t count, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_product_limbs(const pingala_modulus *modulus, uint64_t *out, size_t out_len,
    const uint64_t *values, size_t count, const uint8_t *signs, const pingala_options *options, char *why,
    size_t why_len);

// out[i] = the product of values[0] to values[i] modulo one handle, on one thread. The flag is PINGALA_NEGATIVE_BASE. Otherwise as
// pingala_modulus_mul_list_be.
int32_t pingala_modulus_running_product_be(const pingala_modulus *modulus, uint8_t *out, const uint8_t *values,
    size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_running_product_limbs(const pingala_modulus *modulus, uint64_t *out, const uint64_t *values,
    size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);

// out = the product of bases[i]^exponents[i] modulo one handle, for `count` rows; 1 for none. The rows of `bases` are as wide as in
// pingala_modulus_pow_list_be. Negative exponents share one inversion.
int32_t pingala_modulus_pow_product_be(const pingala_modulus *modulus, uint8_t *out, size_t out_len,
    const uint8_t *bases, const uint8_t *exponents, size_t exponent_width, size_t count, const uint8_t *signs,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_pow_product_limbs(const pingala_modulus *modulus, uint64_t *out, size_t out_len,
    const uint64_t *bases, const uint64_t *exponents, size_t exponent_width, size_t count, const uint8_t *signs,
    const pingala_options *options, char *why, size_t why_len);

// out[i] = a product modulo moduli[modulus_of[i]], for `count` products: of bases[j]^exponents[j] for j from ends[i - 1] (0 for the
// first) up to and without ends[i]; 1 for none. There are `factor_count` rows of bases, of exponents, and bytes of `signs`;
// ends[count - 1] is `factor_count`. `status` has an element for each product. Products of equal shape are computed eight at a time
// if the CPU can. Otherwise as pingala_pow_list_be.
int32_t pingala_pow_product_list_be(uint8_t *out, size_t out_width, const uint8_t *bases, size_t base_width,
    const uint8_t *exponents, size_t exponent_width, size_t factor_count, const uint64_t *ends,
    const pingala_modulus *const *moduli, size_t moduli_count, const uint32_t *modulus_of, size_t count,
    int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_pow_product_list_limbs(uint64_t *out, size_t out_width, const uint64_t *bases, size_t base_width,
    const uint64_t *exponents, size_t exponent_width, size_t factor_count, const uint64_t *ends,
    const pingala_modulus *const *moduli, size_t moduli_count, const uint32_t *modulus_of, size_t count,
    int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);

// out[i] = a product modulo one handle, for `count` products: of bases[j]^exponents[j] for j from ends[i - 1] (0 for the first) up to
// and without ends[i]; 1 for none. The rows of `out` and `bases` are as wide as in pingala_modulus_pow_list_be. Otherwise as
// pingala_pow_product_list_be.
int32_t pingala_modulus_pow_product_list_be(const pingala_modulus *modulus, uint8_t *out, const uint8_t *bases,
    const uint8_t *exponents, size_t exponent_width, size_t factor_count, const uint64_t *ends, size_t count,
    int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_pow_product_list_limbs(const pingala_modulus *modulus, uint64_t *out, const uint64_t *bases,
    const uint64_t *exponents, size_t exponent_width, size_t factor_count, const uint64_t *ends, size_t count,
    int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);

// Makes a table for powers of `base` with exponents of at most `exponent_bits` bits, either sign, in at most `memory_bytes`.
// `uses` is about how many powers there will be (0: ten thousand), `kind` has the flags PINGALA_IN_LISTS and PINGALA_FOR_SECRETS. The
// flag of `signs` is PINGALA_NEGATIVE_BASE. Error: PINGALA_BAD_ARGUMENT if no table fits the memory.
int32_t pingala_fixed_base_new_be(pingala_fixed_base **fixed, const pingala_modulus *modulus, const uint8_t *base,
    size_t base_len, uint32_t signs, uint64_t exponent_bits, uint64_t memory_bytes, uint64_t uses, uint32_t kind,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_fixed_base_new_limbs(pingala_fixed_base **fixed, const pingala_modulus *modulus, const uint64_t *base,
    size_t base_len, uint32_t signs, uint64_t exponent_bits, uint64_t memory_bytes, uint64_t uses, uint32_t kind,
    const pingala_options *options, char *why, size_t why_len);

// Loads a table that pingala_fixed_base_save wrote, after checking it. `expected` is the modulus that it must have, or NULL for
// any; pingala_fixed_base_verify checks the file of somebody else. Error: PINGALA_BAD_FILE.
int32_t pingala_fixed_base_load(pingala_fixed_base **fixed, const char *path, const pingala_modulus *expected,
    const pingala_options *options, char *why, size_t why_len);

// Writes the table to a file; a file that is there is replaced as a whole. Error: PINGALA_BAD_FILE.
int32_t pingala_fixed_base_save(const pingala_fixed_base *fixed, const char *path, char *why, size_t why_len);

// Computes every entry of the table again and compares. Error: PINGALA_FAULT.
int32_t pingala_fixed_base_verify(const pingala_fixed_base *fixed, const pingala_options *options, char *why,
    size_t why_len);

// Frees a table; NULL is fine.
void pingala_fixed_base_free(pingala_fixed_base *fixed);

// A new handle of the table's modulus; the caller frees it.
int32_t pingala_fixed_base_modulus(const pingala_fixed_base *fixed, pingala_modulus **modulus, char *why,
    size_t why_len);

// The length of the longest exponent, in bits. 0 for NULL.
uint64_t pingala_fixed_base_exponent_bits(const pingala_fixed_base *fixed);

// Bytes that the table takes. 0 for NULL.
uint64_t pingala_fixed_base_table_bytes(const pingala_fixed_base *fixed);

// Writes the base, which is below the modulus.
int32_t pingala_fixed_base_base_be(const pingala_fixed_base *fixed, uint8_t *out, size_t out_len, char *why,
    size_t why_len);
int32_t pingala_fixed_base_base_limbs(const pingala_fixed_base *fixed, uint64_t *out, size_t out_len, char *why,
    size_t why_len);

// out = the table's base^exponent; the flag is PINGALA_NEGATIVE_EXPONENT. The call reads only the watch of the options. Errors:
// PINGALA_TOO_LONG for an exponent longer than the table's, PINGALA_NOT_INVERTIBLE.
int32_t pingala_fixed_base_pow_be(const pingala_fixed_base *fixed, uint8_t *out, size_t out_len,
    const uint8_t *exponent, size_t exponent_len, uint32_t signs, const pingala_options *options, char *why,
    size_t why_len);
int32_t pingala_fixed_base_pow_limbs(const pingala_fixed_base *fixed, uint64_t *out, size_t out_len,
    const uint64_t *exponent, size_t exponent_len, uint32_t signs, const pingala_options *options, char *why,
    size_t why_len);

// out[i] = the table's base^exponents[i], for `count` rows, those of `out` as wide as in pingala_modulus_pow_list_be. `signs`,
// `status` and `why` are as in pingala_modulus_pow_list_be.
int32_t pingala_fixed_base_pow_list_be(const pingala_fixed_base *fixed, uint8_t *out, const uint8_t *exponents,
    size_t exponent_width, size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options,
    char *why, size_t why_len);
int32_t pingala_fixed_base_pow_list_limbs(const pingala_fixed_base *fixed, uint64_t *out, const uint64_t *exponents,
    size_t exponent_width, size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options,
    char *why, size_t why_len);

// Searches a chain for an exponent of 1 or more, of at most 32,768 steps: exponents of more bits have none, and from 26,000 bits on the
// search may find none. `moves` ends the search, 0 for 20 million, which take some ten seconds; so does `milliseconds`, unless it is 0. The same moves and seed find the same chain on every machine, but the same time does
// not. An exponent below 2^20 gets a shortest chain, unless the time is over. The call reads threads and watch of the options. It is
// not for secrets. Errors: PINGALA_BAD_ARGUMENT, PINGALA_TOO_LONG, PINGALA_INTERRUPTED.
int32_t pingala_fixed_exponent_search_be(pingala_fixed_exponent **fixed, const uint8_t *exponent, size_t exponent_len,
    uint64_t moves, uint64_t milliseconds, uint64_t seed, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_fixed_exponent_search_limbs(pingala_fixed_exponent **fixed, const uint64_t *exponent,
    size_t exponent_len, uint64_t moves, uint64_t milliseconds, uint64_t seed, const pingala_options *options,
    char *why, size_t why_len);

// Reads a chain that pingala_fixed_exponent_save or the command `pingala chain search` wrote. Steps that do not lead to the exponent
// are refused. Error: PINGALA_BAD_FILE.
int32_t pingala_fixed_exponent_load(pingala_fixed_exponent **fixed, const char *path, char *why, size_t why_len);

// Writes the chain to a file, as JSON; a file that is there is replaced as a whole. Error: PINGALA_BAD_FILE.
int32_t pingala_fixed_exponent_save(const pingala_fixed_exponent *fixed, const char *path, char *why, size_t why_len);

// Frees a fixed exponent; NULL is fine.
void pingala_fixed_exponent_free(pingala_fixed_exponent *fixed);

// The products of the chain, squarings included. 0 for NULL.
uint64_t pingala_fixed_exponent_length(const pingala_fixed_exponent *fixed);

// The length of the exponent, in bits. 0 for NULL.
uint64_t pingala_fixed_exponent_bits(const pingala_fixed_exponent *fixed);

// Writes the exponent.
int32_t pingala_fixed_exponent_value_be(const pingala_fixed_exponent *fixed, uint8_t *out, size_t out_len, char *why,
    size_t why_len);
int32_t pingala_fixed_exponent_value_limbs(const pingala_fixed_exponent *fixed, uint64_t *out, size_t out_len,
    char *why, size_t why_len);

// What the chain saves modulo this number against the planner's choice for one call, and when a search pays, as text. `text` and
// `needed` are as in pingala_modulus_explain_be.
int32_t pingala_fixed_exponent_explain(const pingala_fixed_exponent *fixed, const pingala_modulus *modulus, char *text,
    size_t text_len, size_t *needed, char *why, size_t why_len);

// Plans the powers with a fixed exponent modulo one number. The handle needs neither of the two any more.
int32_t pingala_fixed_exponent_modulo(const pingala_fixed_exponent *fixed, const pingala_modulus *modulus,
    pingala_fixed_power **power, char *why, size_t why_len);

// Frees a planned power; NULL is fine.
void pingala_fixed_power_free(pingala_fixed_power *power);

// out = base^exponent by the chain. The flag is PINGALA_NEGATIVE_BASE. A call with options can be stopped by their watch.
int32_t pingala_fixed_power_pow_be(const pingala_fixed_power *power, uint8_t *out, size_t out_len, const uint8_t *base,
    size_t base_len, uint32_t signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_fixed_power_pow_limbs(const pingala_fixed_power *power, uint64_t *out, size_t out_len,
    const uint64_t *base, size_t base_len, uint32_t signs, const pingala_options *options, char *why, size_t why_len);

// out[i] = bases[i]^exponent by the chain, for `count` rows, those of `bases` and `out` as wide as in pingala_modulus_pow_list_be: one
// schedule for eight powers at a time if the CPU can. `signs`, `status` and `why` are as in pingala_modulus_pow_list_be.
int32_t pingala_fixed_power_pow_list_be(const pingala_fixed_power *power, uint8_t *out, const uint8_t *bases,
    size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_fixed_power_pow_list_limbs(const pingala_fixed_power *power, uint64_t *out, const uint64_t *bases,
    size_t count, int32_t *status, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);

// out = base^(2^squarings) modulo a handle, by successive squarings. `checkpoint` is the path of a file for the state, or
// NULL: the call writes it at the start, after every `every_milliseconds`, when it is stopped, and at the end; if it exists, the
// call resumes from it. The file is always replaced as a whole. The flag is PINGALA_NEGATIVE_BASE. Errors: PINGALA_INTERRUPTED,
// PINGALA_BAD_FILE, PINGALA_TOO_LONG.
int32_t pingala_modulus_repeated_square_be(const pingala_modulus *modulus, uint8_t *out, size_t out_len,
    const uint8_t *base, size_t base_len, uint64_t squarings, uint32_t signs, const char *checkpoint,
    uint64_t every_milliseconds, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_repeated_square_limbs(const pingala_modulus *modulus, uint64_t *out, size_t out_len,
    const uint64_t *base, size_t base_len, uint64_t squarings, uint32_t signs, const char *checkpoint,
    uint64_t every_milliseconds, const pingala_options *options, char *why, size_t why_len);

// out = base^(2^squarings) modulo a handle, as of pingala_modulus_repeated_square_be, with a proof by Wesolowski. `proof` receives its
// number, which is below half of the modulus; it must be as long as the modulus. The command and the Rust crate write a proof as
// `wesolowski-v1:0x` and this number in hexadecimal. Residues for the proof take about `memory_bytes` while squaring; 0: 64 MB. The
// checkpoint is a file of another kind, and grows to about that size. The proof takes the threads of the options. Errors: as there, and
// PINGALA_BAD_ARGUMENT for a modulus that is even or 1, PINGALA_NOT_INVERTIBLE for a base that has a divisor in common with it.
int32_t pingala_modulus_prove_squaring_be(const pingala_modulus *modulus, uint8_t *out, size_t out_len, uint8_t *proof,
    size_t proof_len, const uint8_t *base, size_t base_len, uint64_t squarings, uint32_t signs, const char *checkpoint,
    uint64_t every_milliseconds, uint64_t memory_bytes, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_prove_squaring_limbs(const pingala_modulus *modulus, uint64_t *out, size_t out_len,
    uint64_t *proof, size_t proof_len, const uint64_t *base, size_t base_len, uint64_t squarings, uint32_t signs,
    const char *checkpoint, uint64_t every_milliseconds, uint64_t memory_bytes, const pingala_options *options,
    char *why, size_t why_len);

// `*valid` is 1 if the number `proof` shows that `result` is base^(2^squarings) modulo a handle. Otherwise it is 0, and `why` has the
// reason. It is set to 0 first, so that a call that fails leaves no 1. Moduli below 1024 bits are refused: their factors can be found,
// and with them any result can be proved. So are those modulo which elements of small order are known, such as 2^1277 - 1. Errors: PINGALA_INTERRUPTED, PINGALA_BAD_PLAN.
int32_t pingala_modulus_verify_squaring_be(const pingala_modulus *modulus, uint32_t *valid, const uint8_t *base,
    size_t base_len, uint64_t squarings, uint32_t signs, const uint8_t *result, size_t result_len, const uint8_t *proof,
    size_t proof_len, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_verify_squaring_limbs(const pingala_modulus *modulus, uint32_t *valid, const uint64_t *base,
    size_t base_len, uint64_t squarings, uint32_t signs, const uint64_t *result, size_t result_len,
    const uint64_t *proof, size_t proof_len, const pingala_options *options, char *why, size_t why_len);

// answers[i] is 1 if the number proofs[i] shows that results[i] is bases[i]^(2^squarings) modulo a handle, for each of `count` rows of one count of
// squarings, and 0 if not: as of pingala_modulus_verify_squaring_be, with the powers side by side. All are set to 0 first. `signs` has
// PINGALA_NEGATIVE_BASE for bases[i], and PINGALA_NEGATIVE_EXPONENT for a result below 0, which no proof shows. Errors: PINGALA_INTERRUPTED,
// PINGALA_BAD_PLAN.
int32_t pingala_modulus_verify_squaring_list_be(const pingala_modulus *modulus, uint8_t *answers, const uint8_t *bases,
    size_t base_width, uint64_t squarings, const uint8_t *results, size_t result_width, const uint8_t *proofs,
    size_t proof_width, size_t count, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_verify_squaring_list_limbs(const pingala_modulus *modulus, uint8_t *answers,
    const uint64_t *bases, size_t base_width, uint64_t squarings, const uint64_t *results, size_t result_width,
    const uint64_t *proofs, size_t proof_width, size_t count, const uint8_t *signs, const pingala_options *options,
    char *why, size_t why_len);

// out = base^exponent modulo a handle in constant time: no branch and no address depends on the values of base and exponent. Public
// are the modulus, the lengths, and `exponent_bits`, the declared width of the exponent. Base and exponent are not negative.
//
// Modulo secret or known odd factors the power is computed modulo each and checked; with a public exponent in the options every
// result is checked. The error is then PINGALA_FAULT, and nothing is released: `out` is unchanged. Further errors:
// PINGALA_BAD_SECRET for an exponent wider than declared, PINGALA_BAD_PLAN for a plan that is not constant-time.
int32_t pingala_modulus_pow_sec_be(const pingala_modulus *modulus, uint8_t *out, size_t out_len, const uint8_t *base,
    size_t base_len, const uint8_t *exponent, size_t exponent_len, uint64_t exponent_bits,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_pow_sec_limbs(const pingala_modulus *modulus, uint64_t *out, size_t out_len,
    const uint64_t *base, size_t base_len, const uint64_t *exponent, size_t exponent_len, uint64_t exponent_bits,
    const pingala_options *options, char *why, size_t why_len);

// out[i] = bases[i]^exponents[i] modulo one handle for each of `count` rows, in constant time as by pingala_modulus_pow_sec_be and on
// several threads. Rows of bases and of `out` are as wide as in pingala_modulus_pow_list_be; every exponent has `exponent_width` bytes
// and the declared width `exponent_bits`. With `exponent_count` 1 all powers have one exponent, otherwise there are `count`. An
// element with an error leaves zeros in `out`; `status` and `why` are as in pingala_modulus_pow_list_be.
int32_t pingala_modulus_pow_sec_list_be(const pingala_modulus *modulus, uint8_t *out, const uint8_t *bases,
    const uint8_t *exponents, size_t exponent_width, uint64_t exponent_bits, size_t exponent_count, size_t count,
    int32_t *status, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_pow_sec_list_limbs(const pingala_modulus *modulus, uint64_t *out, const uint64_t *bases,
    const uint64_t *exponents, size_t exponent_width, uint64_t exponent_bits, size_t exponent_count, size_t count,
    int32_t *status, const pingala_options *options, char *why, size_t why_len);

// out[i] = the table's base^exponents[i] in constant time for each of `count` rows; the table is one for secrets
// (PINGALA_FOR_SECRETS). A single power is a list of one. Otherwise as pingala_modulus_pow_sec_list_be. Error: PINGALA_BAD_PLAN for a
// table that cannot be read so.
int32_t pingala_fixed_base_pow_sec_list_be(const pingala_fixed_base *fixed, uint8_t *out, const uint8_t *exponents,
    size_t exponent_width, uint64_t exponent_bits, size_t count, int32_t *status, const pingala_options *options,
    char *why, size_t why_len);
int32_t pingala_fixed_base_pow_sec_list_limbs(const pingala_fixed_base *fixed, uint64_t *out, const uint64_t *exponents,
    size_t exponent_width, uint64_t exponent_bits, size_t count, int32_t *status, const pingala_options *options,
    char *why, size_t why_len);

// The plan of pingala_modulus_pow_be with these arguments, and why it was chosen, in one of the formats. `text` receives as much as
// fits, with a zero byte at its end; `*needed`, unless NULL, the bytes of the whole text with that byte. `text` may be NULL if
// `text_len` is 0. Errors: PINGALA_BAD_PLAN; PINGALA_NOT_INVERTIBLE.
int32_t pingala_modulus_explain_be(const pingala_modulus *modulus, char *text, size_t text_len, size_t *needed,
    uint32_t format, const uint8_t *base, size_t base_len, const uint8_t *exponent, size_t exponent_len, uint32_t signs,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_explain_limbs(const pingala_modulus *modulus, char *text, size_t text_len, size_t *needed,
    uint32_t format, const uint64_t *base, size_t base_len, const uint64_t *exponent, size_t exponent_len,
    uint32_t signs, const pingala_options *options, char *why, size_t why_len);

// The plan of pingala_modulus_pow_exp_list_be, one base and these exponents, as pingala_modulus_explain_be gives it.
int32_t pingala_modulus_explain_exp_list_be(const pingala_modulus *modulus, char *text, size_t text_len, size_t *needed,
    uint32_t format, const uint8_t *exponents, size_t exponent_width, size_t count, const uint8_t *signs,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_explain_exp_list_limbs(const pingala_modulus *modulus, char *text, size_t text_len,
    size_t *needed, uint32_t format, const uint64_t *exponents, size_t exponent_width, size_t count,
    const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);

// The plan of pingala_modulus_pow_base_list_be, `count` bases and this exponent, and of pingala_modulus_pow_list_be with exponents of
// this length, as pingala_modulus_explain_be gives it.
int32_t pingala_modulus_explain_base_list_be(const pingala_modulus *modulus, char *text, size_t text_len,
    size_t *needed, uint32_t format, const uint8_t *bases, size_t base_width, size_t count, const uint8_t *exponent,
    size_t exponent_len, uint32_t exponent_signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_explain_base_list_limbs(const pingala_modulus *modulus, char *text, size_t text_len,
    size_t *needed, uint32_t format, const uint64_t *bases, size_t base_width, size_t count, const uint64_t *exponent,
    size_t exponent_len, uint32_t exponent_signs, const pingala_options *options, char *why, size_t why_len);

// The plan of pingala_modulus_pow_product_be with these exponents, as pingala_modulus_explain_be gives it.
int32_t pingala_modulus_explain_product_be(const pingala_modulus *modulus, char *text, size_t text_len, size_t *needed,
    uint32_t format, const uint8_t *exponents, size_t exponent_width, size_t count, const uint8_t *signs,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_explain_product_limbs(const pingala_modulus *modulus, char *text, size_t text_len,
    size_t *needed, uint32_t format, const uint64_t *exponents, size_t exponent_width, size_t count,
    const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);

// The plan of pingala_modulus_repeated_square_be with this number of squarings, as pingala_modulus_explain_be gives it.
int32_t pingala_modulus_explain_repeated_square(const pingala_modulus *modulus, char *text, size_t text_len,
    size_t *needed, uint32_t format, uint64_t squarings, const pingala_options *options, char *why, size_t why_len);

// The plan of pingala_fixed_base_new_be with these arguments, as pingala_modulus_explain_be gives it.
int32_t pingala_fixed_base_explain_be(const pingala_modulus *modulus, char *text, size_t text_len, size_t *needed,
    uint32_t format, const uint8_t *base, size_t base_len, uint32_t signs, uint64_t exponent_bits,
    uint64_t memory_bytes, uint64_t powers, uint32_t kind, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_fixed_base_explain_limbs(const pingala_modulus *modulus, char *text, size_t text_len, size_t *needed,
    uint32_t format, const uint64_t *base, size_t base_len, uint32_t signs, uint64_t exponent_bits,
    uint64_t memory_bytes, uint64_t powers, uint32_t kind, const pingala_options *options, char *why, size_t why_len);

// The plan of pingala_pow_list_be with these arguments, as a line. `text` and `needed` are as in pingala_modulus_explain_be.
int32_t pingala_plan_list_be(char *text, size_t text_len, size_t *needed, const uint8_t *bases, size_t base_width,
    const uint8_t *exponents, size_t exponent_width, const pingala_modulus *const *moduli, size_t moduli_count,
    const uint32_t *modulus_of, size_t count, const uint8_t *signs, const pingala_options *options, char *why,
    size_t why_len);
int32_t pingala_plan_list_limbs(char *text, size_t text_len, size_t *needed, const uint64_t *bases, size_t base_width,
    const uint64_t *exponents, size_t exponent_width, const pingala_modulus *const *moduli, size_t moduli_count,
    const uint32_t *modulus_of, size_t count, const uint8_t *signs, const pingala_options *options, char *why,
    size_t why_len);

// The plan of pingala_modulus_pow_list_be with these arguments, as a line. `text` and `needed` are as in pingala_modulus_explain_be.
int32_t pingala_modulus_plan_list_be(const pingala_modulus *modulus, char *text, size_t text_len, size_t *needed,
    const uint8_t *bases, const uint8_t *exponents, size_t exponent_width, size_t count, const uint8_t *signs,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_plan_list_limbs(const pingala_modulus *modulus, char *text, size_t text_len, size_t *needed,
    const uint64_t *bases, const uint64_t *exponents, size_t exponent_width, size_t count, const uint8_t *signs,
    const pingala_options *options, char *why, size_t why_len);

// The plan of pingala_pow_product_list_be with these arguments, as a line. `text` and `needed` are as in pingala_modulus_explain_be.
int32_t pingala_plan_product_list_be(char *text, size_t text_len, size_t *needed, const uint8_t *bases,
    size_t base_width, const uint8_t *exponents, size_t exponent_width, size_t factor_count, const uint64_t *ends,
    const pingala_modulus *const *moduli, size_t moduli_count, const uint32_t *modulus_of, size_t count,
    const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_plan_product_list_limbs(char *text, size_t text_len, size_t *needed, const uint64_t *bases,
    size_t base_width, const uint64_t *exponents, size_t exponent_width, size_t factor_count, const uint64_t *ends,
    const pingala_modulus *const *moduli, size_t moduli_count, const uint32_t *modulus_of, size_t count,
    const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);

// The plan of pingala_modulus_pow_product_list_be with these arguments, as a line. `text` and `needed` are as in
// pingala_modulus_explain_be.
int32_t pingala_modulus_plan_product_list_be(const pingala_modulus *modulus, char *text, size_t text_len,
    size_t *needed, const uint8_t *bases, const uint8_t *exponents, size_t exponent_width, size_t factor_count,
    const uint64_t *ends, size_t count, const uint8_t *signs, const pingala_options *options, char *why,
    size_t why_len);
int32_t pingala_modulus_plan_product_list_limbs(const pingala_modulus *modulus, char *text, size_t text_len,
    size_t *needed, const uint64_t *bases, const uint64_t *exponents, size_t exponent_width, size_t factor_count,
    const uint64_t *ends, size_t count, const uint8_t *signs, const pingala_options *options, char *why,
    size_t why_len);

// The plan of pingala_pow_product_list_be with these arguments, as pingala_modulus_explain_be gives it. The candidates are those of the
// products that are expected to take the most time.
int32_t pingala_explain_product_list_be(char *text, size_t text_len, size_t *needed, uint32_t format,
    const uint8_t *bases, size_t base_width, const uint8_t *exponents, size_t exponent_width, size_t factor_count,
    const uint64_t *ends, const pingala_modulus *const *moduli, size_t moduli_count, const uint32_t *modulus_of,
    size_t count, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_explain_product_list_limbs(char *text, size_t text_len, size_t *needed, uint32_t format,
    const uint64_t *bases, size_t base_width, const uint64_t *exponents, size_t exponent_width, size_t factor_count,
    const uint64_t *ends, const pingala_modulus *const *moduli, size_t moduli_count, const uint32_t *modulus_of,
    size_t count, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);

// The plan of pingala_modulus_pow_product_list_be with these arguments, as pingala_explain_product_list_be gives it.
int32_t pingala_modulus_explain_product_list_be(const pingala_modulus *modulus, char *text, size_t text_len,
    size_t *needed, uint32_t format, const uint8_t *bases, const uint8_t *exponents, size_t exponent_width,
    size_t factor_count, const uint64_t *ends, size_t count, const uint8_t *signs, const pingala_options *options,
    char *why, size_t why_len);
int32_t pingala_modulus_explain_product_list_limbs(const pingala_modulus *modulus, char *text, size_t text_len,
    size_t *needed, uint32_t format, const uint64_t *bases, const uint64_t *exponents, size_t exponent_width,
    size_t factor_count, const uint64_t *ends, size_t count, const uint8_t *signs, const pingala_options *options,
    char *why, size_t why_len);

// The plan that a table's powers follow, as a line, which gives the same table to pingala_fixed_base_new_be. `text` and `needed` are as
// in pingala_modulus_explain_be.
int32_t pingala_fixed_base_plan(const pingala_fixed_base *fixed, char *text, size_t text_len, size_t *needed, char *why,
    size_t why_len);

// Makes a key of DSA after checking the ranges: p and q odd, q < p, 1 < g < p, 1 < y < p, at most 10,000 bits. Errors:
// PINGALA_BAD_ARGUMENT, PINGALA_TOO_LONG.
int32_t pingala_key_new_dsa_be(pingala_key **key, const uint8_t *p, size_t p_len, const uint8_t *q, size_t q_len,
    const uint8_t *g, size_t g_len, const uint8_t *y, size_t y_len, char *why, size_t why_len);

// Makes a key of RSA after checking the ranges: n odd, of at most 16,384 bits, e odd, 1 < e < n, of at most 64
// bits if n has more than 3072. Errors as
// pingala_key_new_dsa_be.
int32_t pingala_key_new_rsa_be(pingala_key **key, const uint8_t *n, size_t n_len, const uint8_t *e, size_t e_len,
    char *why, size_t why_len);

// Makes a key from the bytes of a file: PEM or DER of a SubjectPublicKeyInfo, of PKCS#1 or of an X.509 certificate, or a line of
// OpenSSH (`ssh-rsa ...`, `ssh-dss ...`). What restricts the key is obeyed (pingala_key_salt), or the key is refused. Errors as
// pingala_key_new_dsa_be.
int32_t pingala_key_load(pingala_key **key, const uint8_t *data, size_t data_len, char *why, size_t why_len);

// Frees a key; NULL is fine.
void pingala_key_free(pingala_key *key);

// PINGALA_DSA, or PINGALA_RSA_PKCS1 for RSA. 0 for NULL.
uint32_t pingala_key_kind(const pingala_key *key);

// The scheme with the hash functions that the key says where PINGALA_RSA_PSS has none: those of a key of type id-RSASSA-PSS with
// parameters, otherwise SHA-256 and for the mask that of the message. Other schemes are returned unchanged. 0 for NULL.
uint32_t pingala_key_scheme(const pingala_key *key, uint32_t scheme);

// The length of the shortest salt that a key of type id-RSASSA-PSS allows, in bytes: such a key verifies only PINGALA_RSA_PSS, with only its
// hash functions (pingala_key_scheme); everything else is PINGALA_POLICY. -1 for a key that is not restricted, and for NULL.
int64_t pingala_key_salt(const pingala_key *key);

// The length of p, or of n, in bits. 0 for NULL.
uint64_t pingala_key_bits(const pingala_key *key);

// What is weak about a key used with a scheme, as the sum of its bits, PINGALA_SHORT_KEY and the following. 0 for NULL or a
// scheme that is none.
uint32_t pingala_key_weaknesses(const pingala_key *key, uint32_t scheme);

// Checks a key: `*defects` is a set of bits, 0 for none, of which the message names each. `depth` is 0 for only the
// ranges; 1 for subgroups, q | p - 1, g^q = y^q = 1; 2 for the primality of p and q too, or that n is composite, no power, and
// without a small factor. 1: q does not divide p - 1; 2 and 4: g, y not in the subgroup; 8 and 16: p, q not prime; 32: n prime; 64: a small factor; 128: n is a power.
// The call reads threads, kernel and watch of the options. Errors: PINGALA_BAD_ARGUMENT, PINGALA_INTERRUPTED.
int32_t pingala_key_validate(const pingala_key *key, uint32_t depth, uint32_t *defects, const pingala_options *options,
    char *why, size_t why_len);

// The digest of a message under the hash function of a scheme. `out` must have at least its width, which `*needed` receives unless
// it is NULL.
int32_t pingala_hash(uint8_t *out, size_t out_len, size_t *needed, uint32_t scheme, const uint8_t *message,
    size_t message_len, char *why, size_t why_len);

// Verifies `count` signatures. `verdicts[i]` is 1 if signature i is valid, otherwise 0, and `status[i]` is the reason: PINGALA_OK
// if it is valid, PINGALA_MISMATCH and the following if it is not, another status for a key that does not suit the scheme. A key
// that is restricted to PSS, or to hash functions and salts of it, is PINGALA_POLICY with anything else.
// `verdicts` is set to 0 first, so that a call that fails leaves no 1. `status` may be NULL.
//
// Signature i has the key keys[key_of[i]], or keys[i] if `key_of` is NULL; the digest at digests + i * digest_width, as wide as
// the hash function makes it; and the bytes of `signatures` from ends[i - 1] (0 for the first) to ends[i].
//
// Keys with the same p, q and g share work, and signatures of one key share more. The call reads threads, kernel, watch and salt of
// the options. Errors: PINGALA_BAD_ARGUMENT, PINGALA_INTERRUPTED.
int32_t pingala_verify_list(uint8_t *verdicts, int32_t *status, const pingala_key *const *keys, const uint32_t *key_of,
    const uint8_t *digests, size_t digest_width, const uint8_t *signatures, const uint64_t *ends, size_t count,
    uint32_t scheme, const pingala_options *options, char *why, size_t why_len);

// The plan of pingala_verify_list for these signatures, as text: a line for each group, with its expected time on one thread. `text`
// and `needed` are as in pingala_modulus_explain_be.
int32_t pingala_explain_verify_list(char *text, size_t text_len, size_t *needed, const pingala_key *const *keys,
    const uint32_t *key_of, const uint8_t *digests, size_t digest_width, const uint8_t *signatures,
    const uint64_t *ends, size_t count, uint32_t scheme, const pingala_options *options, char *why, size_t why_len);

// `*answer` is PINGALA_NOT_PRIME, PINGALA_PROBABLE_PRIME or PINGALA_PROVED_PRIME. A number above 2^64 passes trial division, the test
// of Baillie and PSW, then the rounds of Miller and Rabin with random bases that pingala_options_set_prime_rounds sets, 1 by default. Not
// for secrets. Errors: PINGALA_TOO_LONG above the limit of moduli; PINGALA_INTERRUPTED.
int32_t pingala_is_prime_be(uint32_t *answer, const uint8_t *n, size_t n_len, const pingala_options *options, char *why,
    size_t why_len);
int32_t pingala_is_prime_limbs(uint32_t *answer, const uint64_t *n, size_t n_len, const pingala_options *options,
    char *why, size_t why_len);

// answers[i] is the answer of pingala_is_prime_be for each of `count` numbers; those of one length are tested side by side, on several
// threads. Errors as there; after one `answers` is as it was.
int32_t pingala_is_prime_list_be(uint8_t *answers, const uint8_t *numbers, size_t number_width, size_t count,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_is_prime_list_limbs(uint8_t *answers, const uint64_t *numbers, size_t number_width, size_t count,
    const pingala_options *options, char *why, size_t why_len);

// out = the least prime above n, as sure as pingala_is_prime_be with 1 round. It has at most one bit more than n, or two bits. Not for
// secrets. Errors as of pingala_is_prime_be.
int32_t pingala_next_prime_be(uint8_t *out, size_t out_len, const uint8_t *n, size_t n_len,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_next_prime_limbs(uint64_t *out, size_t out_len, const uint64_t *n, size_t n_len,
    const pingala_options *options, char *why, size_t why_len);

// out = the greatest prime below n, as pingala_next_prime_be. Error: PINGALA_BAD_ARGUMENT for n of 2 or less.
int32_t pingala_previous_prime_be(uint8_t *out, size_t out_len, const uint8_t *n, size_t n_len,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_previous_prime_limbs(uint64_t *out, size_t out_len, const uint64_t *n, size_t n_len,
    const pingala_options *options, char *why, size_t why_len);

// out[i] = the primes from a on and below b, in order, in rows of `width` units, at least as wide as b: the first ones, as many as the
// `out_len` units hold. `*needed`, unless NULL, receives the number of all of them, so that a call without room tells how many there
// are. They are as sure as pingala_next_prime_be. Errors as of pingala_is_prime_be; PINGALA_TOO_LONG also for a list above 2^30 bytes.
int32_t pingala_primes_between_be(uint8_t *out, size_t out_len, size_t width, size_t *needed, const uint8_t *a,
    size_t a_len, const uint8_t *b, size_t b_len, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_primes_between_limbs(uint64_t *out, size_t out_len, size_t width, size_t *needed, const uint64_t *a,
    size_t a_len, const uint64_t *b, size_t b_len, const pingala_options *options, char *why, size_t why_len);

// out = a random prime of `bits` bits, 2 at least, with these `conditions`, a sum of PINGALA_SAFE_PRIME and the following flags, and the
// residue that pingala_options_set_prime_residue_be sets. It is as sure as pingala_is_prime_be says. Without PINGALA_UNIFORM_PRIME a random
// interval is sieved and one of its primes is taken, which loses 3 bits of entropy at most. Not for secrets:
// pingala_random_secret_prime_be. Errors: PINGALA_BAD_ARGUMENT if no prime fits, PINGALA_TOO_LONG, PINGALA_INTERRUPTED.
int32_t pingala_random_prime_be(uint8_t *out, size_t out_len, uint64_t bits, uint32_t conditions,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_random_prime_limbs(uint64_t *out, size_t out_len, uint64_t bits, uint32_t conditions,
    const pingala_options *options, char *why, size_t why_len);

// out = a random prime, as of pingala_random_prime_be, which is built from smaller ones, so that it is proved: `text` is its
// certificate. `*needed`, unless NULL, receives the bytes of the text with its zero byte. If `text_len` is less, the call draws no
// second prime: it is PINGALA_BAD_ARGUMENT, and `out` is as it was. 4096 + 4 bytes for each bit are plenty. PINGALA_UNIFORM_PRIME is
// PINGALA_BAD_ARGUMENT: what is built is not uniform.
int32_t pingala_random_proved_prime_be(uint8_t *out, size_t out_len, char *text, size_t text_len, size_t *needed,
    uint64_t bits, uint32_t conditions, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_random_proved_prime_limbs(uint64_t *out, size_t out_len, char *text, size_t text_len, size_t *needed,
    uint64_t bits, uint32_t conditions, const pingala_options *options, char *why, size_t why_len);

// out = a secret random prime of `bits` bits, 64 at least, by FIPS 186-5, A.1.3: candidates are drawn afresh, and tested in constant
// time, by so many rounds of Miller and Rabin that the error is below 2^-112, unless the options say how many. `conditions` are those of
// pingala_random_prime_be. The call wipes its memory; the caller wipes `out`. Errors as of pingala_random_prime_be.
int32_t pingala_random_secret_prime_be(uint8_t *out, size_t out_len, uint64_t bits, uint32_t conditions,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_random_secret_prime_limbs(uint64_t *out, size_t out_len, uint64_t bits, uint32_t conditions,
    const pingala_options *options, char *why, size_t why_len);

// p and q = two secret primes, as of pingala_random_secret_prime_be, of equal lengths, whose product has exactly `modulus_bits` bits, an
// even number from 128 on, and which are as far apart as FIPS 186-5 wants it. `kind` is PINGALA_PAIR_RSA or one of the following. `public_exponent`
// is that of RSA, odd and at least 3, otherwise 0. The options may set a residue and rounds. The caller wipes p and q. Errors as of
// pingala_random_prime_be.
int32_t pingala_prime_pair_be(uint8_t *p, size_t p_len, uint8_t *q, size_t q_len, uint64_t modulus_bits, uint32_t kind,
    uint64_t public_exponent, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_prime_pair_limbs(uint64_t *p, size_t p_len, uint64_t *q, size_t q_len, uint64_t modulus_bits,
    uint32_t kind, uint64_t public_exponent, const pingala_options *options, char *why, size_t why_len);

// `text` = a certificate that n is prime, by prime factors of n - 1: `factor_count` given ones, those below 2^16, and what Pollard's
// methods find soon. They need a product of a third of the length of n. Primes among them above 2^64 are proved in the same way.
// `*needed` is as in pingala_modulus_explain_be. Errors: PINGALA_BAD_ARGUMENT if n is not prime or too little of n - 1 is factored.
int32_t pingala_certify_be(char *text, size_t text_len, size_t *needed, const uint8_t *n, size_t n_len,
    const uint8_t *factors, size_t factor_width, size_t factor_count, const pingala_options *options, char *why,
    size_t why_len);
int32_t pingala_certify_limbs(char *text, size_t text_len, size_t *needed, const uint64_t *n, size_t n_len,
    const uint64_t *factors, size_t factor_width, size_t factor_count, const pingala_options *options, char *why,
    size_t why_len);

// out = the prime that a certificate proves, after every step of it has been checked. The text ends with its last line feed, without a
// zero byte. Errors: PINGALA_BAD_ARGUMENT for a text that proves nothing, PINGALA_TOO_LONG, PINGALA_INTERRUPTED.
int32_t pingala_check_certificate_be(uint8_t *out, size_t out_len, const char *certificate, size_t certificate_len,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_check_certificate_limbs(uint64_t *out, size_t out_len, const char *certificate, size_t certificate_len,
    const pingala_options *options, char *why, size_t why_len);

// `*tests` = how many numbers a search for a random prime is expected to test, and `*seconds` = the time of these tests on the threads of the
// options. The search is that of pingala_random_prime_be if `secret` is 0, of pingala_random_secret_prime_be if it is 1, with these bits,
// conditions and options. The call takes some tenths of a second at most. The time of a search is random: one in a hundred takes 4.6 times
// as long. `tests` and `seconds` may be NULL. Errors as of the search.
int32_t pingala_estimate_random_prime(double *tests, double *seconds, uint64_t bits, uint32_t conditions,
    uint32_t secret, const pingala_options *options, char *why, size_t why_len);

// `*symbol` is the Jacobi symbol (a/n): 1, -1, or 0 if a and n have a common factor; n is odd. The flag is PINGALA_NEGATIVE_BASE, for a.
// Not for secrets. Errors: PINGALA_BAD_ARGUMENT for an even n, PINGALA_TOO_LONG above the limit of moduli, PINGALA_INTERRUPTED.
int32_t pingala_jacobi_be(int32_t *symbol, const uint8_t *a, size_t a_len, const uint8_t *n, size_t n_len,
    uint32_t signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_jacobi_limbs(int32_t *symbol, const uint64_t *a, size_t a_len, const uint64_t *n, size_t n_len,
    uint32_t signs, const pingala_options *options, char *why, size_t why_len);

// symbols[i] = the Jacobi symbol (a[i]/n[i]) for each of `count` rows, as of pingala_jacobi_be; `n_count` is `count`, or 1 for one n below
// all. `signs` has PINGALA_NEGATIVE_BASE for a[i]. The error of the first row that has one is that of the call; `symbols` is then as it was.
int32_t pingala_jacobi_list_be(int32_t *symbols, const uint8_t *a, size_t a_width, const uint8_t *n, size_t n_width,
    size_t n_count, size_t count, const uint8_t *signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_jacobi_list_limbs(int32_t *symbols, const uint64_t *a, size_t a_width, const uint64_t *n,
    size_t n_width, size_t n_count, size_t count, const uint8_t *signs, const pingala_options *options, char *why,
    size_t why_len);

// `*symbol` is the Kronecker symbol (a/n) for every n: the Jacobi symbol for an odd n above 0. The flags are PINGALA_NEGATIVE_BASE for a and
// PINGALA_NEGATIVE_EXPONENT for n. Not for secrets. Errors: PINGALA_TOO_LONG above the limit of moduli, PINGALA_INTERRUPTED.
int32_t pingala_kronecker_be(int32_t *symbol, const uint8_t *a, size_t a_len, const uint8_t *n, size_t n_len,
    uint32_t signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_kronecker_limbs(int32_t *symbol, const uint64_t *a, size_t a_len, const uint64_t *n, size_t n_len,
    uint32_t signs, const pingala_options *options, char *why, size_t why_len);

// out = the lesser square root of a modulo a prime p, at most (p - 1) / 2. It is squared before it is written. The flag is
// PINGALA_NEGATIVE_BASE. Not for secrets. Errors: PINGALA_BAD_ARGUMENT if a is no square modulo p, or if no root is found because p is
// no prime; PINGALA_ZERO_MODULUS, PINGALA_TOO_LONG, PINGALA_INTERRUPTED.
int32_t pingala_sqrt_mod_be(uint8_t *out, size_t out_len, const uint8_t *a, size_t a_len, const uint8_t *p,
    size_t p_len, uint32_t signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_sqrt_mod_limbs(uint64_t *out, size_t out_len, const uint64_t *a, size_t a_len, const uint64_t *p,
    size_t p_len, uint32_t signs, const pingala_options *options, char *why, size_t why_len);

// out[i] = the square roots of a modulo a prime p, in order, in rows of `width` units, at least as wide as p: the first ones, as many as the
// `out_len` units hold. `*needed`, unless NULL, receives the number of all of them, 0 to 2, so that a call without room tells how many there
// are. The flag is PINGALA_NEGATIVE_BASE. Not for secrets. Errors as of pingala_sqrt_mod_be, but for an a that is no square.
int32_t pingala_sqrt_mod_all_be(uint8_t *out, size_t out_len, size_t width, size_t *needed, const uint8_t *a,
    size_t a_len, const uint8_t *p, size_t p_len, uint32_t signs, const pingala_options *options, char *why,
    size_t why_len);
int32_t pingala_sqrt_mod_all_limbs(uint64_t *out, size_t out_len, size_t width, size_t *needed, const uint64_t *a,
    size_t a_len, const uint64_t *p, size_t p_len, uint32_t signs, const pingala_options *options, char *why,
    size_t why_len);

// out = a square root of a modulo the modulus of a handle: the lesser of it and its negative. Its factors, by which it was made, are primes;
// without factors it is a prime itself. The root is squared before it is written. Flag and errors are those of pingala_sqrt_mod_be.
int32_t pingala_modulus_sqrt_be(const pingala_modulus *modulus, uint8_t *out, size_t out_len, const uint8_t *a,
    size_t a_len, uint32_t signs, const pingala_options *options, char *why, size_t why_len);
int32_t pingala_modulus_sqrt_limbs(const pingala_modulus *modulus, uint64_t *out, size_t out_len, const uint64_t *a,
    size_t a_len, uint32_t signs, const pingala_options *options, char *why, size_t why_len);

// out[i] = all square roots of a modulo the modulus of a handle, as of pingala_modulus_sqrt_be, in the form of pingala_sqrt_mod_all_be. A power
// of a prime has many roots of a number that it divides: more than `most` of them are PINGALA_BAD_ARGUMENT.
int32_t pingala_modulus_sqrt_all_be(const pingala_modulus *modulus, uint8_t *out, size_t out_len, size_t width,
    size_t *needed, const uint8_t *a, size_t a_len, uint64_t most, uint32_t signs, const pingala_options *options,
    char *why, size_t why_len);
int32_t pingala_modulus_sqrt_all_limbs(const pingala_modulus *modulus, uint64_t *out, size_t out_len, size_t width,
    size_t *needed, const uint64_t *a, size_t a_len, uint64_t most, uint32_t signs, const pingala_options *options,
    char *why, size_t why_len);

// out[i] = the square root of values[i] modulo primes[i], as of pingala_sqrt_mod_be, with all powers side by side; `prime_count` is `count`,
// or 1 for one prime for all. The rows of `out` are as wide as those of `primes` at least. `status` and `signs` are as in
// pingala_modulus_pow_list_be.
int32_t pingala_sqrt_mod_list_be(uint8_t *out, size_t out_width, const uint8_t *values, size_t value_width,
    const uint8_t *primes, size_t prime_width, size_t prime_count, size_t count, int32_t *status, const uint8_t *signs,
    const pingala_options *options, char *why, size_t why_len);
int32_t pingala_sqrt_mod_list_limbs(uint64_t *out, size_t out_width, const uint64_t *values, size_t value_width,
    const uint64_t *primes, size_t prime_width, size_t prime_count, size_t count, int32_t *status, const uint8_t *signs,
    const pingala_options *options, char *why, size_t why_len);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PINGALA_H */

/** Whether the library that was loaded has all functions of this header: 1 or 0. */
static inline int pingala_abi_fits(void)
{
    return pingala_abi() >= PINGALA_ABI;
}
