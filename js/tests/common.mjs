// What the tests share: the package as it is built, an oracle, random numbers that can be drawn again.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { ADDON, PACKAGE, ROOT } from './paths.mjs'

export * from './paths.mjs'
// run.mjs says which backend a run of the tests is for.
export const BACKEND = process.env.PINGALA_BACKEND ?? 'wasm'
if (BACKEND === 'native') process.env.PINGALA_ADDON ??= ADDON
process.env.PINGALA_BACKEND = BACKEND

export const require = createRequire(import.meta.url)
export const pingala = require(join(PACKAGE, 'dist/index.cjs'))

export function text (path) {
  return readFileSync(resolve(ROOT, path), 'utf8')
}

/** Square and multiply, from the left. */
export function oracle (base, exponent, modulus) {
  let result = 1n % modulus
  const reduced = ((base % modulus) + modulus) % modulus
  for (const bit of exponent.toString(2)) {
    result = result * result % modulus
    if (bit === '1') result = result * reduced % modulus
  }
  return result
}

export function gcd (a, b) {
  while (b !== 0n) [a, b] = [b, a % b]
  return a < 0n ? -a : a
}

/** Numbers of 32 bits from a seed: xorshift, which is good enough for tests. */
export class Draw {
  constructor (seed) {
    this.state = seed >>> 0 || 1
  }

  word () {
    let x = this.state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.state = x >>> 0
    return this.state
  }

  below (limit) {
    return this.word() % limit
  }

  /** A bigint of up to `bits` bits: random, or with long runs of ones and zeros. */
  number (bits) {
    if (bits === 0) return 0n
    let value = 0n
    const runs = this.below(3) === 0
    for (let left = bits; left > 0; left -= 32) {
      const word = runs ? (this.below(2) ? 0xffffffff : 0) : this.word()
      value = value << 32n | BigInt(word)
    }
    return BigInt.asUintN(bits, value)
  }
}

/** A bigint as bytes, the highest first, with zeros in front. */
export function toBytes (value, zeros = 0) {
  let digits = value.toString(16)
  if (digits.length % 2 === 1) digits = '0' + digits
  const bytes = Uint8Array.from(digits.match(/../g), pair => parseInt(pair, 16))
  const all = new Uint8Array(zeros + bytes.length)
  all.set(bytes, zeros)
  return all
}

export function fromBytes (bytes) {
  return bytes.reduce((value, byte) => value << 8n | BigInt(byte), 0n)
}

/** The code of the error that a call throws. */
export function codeOf (call) {
  try {
    call()
  } catch (error) {
    return error.code ?? error.name
  }
  return 'no error'
}
