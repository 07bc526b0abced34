/**
 * Modular powers of big integers: native speed in Node, WebAssembly in browsers.
 *
 * An integer is a number, a bigint, or a Uint8Array with the highest byte first. Results are Uint8Arrays, as long as the modulus, if the
 * modulus is one; otherwise they are bigints. Errors of the engine are `PingalaError`s, which are RangeErrors; arguments of wrong types are
 * TypeErrors.
 */

/** An integer; as bytes the highest byte comes first. */
export type Integer = number | bigint | Uint8Array
/** What a call returns for this modulus. */
export type Residue<M> = M extends Uint8Array ? Uint8Array : bigint
/** A prime, or a prime and its multiplicity. */
export type Factor = number | bigint | [number | bigint, number | bigint]

/** The stable names of errors. */
export type ErrorCode =
  | 'too_long' | 'zero_modulus' | 'negative_modulus' | 'not_invertible' | 'wrong_factors' | 'bad_plan' | 'bad_secret' | 'bad_argument'
  | 'interrupted' | 'fault' | 'bad_file' | 'not_a_number' | 'out_of_range'

/** What the engine refuses. */
export class PingalaError extends RangeError {
  constructor (code: ErrorCode, message: string, index?: number)
  /** The stable name of the error. */
  readonly code: ErrorCode
  /** The place in the list. */
  readonly index?: number
}

// border: options
/** Every setting of calls; each call has some of them. */
export interface AllOptions {
  /** Forces a kernel by its name, such as `portable_r64`. */
  kernel?: string
  /** Forces a plan by its line, such as `sliding_window(w=7) on portable_r64(n=32)`. */
  plan?: string
  /** The most threads that a call uses. By default all cores. */
  threads?: number
  /** The most memory for powers that share work, and for proofs, in bytes. By default 2^30. */
  memory?: number
  /** The longest modulus that a call accepts; a longer one is too_long. By default 2^24. */
  maxModulusBits?: number
  /** The longest exponent that a call accepts; a longer one is too_long. By default 2^26. */
  maxExponentBits?: number
  /** Milliseconds after which a call ends with the code `interrupted`. By default no limit. */
  timeout?: number
  /** The public exponent of a secret one: a secret power is released only if its power with this exponent is the base again. */
  publicExponent?: Integer
  /** Whether secret powers modulo known primes are blinded. By default true. */
  blinding?: boolean
}
// end of border

/** Settings of every call. */
export type Options = Pick<AllOptions, 'threads' | 'maxExponentBits'>
/** Settings of plans, and of powers that no time-out ends. */
export type PlanOptions = Pick<AllOptions, 'threads' | 'maxExponentBits' | 'kernel' | 'plan' | 'maxModulusBits'>
/** Settings of powers. */
export type PowerOptions = Pick<AllOptions, 'threads' | 'maxExponentBits' | 'kernel' | 'plan' | 'maxModulusBits' | 'timeout'>

/** Settings of an inverse. */
export type InverseOptions = Pick<AllOptions, 'threads' | 'maxExponentBits' | 'maxModulusBits' | 'timeout'>

/** Settings of calls that compute elsewhere. */
export interface Later {
  /** Ends the call: the promise is rejected with the reason of the signal. */
  signal?: AbortSignal
  /** Called with the elements that are finished and their number. */
  onProgress?: (finished: number, total: number) => void
}

/** Settings of lists. */
export interface ListOptions<E extends 'throw' | 'return' = 'throw'> extends PowerOptions {
  /** `throw` (default): the first error ends the call. `return`: errors stand in the result, at their elements. */
  errors?: E
}

/** Settings of lists whose powers may share work. */
export type SharedOptions<E extends 'throw' | 'return' = 'throw'> = ListOptions<E> & Pick<AllOptions, 'memory'>

/** The elements of a result. */
export type Element<M, E> = E extends 'return' ? Residue<M> | PingalaError : Residue<M>
type ErrorsOf = 'throw' | 'return'

/** Compiles the module without blocking the thread. Calls work without it: the first one compiles then. */
export function init (): Promise<void>
/** Whether the native addon runs, or WebAssembly. */
export function backend (): 'native' | 'wasm'
/** The kernel of powers of 2,048 bits. */
export function kernelName (): string
/** The version of the engine. */
export function version (): string

/** Sets how many asynchronous calls run at the same time (by default one for each processor), how many may wait (1,000), and where the
 * script of a worker is. */
export function configure (settings: { workers?: number, queue?: number, workerUrl?: string | URL }): void
/** Ends the workers. Calls that run are rejected with the code `interrupted`. */
export function closeWorkers (): void

/** b^e mod n, as bigint-mod-arith has it: n > 0, a negative e asks for the inverse, and with the factors of n the work is shared among
 * them. */
export function modPow<N extends Integer> (b: Integer, e: Integer, n: N, factors?: Factor[], options?: PowerOptions): Residue<N>
export function modPowAsync<N extends Integer> (b: Integer, e: Integer, n: N, factors?: Factor[], options?: PowerOptions & Later): Promise<Residue<N>>
/** The inverse of a modulo n, as bigint-mod-arith has it. */
export function modInv<N extends Integer> (a: Integer, n: N, options?: InverseOptions): Residue<N>
export function modInvAsync<N extends Integer> (a: Integer, n: N, options?: InverseOptions & Later): Promise<Residue<N>>

/** bases[i]^exponents[i] mod moduli[i]; one integer stands for all of its list. */
export function modPowList<N extends Integer, E extends ErrorsOf = 'throw'> (
  bases: Iterable<Integer> | Integer, exponents: Iterable<Integer> | Integer, moduli: Iterable<N> | N | Modulus<N>, options?: ListOptions<E>
): Array<Element<N, E>>
export function modPowListAsync<N extends Integer, E extends ErrorsOf = 'throw'> (
  bases: Iterable<Integer> | Integer, exponents: Iterable<Integer> | Integer, moduli: Iterable<N> | N | Modulus<N>, options?: ListOptions<E> & Later
): Promise<Array<Element<N, E>>>

/** base^exponents[i] mod modulus, which share their work. */
export function modPowExpList<N extends Integer, E extends ErrorsOf = 'throw'> (
  base: Integer, exponents: Iterable<Integer>, modulus: N | Modulus<N>, options?: SharedOptions<E>
): Array<Element<N, E>>
export function modPowExpListAsync<N extends Integer, E extends ErrorsOf = 'throw'> (
  base: Integer, exponents: Iterable<Integer>, modulus: N | Modulus<N>, options?: SharedOptions<E> & Later
): Promise<Array<Element<N, E>>>

/** How the engine computes b^e mod n, and what it expects that to take. */
export function explain (b: Integer, e: Integer, n: Integer | Modulus<Integer>, options?: PlanOptions): string
export function explainAsync (b: Integer, e: Integer, n: Integer | Modulus<Integer>, options?: PlanOptions & Later): Promise<string>

/** Settings of powers with secret exponents. */
export interface SecretOptions extends PlanOptions {
  /** The declared length of the exponent, which is public; by default that of its array. */
  exponentBits?: number
  /** The inverse of the exponent, as in RSA: results are checked by it. */
  publicExponent?: Integer
  /** False switches blinding off. */
  blinding?: boolean
}

/** base^exponent mod modulus by an algorithm whose time does not depend on base and exponent. docs/javascript.md says what JavaScript can
 * promise. */
export function powSec (base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array | Modulus<Integer>, options?: SecretOptions): Uint8Array
export function powSecAsync (
  base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array | Modulus<Integer>, options?: SecretOptions & Later
): Promise<Uint8Array>

/** A modulus m >= 1 that is prepared once, for many calls. */
export class Modulus<N extends Integer = Integer> {
  /** With the factors of the modulus powers are shared among them. */
  constructor (modulus: N, factors?: Factor[], options?: Options)
  /** Secret factors, as in RSA, stay in memory that is wiped. */
  constructor (
    modulus: N, factors: Array<Uint8Array | [Uint8Array, number]>, options: Options & { secret: true, publicExponent?: Integer })
  /** The modulus, as it was given. */
  readonly value: Residue<N> | N
  /** base^exponent modulo this modulus; a negative exponent takes the inverse of the base. */
  pow (base: Integer, exponent: Integer, options?: PowerOptions): Residue<N>
  powAsync (base: Integer, exponent: Integer, options?: PowerOptions & Later): Promise<Residue<N>>
  /** bases[i]^exponents[i] for each i; one integer stands for all of its list, and work that powers have in common is shared. */
  powList<E extends ErrorsOf = 'throw'> (
    bases: Iterable<Integer> | Integer, exponents: Iterable<Integer> | Integer, options?: SharedOptions<E>): Array<Element<N, E>>
  powListAsync<E extends ErrorsOf = 'throw'> (
    bases: Iterable<Integer> | Integer, exponents: Iterable<Integer> | Integer, options?: SharedOptions<E> & Later): Promise<Array<Element<N, E>>>
  /** How the engine computes a power, and what it expects that to take. */
  explain (base: Integer, exponent: Integer, options?: PlanOptions): string
  explainAsync (base: Integer, exponent: Integer, options?: PlanOptions & Later): Promise<string>
  /** The plan of a list of powers. */
  explainList (bases: Iterable<Integer> | Integer, exponents: Iterable<Integer> | Integer, options?: PlanOptions): string
  explainListAsync (bases: Iterable<Integer> | Integer, exponents: Iterable<Integer> | Integer, options?: PlanOptions & Later): Promise<string>
  /** base^exponent by an algorithm whose time does not depend on base and exponent. */
  powSec (base: Uint8Array, exponent: Uint8Array, options?: SecretOptions): Uint8Array
  powSecAsync (base: Uint8Array, exponent: Uint8Array, options?: SecretOptions & Later): Promise<Uint8Array>
  /** The first error ends the call; one Uint8Array stands for all of its list. */
  powSecList (bases: Iterable<Uint8Array> | Uint8Array, exponents: Iterable<Uint8Array> | Uint8Array, options?: SecretOptions): Uint8Array[]
  powSecListAsync (
    bases: Iterable<Uint8Array> | Uint8Array, exponents: Iterable<Uint8Array> | Uint8Array, options?: SecretOptions & Later): Promise<Uint8Array[]>
  /** The plan of the table of a base, without the table. */
  explainFixedBase (base: Integer, options: TableOptions): string
  // border: methods
  /** The inverse of value modulo a prepared modulus. */
  inv (value: Integer, options?: Pick<AllOptions, 'threads' | 'maxExponentBits'>): Residue<N>
  invAsync (value: Integer, options?: Pick<AllOptions, 'threads' | 'maxExponentBits'> & Later): Promise<Residue<N>>
  /** The product of bases[i]^exponents[i] over all i, which share squarings; 1 modulo the modulus for none. */
  powProduct (bases: Iterable<Integer>, exponents: Iterable<Integer>, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'memory' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): Residue<N>
  powProductAsync (bases: Iterable<Integer>, exponents: Iterable<Integer>, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'memory' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<Residue<N>>
  /** The product of bases[i][j]^exponents[i][j] over all j, for each i, modulo one number or one for each product. */
  powProductList<E extends ErrorsOf = 'throw'> (bases: Iterable<Iterable<Integer>>, exponents: Iterable<Iterable<Integer>>, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'memory' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & { errors?: E }): Array<Element<N, E>>
  powProductListAsync<E extends ErrorsOf = 'throw'> (bases: Iterable<Iterable<Integer>>, exponents: Iterable<Iterable<Integer>>, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'memory' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & { errors?: E } & Later): Promise<Array<Element<N, E>>>
  /** The inverse of values[i] for each i; about a hundred share one inversion. */
  invList<E extends ErrorsOf = 'throw'> (values: Iterable<Integer>, options?: Pick<AllOptions, 'threads' | 'maxExponentBits'> & { errors?: E }): Array<Element<N, E>>
  invListAsync<E extends ErrorsOf = 'throw'> (values: Iterable<Integer>, options?: Pick<AllOptions, 'threads' | 'maxExponentBits'> & { errors?: E } & Later): Promise<Array<Element<N, E>>>
  /** a[i] b[i] modulo the modulus for each i. */
  mulList (a: Iterable<Integer> | Integer, b: Iterable<Integer> | Integer, options?: Pick<AllOptions, 'kernel' | 'threads' | 'maxExponentBits' | 'timeout'>): Array<Residue<N>>
  mulListAsync (a: Iterable<Integer> | Integer, b: Iterable<Integer> | Integer, options?: Pick<AllOptions, 'kernel' | 'threads' | 'maxExponentBits' | 'timeout'> & Later): Promise<Array<Residue<N>>>
  /** values[i]^2 modulo the modulus for each i. */
  squareList (values: Iterable<Integer>, options?: Pick<AllOptions, 'kernel' | 'threads' | 'maxExponentBits' | 'timeout'>): Array<Residue<N>>
  squareListAsync (values: Iterable<Integer>, options?: Pick<AllOptions, 'kernel' | 'threads' | 'maxExponentBits' | 'timeout'> & Later): Promise<Array<Residue<N>>>
  /** The product of all values modulo the modulus; 1 modulo it for none. */
  product (values: Iterable<Integer>, options?: Pick<AllOptions, 'kernel' | 'threads' | 'maxExponentBits' | 'timeout'>): Residue<N>
  productAsync (values: Iterable<Integer>, options?: Pick<AllOptions, 'kernel' | 'threads' | 'maxExponentBits' | 'timeout'> & Later): Promise<Residue<N>>
  /** The product of values[0] to values[i] modulo the modulus for each i, on one thread. */
  runningProduct (values: Iterable<Integer>, options?: Pick<AllOptions, 'kernel' | 'threads' | 'maxExponentBits' | 'timeout'>): Array<Residue<N>>
  runningProductAsync (values: Iterable<Integer>, options?: Pick<AllOptions, 'kernel' | 'threads' | 'maxExponentBits' | 'timeout'> & Later): Promise<Array<Residue<N>>>
  /** base^(2^squarings) by successive squarings. */
  square (base: Integer, squarings: number, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'maxExponentBits' | 'timeout'>): Residue<N>
  squareAsync (base: Integer, squarings: number, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'maxExponentBits' | 'timeout'> & Later): Promise<Residue<N>>
  /** The plan of a product of powers, and why it is chosen. */
  explainProduct (bases: Iterable<Integer>, exponents: Iterable<Integer>, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'memory' | 'maxModulusBits' | 'maxExponentBits'>): string
  explainProductAsync (bases: Iterable<Integer>, exponents: Iterable<Integer>, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'memory' | 'maxModulusBits' | 'maxExponentBits'> & Later): Promise<string>
  /** The plan of a list of products, and why it is chosen. */
  explainProductList (bases: Iterable<Iterable<Integer>>, exponents: Iterable<Iterable<Integer>>, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'memory' | 'maxModulusBits' | 'maxExponentBits'>): string
  explainProductListAsync (bases: Iterable<Iterable<Integer>>, exponents: Iterable<Iterable<Integer>>, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'memory' | 'maxModulusBits' | 'maxExponentBits'> & Later): Promise<string>
  /** The plan of a repeated squaring, and why it is chosen. */
  explainSquare (squarings: number, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'maxModulusBits' | 'maxExponentBits'>): string
  explainSquareAsync (squarings: number, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'maxModulusBits' | 'maxExponentBits'> & Later): Promise<string>
  /** base^(2^squarings) with Wesolowski's proof. */
  proveSquare (base: Integer, squarings: number, options?: Pick<AllOptions, 'threads' | 'memory' | 'maxExponentBits' | 'timeout'>): { result: Residue<N>, proof: string }
  proveSquareAsync (base: Integer, squarings: number, options?: Pick<AllOptions, 'threads' | 'memory' | 'maxExponentBits' | 'timeout'> & Later): Promise<{ result: Residue<N>, proof: string }>
  /** Whether a proof shows that the result is base^(2^squarings). */
  verifySquare (base: Integer, squarings: number, result: Integer, proof: string, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): boolean
  verifySquareAsync (base: Integer, squarings: number, result: Integer, proof: string, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<boolean>
  /** Whether proofs[i] shows that results[i] is bases[i]^(2^squarings) for each i; the powers are computed side by side. */
  verifySquareList (bases: Iterable<Integer>, squarings: number, results: Iterable<Integer>, proofs: Iterable<string>, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): boolean[]
  verifySquareListAsync (bases: Iterable<Integer>, squarings: number, results: Iterable<Integer>, proofs: Iterable<string>, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<boolean[]>
  // end of border
  /** Frees what the engine holds, which otherwise happens when the object is collected. */
  close (): void
}

/** Settings of a table. */
export interface TableOptions extends PlanOptions {
  /** The length of the longest exponent. */
  exponentBits: number
  /** Most memory of the table, in bytes; by default 4 MiB. */
  memoryBytes?: number
  /** How many powers are expected; by default 10,000. */
  uses?: number
  /** Whether they come in lists. */
  lists?: boolean
  /** Whether exponents are secret: `powSec`. */
  secret?: boolean
}

/** Many powers of one base, by a table that is built once. */
export class FixedBase<N extends Integer = Integer> {
  constructor (base: Integer, modulus: N | Modulus<N>, options: TableOptions)
  /** A table out of the bytes of `toBytes`, or of a file of another binding. `verify` computes every entry again, for files of others. */
  static fromBytes<N extends Integer = bigint> (
    data: Uint8Array, options?: { modulus?: N | Modulus<N>, base?: Integer, verify?: boolean, asBytes?: boolean }): FixedBase<N>
  /** The modulus. */
  readonly modulus: Residue<N>
  /** The base, reduced modulo the modulus. */
  readonly base: Residue<N>
  /** The length of the longest exponent. */
  readonly exponentBits: number
  /** The memory of the table. */
  readonly tableBytes: number
  /** The base to this exponent. */
  pow (exponent: Integer, options?: Options): Residue<N>
  powAsync (exponent: Integer, options?: Options & Later): Promise<Residue<N>>
  /** The base to exponents[i] for each i. */
  powList<E extends ErrorsOf = 'throw'> (exponents: Iterable<Integer>, options?: ListOptions<E>): Array<Element<N, E>>
  powListAsync<E extends ErrorsOf = 'throw'> (exponents: Iterable<Integer>, options?: ListOptions<E> & Later): Promise<Array<Element<N, E>>>
  /** The base to a secret exponent, if the table was made with `secret`. */
  powSec (exponent: Uint8Array, options?: Omit<SecretOptions, 'publicExponent'>): Uint8Array
  powSecAsync (exponent: Uint8Array, options?: Omit<SecretOptions, 'publicExponent'> & Later): Promise<Uint8Array>
  /** The base to each of these secret exponents. The first error ends the call. */
  powSecList (exponents: Iterable<Uint8Array>, options?: Omit<SecretOptions, 'publicExponent'>): Uint8Array[]
  powSecListAsync (exponents: Iterable<Uint8Array>, options?: Omit<SecretOptions, 'publicExponent'> & Later): Promise<Uint8Array[]>
  /** The table as a file, which every binding reads. */
  toBytes (): Uint8Array
  /** Frees the table, which otherwise happens when the object is collected. */
  close (): void
}

/** Settings of tests of primes. */
export interface TestOptions extends Pick<AllOptions, 'threads' | 'maxExponentBits' | 'maxModulusBits' | 'timeout'> {
  /** Rounds of Miller and Rabin's test with random bases, above 2^64; by default 1, for secret primes more by length. */
  rounds?: number
}

/** Whether a number is prime: surely below 2^64, otherwise by the tests of Baillie and PSW, of which no composite is known to pass, and of Miller and Rabin. */
export function isPrime (n: Integer, options?: TestOptions): boolean
export function isPrimeAsync (n: Integer, options?: TestOptions & Later): Promise<boolean>
/** Whether each number is prime; they are tested side by side. */
export function isPrimeList (numbers: Iterable<Integer>, options?: TestOptions): boolean[]
export function isPrimeListAsync (numbers: Iterable<Integer>, options?: TestOptions & Later): Promise<boolean[]>
/** `proved` for a prime below 2^64. */
export function primality (n: Integer, options?: TestOptions): 'composite' | 'probable' | 'proved'
export function primalityAsync (n: Integer, options?: TestOptions & Later): Promise<'composite' | 'probable' | 'proved'>

/** Settings of random primes. */
export interface PrimeOptions extends TestOptions {
  /** Whether (p - 1) / 2 is prime too. */
  safe?: boolean
  /** 2: the two highest bits are set, so that a product of two has full length. */
  topBits?: 1 | 2
  /** Whether every prime is equally likely, at some cost. */
  uniform?: boolean
  /** r and q: primes that are r modulo q. */
  residue?: [Integer, Integer]
}

/** A random prime of this length. */
export function randomPrime (bits: number, options?: PrimeOptions): bigint
export function randomPrimeAsync (bits: number, options?: PrimeOptions & Later): Promise<bigint>
/** A random prime with a certificate that it is one. */
export function randomProvedPrime (bits: number, options?: PrimeOptions): { prime: bigint, certificate: string }
export function randomProvedPrimeAsync (bits: number, options?: PrimeOptions & Later): Promise<{ prime: bigint, certificate: string }>
/** A prime that nobody may learn. Bytes, because BigInt keeps no secret. */
export function randomSecretPrime (bits: number, options?: PrimeOptions): Uint8Array
export function randomSecretPrimeAsync (bits: number, options?: PrimeOptions & Later): Promise<Uint8Array>
/**
 * How many numbers the search for a random prime is expected to test, and in how many seconds on the threads of the options. One search in a
 * hundred takes 4.6 times as long. The addon measures some tests; WebAssembly has no clock and takes the planner's prices.
 */
export function estimateRandomPrime (bits: number, options?: Omit<PrimeOptions, 'timeout'> & { secret?: boolean }): { tests: number, seconds: number }
export function estimateRandomPrimeAsync (bits: number, options?: Omit<PrimeOptions, 'timeout'> & { secret?: boolean } & Later): Promise<{ tests: number, seconds: number }>
/** Two secret primes whose product has this length; for RSA with the public exponent, by default 65537. */
export function primePair (
  modulusBits: number, kind: 'rsa' | 'paillier' | 'safe', options?: TestOptions & { publicExponent?: Integer }): { p: Uint8Array, q: Uint8Array }
export function primePairAsync (
  modulusBits: number, kind: 'rsa' | 'paillier' | 'safe', options?: TestOptions & { publicExponent?: Integer } & Later
): Promise<{ p: Uint8Array, q: Uint8Array }>

// border: functions
/** The product of bases[i]^exponents[i] over all i, which share squarings; 1 modulo the modulus for none. */
export function modPowProduct<N extends Integer> (bases: Iterable<Integer>, exponents: Iterable<Integer>, modulus: N | Modulus<N>, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'memory' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): Residue<N>
export function modPowProductAsync<N extends Integer> (bases: Iterable<Integer>, exponents: Iterable<Integer>, modulus: N | Modulus<N>, options?: Pick<AllOptions, 'kernel' | 'plan' | 'threads' | 'memory' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<Residue<N>>
/** The inverse of values[i] for each i; about a hundred share one inversion. */
export function modInvList<N extends Integer, E extends ErrorsOf = 'throw'> (values: Iterable<Integer>, modulus: N | Modulus<N>, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits'> & { errors?: E }): Array<Element<N, E>>
export function modInvListAsync<N extends Integer, E extends ErrorsOf = 'throw'> (values: Iterable<Integer>, modulus: N | Modulus<N>, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits'> & { errors?: E } & Later): Promise<Array<Element<N, E>>>
/** The least prime above n. */
export function nextPrime<N extends Integer> (n: N, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): Residue<N>
export function nextPrimeAsync<N extends Integer> (n: N, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<Residue<N>>
/** The greatest prime below n. */
export function previousPrime<N extends Integer> (n: N, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): Residue<N>
export function previousPrimeAsync<N extends Integer> (n: N, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<Residue<N>>
/** The primes from a on that are below b. */
export function primesBetween (a: Integer, b: Integer, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): bigint[]
export function primesBetweenAsync (a: Integer, b: Integer, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<bigint[]>
/** A certificate that n is prime. */
export function certify (n: Integer, factors?: Iterable<Integer>, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): string
export function certifyAsync (n: Integer, factors?: Iterable<Integer>, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<string>
/** The prime of a certificate that holds. */
export function checkCertificate (certificate: string, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): bigint
export function checkCertificateAsync (certificate: string, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<bigint>
/** The Jacobi symbol (a/n) for an odd n above 0: 1, -1, or 0. */
export function jacobi (a: Integer, n: Integer, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): -1 | 0 | 1
export function jacobiAsync (a: Integer, n: Integer, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<-1 | 0 | 1>
/** The Jacobi symbol (a[i]/n[i]) for each i. */
export function jacobiList (a: Iterable<Integer>, n: Iterable<Integer> | Integer, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): Array<-1 | 0 | 1>
export function jacobiListAsync (a: Iterable<Integer>, n: Iterable<Integer> | Integer, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<Array<-1 | 0 | 1>>
/** The Kronecker symbol (a/n) for any n. */
export function kronecker (a: Integer, n: Integer, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): -1 | 0 | 1
export function kroneckerAsync (a: Integer, n: Integer, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<-1 | 0 | 1>
/** A square root of a modulo a prime p, or modulo a Modulus with known prime factors. */
export function sqrtMod (a: Integer, p: Integer | Modulus<Integer>, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): bigint
export function sqrtModAsync (a: Integer, p: Integer | Modulus<Integer>, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<bigint>
/** All square roots of a modulo p, a prime or a Modulus with known prime factors, in order; an error if there are more than most. */
export function sqrtModAll (a: Integer, p: Integer | Modulus<Integer>, most?: number, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'>): bigint[]
export function sqrtModAllAsync (a: Integer, p: Integer | Modulus<Integer>, most?: number, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & Later): Promise<bigint[]>
/** A square root of values[i] modulo primes[i] for each i. */
export function sqrtModList<E extends ErrorsOf = 'throw'> (values: Iterable<Integer>, primes: Iterable<Integer> | Integer, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & { errors?: E }): Array<Element<bigint, E>>
export function sqrtModListAsync<E extends ErrorsOf = 'throw'> (values: Iterable<Integer>, primes: Iterable<Integer> | Integer, options?: Pick<AllOptions, 'threads' | 'maxModulusBits' | 'maxExponentBits' | 'timeout'> & { errors?: E } & Later): Promise<Array<Element<bigint, E>>>
// end of border

/** The kinds of signatures. */
export type Scheme = 'dsa' | 'rsa-pkcs1' | 'rsa-pss'
/** Hash functions. */
export type Hash =
  | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'sha512-224' | 'sha512-256' | 'sha3-224' | 'sha3-256' | 'sha3-384' | 'sha3-512'

/** Settings of verification. */
export interface VerifyOptions extends Options {
  /** The hash function of the message; only for RSA-PSS the key may name it. */
  hash?: Hash
  /** That of the mask of RSA-PSS. */
  mgf?: Hash
  /** The length of the salt of RSA-PSS, in bytes; by default any. */
  salt?: number
  /** The encoding of signatures; by default `der` for DSA, and as long as n for RSA. */
  encoding?: 'der' | 'raw' | 'ssh' | 'lenient' | 'openpgp'
  /** Which keys and hash functions are refused; by default `legacy`, the most tolerant. */
  policy?: 'legacy' | 'strict' | 'modern'
  /** Whether messages are digests already. */
  digest?: boolean
}

/** `valid`, or why a signature is not. */
export type Verdict = 'valid' | 'mismatch' | 'bad_encoding' | 'out_of_range' | 'policy' | 'key_too_short' | ErrorCode

/** A public key of RSA or DSA. */
export class PublicKey {
  private constructor ()
  /** PEM as text or bytes, DER, or the format of OpenSSH. */
  static load (data: string | Uint8Array): PublicKey
  /** A key of RSA from its numbers. */
  static rsa (numbers: { n: Integer, e: Integer }): PublicKey
  /** A key of DSA from its numbers. */
  static dsa (numbers: { p: Integer, q: Integer, g: Integer, y: Integer }): PublicKey
  /** `rsa` or `dsa`. */
  readonly kind: string
  /** The length of n, or of p. */
  readonly bits: number
  /** What is wrong with the numbers of the key, as far as this depth shows: stable names. */
  validate (options?: { depth?: 'ranges' | 'subgroup' | 'primes' } & Pick<AllOptions, 'threads' | 'timeout'>): string[]
  /** Why a valid signature may still be refused. */
  weaknesses (hash?: Hash): string[]
  /** How a list of signatures is verified. */
  explainVerdicts (scheme: Scheme, signed: Iterable<[Uint8Array, Uint8Array]>, options?: VerifyOptions): string
  /** Whether a signature is valid, and why it is not. */
  verdict (scheme: Scheme, message: Uint8Array, signature: Uint8Array, options?: VerifyOptions): Verdict
  verdictAsync (scheme: Scheme, message: Uint8Array, signature: Uint8Array, options?: VerifyOptions & Later): Promise<Verdict>
  /** Pairs of a message and its signature, which share their work. */
  verdicts (scheme: Scheme, signed: Iterable<[Uint8Array, Uint8Array]>, options?: VerifyOptions): Verdict[]
  verdictsAsync (scheme: Scheme, signed: Iterable<[Uint8Array, Uint8Array]>, options?: VerifyOptions & Later): Promise<Verdict[]>
  /** Frees the key, which otherwise happens when the object is collected. */
  close (): void
}

/** Whether a signature is valid. */
export function verify (key: PublicKey, scheme: Scheme, message: Uint8Array, signature: Uint8Array, options?: VerifyOptions): boolean
export function verifyAsync (
  key: PublicKey, scheme: Scheme, message: Uint8Array, signature: Uint8Array, options?: VerifyOptions & Later): Promise<boolean>
