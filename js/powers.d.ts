/**
 * The types of `pingala/powers`: powers and inverses by numbers, in a small module. In Node the file has everything that `pingala` has; in browsers what
 * is not here is an error of the code `bad_argument`.
 */

import type { AllOptions, Factor, Integer, Later, Residue } from './index'

export { PingalaError, backend, closeWorkers, configure, init, kernelName, version } from './index'
export type { ErrorCode, Factor, Integer, Later, Residue } from './index'

/** Settings of powers; a kernel or a plan needs the module of `pingala`. */
export type PowerOptions = Pick<AllOptions, 'threads' | 'maxExponentBits' | 'maxModulusBits' | 'timeout'>

/** b^e mod n, as bigint-mod-arith has it. */
export function modPow<N extends Integer> (b: Integer, e: Integer, n: N, factors?: Factor[], options?: PowerOptions): Residue<N>
export function modPowAsync<N extends Integer> (b: Integer, e: Integer, n: N, factors?: Factor[], options?: PowerOptions & Later): Promise<Residue<N>>
/** The inverse of a modulo n, as bigint-mod-arith has it. */
export function modInv<N extends Integer> (a: Integer, n: N, options?: PowerOptions): Residue<N>
export function modInvAsync<N extends Integer> (a: Integer, n: N, options?: PowerOptions & Later): Promise<Residue<N>>

/** A modulus m >= 1 that is prepared once, for many calls. */
export class Modulus<N extends Integer = Integer> {
  constructor (modulus: N, factors?: Factor[], options?: Pick<AllOptions, 'maxModulusBits'>)
  readonly value: Residue<N> | N
  pow (base: Integer, exponent: Integer, options?: PowerOptions): Residue<N>
  powAsync (base: Integer, exponent: Integer, options?: PowerOptions & Later): Promise<Residue<N>>
  inv (value: Integer, options?: Pick<AllOptions, 'threads'>): Residue<N>
  invAsync (value: Integer, options?: Pick<AllOptions, 'threads'> & Later): Promise<Residue<N>>
  close (): void
}
