// Powers, inverses, lists and products by numbers. modPow and modInv are those of bigint-mod-arith 3.

import { OPTIONS } from './generated/calls.js'
import * as op from './generated/operations.js'
import { columns, forms, policy, readOptions, settings, texts } from './call.js'
import { engine, hasCode } from './engine.js'
import { PingalaError, badArgument } from './errors.js'
import { Modulus, modulusOfCall, owned } from './modulus.js'
import { fromNumber, integer, integers, isBytes } from './number.js'

/** The errors of bigint-mod-arith, which callers may compare. */
const POSITIVE = 'n must be > 0'
const BOTH_POSITIVE = 'a and b MUST be > 0'

function positive (n) {
  if (n <= 0n) throw new PingalaError(n === 0n ? 'zero_modulus' : 'negative_modulus', POSITIVE)
}

function notInvertible (value, reduced, n) {
  return new PingalaError('not_invertible', reduced === 0n
    ? BOTH_POSITIVE
    : `${value} does not have inverse modulo ${n}`)
}

/** The sentence of bigint-mod-arith for a power of an inverse that does not exist. */
function failedPower (b, e, n) {
  return error => {
    if (!hasCode(error, 'not_invertible') || typeof b !== 'bigint' || typeof e !== 'bigint' || typeof n !== 'bigint') return error
    const power = modPow(b, -e, n)
    return notInvertible(power, power, n)
  }
}

function failedInverse (value, given, a, n) {
  return error => {
    if (!hasCode(error, 'not_invertible') || typeof a !== 'bigint' || typeof n !== 'bigint') return error
    return notInvertible(value, a % n, given)
  }
}

const [powNow, powLater] = forms((extra, b, e, n, factors, given) => {
  const { read, later } = readOptions(given, OPTIONS.powmod, extra)
  ;[b, e, n] = [integer(b, 'base'), integer(e, 'exponent'), integer(n, 'modulus')]
  if (typeof n === 'bigint') positive(n)
  const failed = failedPower(b, e, n)
  if (factors !== undefined && !(Array.isArray(factors) && factors.length === 0) && n !== 1n) {
    const own = modulusOfCall(extra, n, factors, given)
    const request = { operation: op.MODULUS_POW, subject: own.resource, numbers: [[b, e]], settings: settings(read), texts: texts(read), asBytes: isBytes(n) }
    return { request, later, failed, own }
  }
  const request = { operation: op.POWMOD, numbers: [[b, e, n]], settings: settings(read), texts: texts(read), asBytes: isBytes(n) }
  // Modulo 1 every power is 0, of a base without an inverse too.
  if (n === 1n) request.numbers = [[0n, 0n, 1n]]
  return { request, later, failed }
})

/** b^e mod n, as bigint-mod-arith has it; a Uint8Array if n is one. */
export function modPow (b, e, n, factors, given) {
  if (factors === undefined && given === undefined && typeof n !== 'object') {
    if (typeof b === 'number') b = fromNumber(b, 'base')
    if (typeof e === 'number') e = fromNumber(e, 'exponent')
    if (typeof n === 'number') n = fromNumber(n, 'modulus')
    if (typeof b === 'bigint' && typeof e === 'bigint' && typeof n === 'bigint') {
      if (n <= 0n) positive(n)
      if (n === 1n) return 0n
      try {
        return engine().pow(b, e, n, op.POWMOD)
      } catch (error) {
        throw failedPower(b, e, n)(error)
      }
    }
  }
  return powNow(b, e, n, factors, given)
}

/** The same, computed elsewhere. */
export function modPowAsync (b, e, n, factors, given) {
  return powLater(b, e, n, factors, given)
}

const [invert, invertLater] = forms((extra, value, n, given) => {
  const { read, later } = readOptions(given, OPTIONS.invert, extra)
  const [a, m] = [integer(value, 'value'), integer(n, 'modulus')]
  if (typeof m === 'bigint') {
    positive(m)
    // There bigint-mod-arith finds an inverse of nothing, as its gcd takes no 0.
    if (m === 1n) throw notInvertible(value, 0n, m)
  }
  const request = { operation: op.INVERT, numbers: [[a, m]], settings: settings(read), asBytes: isBytes(m) }
  return { request, later, failed: failedInverse(value, n, a, m) }
})

/** The inverse of a modulo n, as bigint-mod-arith has it; a Uint8Array if n is one. */
export function modInv (a, n, given) {
  return invert(a, n, given)
}

/** The same, computed elsewhere. */
export const modInvAsync = (a, n, given) => invertLater(a, n, given)

/** bases[i]^exponents[i] mod moduli[i]; one integer stands for all of its list. Results are Uint8Arrays if the moduli are. */
export const [modPowList, modPowListAsync] = forms((extra, bases, exponents, moduli, given) => {
  const { read, later } = readOptions(given, OPTIONS.pow_list, extra)
  if (moduli instanceof Modulus) return moduli.preparedList(extra, bases, exponents, given)
  const { count, lists } = columns([bases, 'bases'], [exponents, 'exponents'], [moduli, 'moduli'])
  const request = { operation: op.LIST, numbers: lists, settings: settings(read, count), texts: texts(read), asBytes: allBytes(lists[2], 'moduli') }
  return { request, later, finish: policy(read), split: { count, at: request.settings.length - 1 } }
})

/** Whether all are Uint8Arrays; error if only some are. */
function allBytes (values, what) {
  const some = values.filter(isBytes).length
  if (some !== 0 && some !== values.length) throw badArgument(`${what} are Uint8Arrays and numbers`)
  return some > 0
}

/** base^exponents[i] mod modulus. */
export const [modPowExpList, modPowExpListAsync] = forms((extra, base, exponents, modulus, given) =>
  owned(extra, modulus, modulus => modulus.preparedList(extra, integer(base, 'base'), integers(exponents, 'exponents'), given), given))

/** How the engine computes b^e mod n, and what that is expected to take: text. */
export const [explain, explainAsync] = forms((extra, b, e, n, given) =>
  owned(extra, n, modulus => modulus.preparedExplanation(extra, b, e, given), given))
