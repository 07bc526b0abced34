// Random and extreme calls beside BigInt: 100,000 on each backend (PINGALA_CASES for another number).

import assert from 'node:assert/strict'
import test from 'node:test'
import { Draw, fromBytes, gcd, oracle, pingala, toBytes } from './common.mjs'

const CASES = Number(process.env.PINGALA_CASES ?? 100_000)

/** Most cases are short: those are where sizes, signs and trivial values meet, and BigInt is not slow there. */
function bits (draw) {
  const kind = draw.below(400)
  if (kind === 0) return 1 + draw.below(2100)
  if (kind < 40) return 1 + draw.below(300)
  return draw.below(80)
}

function signed (draw, value) {
  return draw.below(8) === 0 ? -value : value
}

/** A number if it fits, sometimes. */
function either (draw, value) {
  return draw.below(3) === 0 && value > -(2n ** 53n) && value < 2n ** 53n ? Number(value) : value
}

test(`${CASES} powers and inverses are those of BigInt`, () => {
  const draw = new Draw(20261128)
  for (let round = 0; round < CASES; round++) {
    const size = bits(draw)
    const modulus = draw.number(size) + 1n
    const base = signed(draw, draw.number(bits(draw)))
    const exponent = signed(draw, draw.number(Math.min(bits(draw), size + 70)))
    const invertible = gcd(base, modulus) === 1n
    const label = () => `${base}^${exponent} mod ${modulus}`
    let power
    try {
      power = pingala.modPow(either(draw, base), either(draw, exponent), either(draw, modulus))
    } catch (error) {
      assert.equal(error.code, 'not_invertible', label())
      assert.ok(exponent < 0n && !invertible && modulus > 1n, label())
      continue
    }
    if (exponent >= 0n) {
      assert.equal(power, oracle(base, exponent, modulus), label())
    } else if (modulus > 1n) {
      assert.ok(invertible, label())
      assert.equal(power * oracle(base, -exponent, modulus) % modulus, 1n, label())
    } else {
      assert.equal(power, 0n)
    }
    if (round % 8 === 0 && exponent >= 0n && base >= 0n) {
      const given = [base, exponent, modulus].map(value => toBytes(value, draw.below(3)))
      const answer = pingala.modPow(...given)
      assert.equal(fromBytes(answer), power, label())
      assert.equal(answer.length, toBytes(modulus).length, label())
    }
    if (round % 8 === 1 && modulus > 1n && invertible) {
      const inverse = pingala.modInv(base, modulus)
      assert.equal((inverse * base % modulus + modulus) % modulus, 1n, label())
    }
  }
})

test('numbers of every length cross the border and come back', () => {
  const draw = new Draw(7)
  for (let size = 1; size <= 2300; size++) {
    const modulus = (1n << BigInt(size)) + draw.number(size)
    for (const value of [modulus - 1n, draw.number(size), 1n << BigInt(size - 1), (1n << BigInt(size)) - 1n]) {
      assert.equal(pingala.modPow(value, 1n, modulus), value % modulus)
      assert.equal(pingala.modPow(-value, 1n, modulus), (modulus - value % modulus) % modulus)
    }
  }
  for (const size of [4096, 65_535, 65_536, 65_537, 300_000]) {
    const modulus = (1n << BigInt(size)) + draw.number(size)
    const value = draw.number(size)
    assert.equal(pingala.modPow(value, 1n, modulus), value)
    assert.equal(fromBytes(pingala.modPow(toBytes(value), 1, toBytes(modulus)).subarray(-8)), value % (1n << 64n))
  }
})

test('lists and products are those of single powers', () => {
  const draw = new Draw(99)
  for (let round = 0; round < 300; round++) {
    const count = draw.below(12)
    const modulus = draw.number(1 + draw.below(200)) + 1n
    const bases = Array.from({ length: count }, () => signed(draw, draw.number(draw.below(220))))
    const exponents = Array.from({ length: count }, () => signed(draw, draw.number(draw.below(100))))
    const moduli = bases.map(() => draw.number(1 + draw.below(90)))
    const one = (call) => {
      try {
        return call()
      } catch (error) {
        return error.code
      }
    }
    const codes = list => list.map(element => element.code ?? element)
    const pow = (b, e, n) => one(() => n === 1n ? 0n : pingala.modPow(b, e, n))
    const expected = bases.map((base, at) => pow(base, exponents[at], modulus))
    assert.deepEqual(codes(pingala.modPowList(bases, exponents, modulus, { errors: 'return' })), expected)
    const handle = new pingala.Modulus(modulus)
    assert.deepEqual(codes(handle.powList(bases, exponents, { errors: 'return' })), expected)
    assert.deepEqual(codes(pingala.modPowList(bases, 5n, moduli, { errors: 'return' })), bases.map((base, at) => pow(base, 5n, moduli[at])))
    assert.deepEqual(codes(pingala.modPowExpList(3n, exponents, modulus, { errors: 'return' })), exponents.map(e => pow(3n, e, modulus)))
    const product = expected.reduce((all, power) => typeof power === 'string' || typeof all === 'string' ? 'not_invertible' : all * power % modulus, 1n % modulus)
    assert.deepEqual(one(() => handle.powProduct(bases, exponents)), product)
    handle.close()
  }
})
