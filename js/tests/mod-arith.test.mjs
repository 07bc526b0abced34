// modPow and modInv are those of bigint-mod-arith 3: results, types of errors and their sentences.

import assert from 'node:assert/strict'
import test from 'node:test'
import { Draw, pingala, require } from './common.mjs'

let theirs = null
try {
  theirs = require('bigint-mod-arith')
} catch {}

/** The value, or the type and the sentence of the error. */
function told (call) {
  try {
    return call()
  } catch (error) {
    assert.ok(error instanceof Error)
    const type = error instanceof RangeError ? 'RangeError' : error instanceof TypeError ? 'TypeError' : error.name
    return type === 'TypeError' ? type : `${type}: ${error.message}`
  }
}

/** Arguments of their types; they compute something with some others, and ours refuse all others. */
const typed = (...values) => values.every(value => typeof value === 'bigint' || (typeof value === 'number' && !isLossy(value)))

/** Numbers that may have lost digits, which ours refuse. */
const isLossy = value => Number.isInteger(value) && !Number.isSafeInteger(value)

const VALUES = [0, 1, 2, 3, 6, 9, 35, -1, -4, 0n, 1n, 5n, -7n, 12n, 2n ** 64n, -(2n ** 70n), 2 ** 60, NaN, 0.5, Infinity, '3', null, undefined]

test('powers', { skip: theirs === null && 'bigint-mod-arith is not installed' }, () => {
  for (const n of VALUES) {
    for (const b of VALUES) {
      for (const e of VALUES) {
        if (typeof e === 'bigint' && (e > 2n ** 65n || e < -(2n ** 65n)) && n === undefined) continue
        const label = `modPow(${String(b)}, ${String(e)}, ${String(n)}) of types ${typeof b}, ${typeof e}, ${typeof n}`
        const ours = told(() => pingala.modPow(b, e, n))
        if (typed(b, e, n)) assert.deepEqual(ours, told(() => theirs.modPow(b, e, n)), label)
        else assert.match(ours, /^(TypeError$|RangeError: .*(BigInt|n must|lose digits))/, label)
      }
    }
  }
})

test('inverses', { skip: theirs === null && 'bigint-mod-arith is not installed' }, () => {
  for (const n of VALUES) {
    for (const a of VALUES) {
      const ours = told(() => pingala.modInv(a, n))
      if (!typed(a, n)) assert.match(ours, /^(TypeError$|RangeError: .*(BigInt|n must|lose digits))/)
      else assert.deepEqual(ours, told(() => theirs.modInv(a, n)), `modInv(${String(a)}, ${String(n)}) of types ${typeof a}, ${typeof n}`)
    }
  }
})

test('known factors', { skip: theirs === null && 'bigint-mod-arith is not installed' }, () => {
  const draw = new Draw(3)
  const primes = [3n, 5n, 7n, 13n, 65537n, 2n ** 61n - 1n, 2n ** 89n - 1n]
  for (let round = 0; round < 300; round++) {
    const factors = primes.filter(() => draw.below(2) === 0).map(prime => [prime, BigInt(1 + draw.below(3))])
    if (factors.length === 0) continue
    const n = factors.reduce((product, [prime, power]) => product * prime ** power, 1n)
    const forms = [
      factors,
      factors.map(([prime, power]) => power === 1n ? prime : [prime, Number(power)]),
      factors.flatMap(([prime, power]) => Array.from({ length: Number(power) }, () => prime))
    ]
    const b = draw.number(100)
    const e = draw.number(90) - 2n ** 88n
    // With a base that shares a factor with n theirs is wrong: it reduces the exponent all the same.
    if (factors.some(([prime]) => b % prime === 0n)) continue
    for (const form of forms) {
      assert.equal(pingala.modPow(b, e, n, form), theirs.modPow(b, e, n, form))
      assert.equal(pingala.modPow(b, e, n, form), pingala.modPow(b, e, n))
    }
  }
})

test('a base that shares a factor with the modulus, and factors that are wrong', () => {
  assert.equal(pingala.modPow(5n, 4n, 35n, [5n, 7n]), 30n)
  for (const [factors, code] of [[[5n, 5n], 'wrong_factors'], [[[5n, 0]], 'wrong_factors'], [[5n], 'wrong_factors']]) {
    assert.throws(() => pingala.modPow(3n, 4n, 35n, factors), { code })
  }
  assert.throws(() => pingala.modPow(3n, 4n, 35n, 'five'), TypeError)
  assert.throws(() => pingala.modPow(3n, 4n, 35n, [5.5, 7]), RangeError)
})
