// Powers by BigInt, for the lengths at which it takes less time than the module for WebAssembly: public numbers only. The prices of
// engine-prices.js say when.

import * as op from './generated/operations.js'
import { ENGINES } from './engine-prices.js'
import { MOST_BYTES, TIMEOUT } from './number.js'

/** base^exponent mod modulus for exponent >= 0, modulus >= 1: windows over the odd powers of the base, from the highest bit down. */
export function power (base, exponent, modulus) {
  if (exponent === 0n) return 1n % modulus
  base %= modulus
  if (base < 0n) base += modulus
  const text = exponent.toString(2)
  const most = windowBits(text.length)
  const odd = [base]
  if (most > 1) {
    const square = base * base % modulus
    for (let at = 1; at < 1 << (most - 1); at++) odd.push(odd[at - 1] * square % modulus)
  }
  let result
  for (let at = 0; at < text.length;) {
    if (text[at] === '0') {
      result = result * result % modulus
      at += 1
      continue
    }
    let end = Math.min(text.length, at + most)
    while (text[end - 1] === '0') end -= 1
    const value = odd[parseInt(text.slice(at, end), 2) >> 1]
    if (result === undefined) {
      result = value
    } else {
      for (let bit = at; bit < end; bit++) result = result * result % modulus
      result = result * value % modulus
    }
    at = end
  }
  return result
}

/** The width of a window for an exponent of so many bits. */
function windowBits (bits) {
  return bits < 24 ? 1 : bits < 80 ? 3 : bits < 240 ? 4 : 5
}

/** The products and squares of `power`, about. */
export function products (exponentBits) {
  const most = windowBits(exponentBits)
  return exponentBits + (most > 1 ? exponentBits / (most + 1) + 2 ** (most - 1) : exponentBits / 2)
}

/** The bits of a number that is not negative. */
export function bitLength (value) {
  const text = value.toString(16)
  return 4 * text.length - Math.clz32(parseInt(text[0], 16)) + 28
}

/** The engine of JavaScript as the prices name it: V8 or SpiderMonkey, and its version; null for others. */
export function engineName (global = globalThis) {
  const { v8 } = global.process?.versions ?? {}
  if (v8 !== undefined) return ['V8', parseFloat(v8)]
  const agent = global.navigator?.userAgent ?? ''
  const chrome = agent.match(/\bChrome\/(\d+)/)
  if (chrome !== null) return ['V8', Number(chrome[1]) / 10]
  const firefox = agent.match(/\bFirefox\/(\d+)/)
  return firefox === null ? null : ['SpiderMonkey', Number(firefox[1])]
}

/** The prices of the newest measured version that is not newer than this engine; null for engines that nobody measured. */
export function pricesOf (name) {
  if (name === null) return null
  const own = ENGINES.filter(({ engine, version }) => engine === name[0] && version <= name[1])
  return own.length === 0 ? null : own.reduce((best, one) => one.version > best.version ? one : best)
}

/**
 * What a power takes, in microseconds: `bigint`, and `module` with its `call`. Prices between two lengths are interpolated; beyond the longest one they grow as
 * squares do.
 */
export function expected ({ rows }, modulusBits, exponentBits) {
  const next = rows.findIndex(([bits]) => bits >= modulusBits)
  let row
  if (next <= 0) {
    row = rows[next === 0 ? 0 : rows.length - 1]
    const longer = next < 0 ? (modulusBits / row[0]) ** 2 : 1
    row = row.map(price => price * longer)
  } else {
    const [low, high] = [rows[next - 1], rows[next]]
    const part = (modulusBits - low[0]) / (high[0] - low[0])
    row = low.map((price, at) => price + part * (high[at] - price))
  }
  const [, ofBigint, ofModule, call] = row
  const count = products(exponentBits)
  return { bigint: count * ofBigint, module: call + count * ofModule, call }
}

/** The longest modulus of the library, and the longest exponent. */
const [MODULUS_BITS, EXPONENT_BITS] = [1 << 24, 1 << 26]

/** How many times cheaper BigInt must be: prices of two runs differ by about as much (docs/records/wasm.md). */
const MARGIN = 1.2

let prices

/**
 * Base, exponent and modulus of each power of a request that BigInt takes, and `list`, whether it is one of lists. BigInt takes powers by public
 * bigints, without factors, where it is cheaper by the prices of this engine. None for other requests, and where the module has an error to say.
 */
export function handed ({ operation, subject, numbers, settings, texts = [] }) {
  // A kernel or a plan is the module's, and BigInt cannot be stopped.
  if (texts.length > 0 || settings?.[TIMEOUT] > 0) return null
  const list = operation === op.LIST || operation === op.MODULUS_LIST
  const own = operation === op.MODULUS_POW || operation === op.MODULUS_LIST
  if (!list && operation !== op.POWMOD && operation !== op.MODULUS_POW) return null
  if (own && subject.plain === undefined) return null
  const [bases, exponents, moduli] = list ? [...numbers, [subject?.plain]] : numbers[0].concat(own ? [subject.plain] : []).map(one => [one])
  // The module shares the squarings of one base.
  if (bases.length === 0 || (bases.length === 1 && exponents.length > 1)) return null
  const most = settings?.[1] || EXPONENT_BITS
  const longest = settings?.[3] || MODULUS_BITS
  const powers = bases.map((base, at) => [base, exponents[exponents.length === 1 ? 0 : at], moduli[moduli.length === 1 ? 0 : at]])
  const all = powers.every(power => power.every(one => typeof one === 'bigint') && bitLength(power[2]) <= longest && takes(...power, most, list))
  // Of results that take too much memory the module says so.
  return all && powers.reduce((bytes, [, , modulus]) => bytes + bitLength(modulus) / 8, 0) <= MOST_BYTES ? { powers, list } : null
}

/** The answer to what was handed over. */
export function answered ({ powers, list }) {
  return list ? powers.map(one => power(...one)) : power(...powers[0])
}

/** Whether BigInt takes a power; `most` is the length in bits that an exponent may have, and in a list a call costs nothing. */
export function takes (base, exponent, modulus, most = EXPONENT_BITS, list = false) {
  if (prices === undefined) prices = pricesOf(engineName())
  if (prices === null || exponent < 0n || modulus <= 0n) return false
  const [modulusBits, exponentBits] = [bitLength(modulus), bitLength(exponent)]
  if (exponentBits > most || modulusBits > MODULUS_BITS) return false
  const times = expected(prices, modulusBits, exponentBits)
  if (times.bigint * MARGIN >= times.module - (list ? times.call : 0)) return false
  // A far longer base is the module's.
  return (base < modulus && base >= 0n) || (base < 0n ? -base : base) >> 64n < modulus
}

/**
 * The explanation of a power with a line on BigInt: the first one if BigInt computes the power, otherwise the last one. Nothing is said where nobody
 * measured the engine.
 */
export function explained (text, base, exponent, modulus) {
  const known = pricesOf(engineName())
  if (known === null || [base, exponent, modulus].some(one => typeof one !== 'bigint') || exponent < 0n) return text
  const { bigint, module } = expected(known, bitLength(modulus), bitLength(exponent))
  const shown = us => us < 1000 ? `${us.toPrecision(2)} us` : `${(us / 1000).toPrecision(3)} ms`
  const both = `${shown(bigint)} expected by BigInt, ${shown(module)} by a call of the module (prices of ${known.engine} ${known.version})`
  if (takes(base, exponent, modulus)) return `BigInt computes this power: ${both}\n${text}`
  return `${text.trimEnd()}\n\nThe module computes this power: ${both}\n`
}
