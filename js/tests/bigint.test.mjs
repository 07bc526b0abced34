// Powers that WebAssembly hands to BigInt: the function itself, when it is used, and that nobody sees a difference.

import assert from 'node:assert/strict'
import test from 'node:test'
import { bitLength, engineName, expected, handed, power, pricesOf } from '../src/bigint.js'
import { ENGINES } from '../src/engine-prices.js'
import * as op from '../src/generated/operations.js'
import { BACKEND, Draw, pingala } from './common.mjs'

const { Modulus } = pingala

function loop (base, exponent, modulus) {
  let result = 1n % modulus
  base = ((base % modulus) + modulus) % modulus
  for (; exponent > 0n; exponent >>= 1n, base = base * base % modulus) if (exponent & 1n) result = result * base % modulus
  return result
}

test('powers by BigInt', () => {
  const draw = new Draw(7)
  for (let turn = 0; turn < 2000; turn++) {
    const [base, exponent, modulus] = [draw.number(300), draw.number(1 + turn % 300), draw.number(200) + 1n]
    const signed = turn % 3 === 0 ? -base : base
    assert.equal(power(signed, exponent, modulus), loop(signed, exponent, modulus), `${signed} ${exponent} ${modulus}`)
    assert.equal(bitLength(exponent), exponent === 0n ? 0 : exponent.toString(2).length)
  }
  assert.equal(power(0n, 0n, 1n), 0n)
  assert.equal(power(0n, 0n, 7n), 1n)
})

test('the prices know engines by name and version', () => {
  assert.deepEqual(engineName({ process: { versions: { v8: '11.3.244.8-node.38' } } }), ['V8', 11.3])
  assert.deepEqual(engineName({ navigator: { userAgent: 'Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36' } }), ['V8', 15.6])
  assert.deepEqual(engineName({ navigator: { userAgent: 'Mozilla/5.0 (X11; rv:155.0) Gecko/20100101 Firefox/155.0' } }), ['SpiderMonkey', 155])
  assert.equal(engineName({ navigator: { userAgent: 'Mozilla/5.0 Version/18.0 Safari/605.1.15' } }), null)
  assert.equal(engineName({}), null)
  assert.equal(pricesOf(null), null)
  assert.equal(pricesOf(['V8', 9]), null)
  assert.equal(pricesOf(['V8', 99]).version, Math.max(...ENGINES.filter(one => one.engine === 'V8').map(one => one.version)))
  for (const one of ENGINES) {
    assert.equal(pricesOf([one.engine, one.version]), one)
    one.rows.forEach((row, at) => {
      assert.ok(row.length === 4 && row.every(price => price >= 0) && row[0] > (one.rows[at - 1]?.[0] ?? 0), `${one.engine} ${row}`)
      assert.deepEqual(Object.keys(expected(one, row[0], 17)), ['bigint', 'module', 'call'])
    })
    // Numbers of 16 bits are for BigInt, those of 2,048 are not.
    for (const [bits, taken] of [[16, true], [2048, false]]) {
      const { bigint, module } = expected(one, bits, bits)
      assert.equal(bigint < module, taken, `${one.engine} ${one.version}: ${bits} bits`)
    }
  }
})

test('only powers of public bigints without factors are handed over', () => {
  const request = (numbers, more) => ({ operation: op.POWMOD, numbers: [numbers], ...more })
  assert.deepEqual(handed(request([3n, 4n, 35n])), { powers: [[3n, 4n, 35n]], list: false })
  assert.deepEqual(handed({ operation: op.MODULUS_POW, subject: { plain: 35n }, numbers: [[3n, 4n]] }), { powers: [[3n, 4n, 35n]], list: false })
  const long = (1n << 131072n) - 1n
  const two = [[3n, 4n, long], [5n, 4n, long]]
  assert.deepEqual(handed({ operation: op.LIST, numbers: [[3n, 5n], [4n], [long]] }), { powers: two, list: true })
  assert.deepEqual(handed({ operation: op.MODULUS_LIST, subject: { plain: long }, numbers: [[3n, 5n], [4n, 4n]] }), { powers: two, list: true })
  assert.notEqual(handed(request([3n, 65537n, long])), null)
  const others = [
    request([3n, -4n, 35n]), request([3n, 4n, 0n]), request([3n, 4n, -35n]), request([1n << 2000n, 4n, 35n]), request([3n, 1n << 60n, (1n << 2048n) - 1n]),
    request([3n, 4n, Uint8Array.of(35)]), request([3n, 255n, 35n], { settings: [0, 7] }), request([3n, 4n, 1n << (1n << 24n)]),
    { operation: op.LIST, numbers: [[], [], []] }, { operation: op.LIST, numbers: [[3n, 5n], [4n], [long, 0n]] }, { operation: op.LIST, numbers: [[3n], [4n, 5n], [long]] },
    { operation: op.LIST, numbers: [Array.from({ length: 2000 }, () => 3n), [3n], [(1n << (1n << 23n)) - 1n]] },
    { operation: op.MODULUS_LIST, subject: {}, numbers: [[3n, 5n], [4n]] }, { operation: op.MODULUS_POW, subject: {}, numbers: [[3n, 4n]] }, { operation: op.MODULUS_POW_SEC, subject: { plain: 35n }, numbers: [[3n, 4n]] }
  ]
  for (const [at, other] of others.entries()) assert.equal(handed(other), null, `${at}`)
})

test('powers that are handed over are as the others', async () => {
  const draw = new Draw(11)
  const long = (1n << 70001n) - 1n
  assert.equal(pingala.modPow(3n, 17n, long), 3n ** 17n % long)
  assert.deepEqual(new Modulus(long).powList([3n, 5n], 17n), [3n ** 17n, 5n ** 17n])
  for (let turn = 0; turn < 60; turn++) {
    const [base, exponent, modulus] = [draw.number(turn % 2 === 0 ? 40 : 150) - 5n, draw.number(1 + turn), draw.number(1 + 2 * turn) + 1n]
    const want = loop(base, exponent, modulus)
    const made = new Modulus(modulus)
    assert.equal(pingala.modPow(base, exponent, modulus), want)
    assert.equal(made.pow(base, exponent), want)
    assert.deepEqual(await Promise.all([pingala.modPowAsync(base, exponent, modulus), made.powAsync(base, exponent)]), [want, want])
    assert.deepEqual(made.powList([base, 2n, 3n], exponent), [base, 2n, 3n].map(one => loop(one, exponent, modulus)))
    assert.deepEqual(await pingala.modPowListAsync([base, 2n], [exponent, 3n], [modulus, 1n], { errors: 'return' }), [want, 0n])
    made.close()
    assert.throws(() => made.pow(base, exponent), { code: 'bad_argument' })
  }
  assert.throws(() => new Modulus(35n).pow(3n, 255n, { maxExponentBits: 7 }), { code: 'too_long' })
  await assert.rejects(pingala.modPowAsync(3n, 255n, 35n, undefined, { maxExponentBits: 7 }), { code: 'too_long' })
  assert.equal(new Modulus(35n, [5n, 7n]).pow(3n, 4n), 11n)
  assert.deepEqual(pingala.modPow(3n, 4n, Uint8Array.of(35)), Uint8Array.of(11))
})

test('explain says which of both computes a power', () => {
  const first = (...power) => pingala.explain(...power).split('\n')[0]
  if (BACKEND === 'native') {
    assert.doesNotMatch(first(3n, 17n, 35n), /BigInt/)
    return
  }
  assert.match(first(3n, 17n, 35n), /^BigInt computes this power: .* expected by BigInt, .* by a call of the module \(prices of V8 /)
  const module = pingala.explain(3n, 1n << 2000n, (1n << 2048n) - 1n)
  assert.match(module, /^Chosen: /)
  assert.match(module, /\nThe module computes this power: .* expected by BigInt, .*\n$/)
  assert.match(new Modulus((1n << 131072n) - 1n).explainList([3n, 5n], 17n), /^BigInt computes these powers/)
  assert.match(new Modulus((1n << 2048n) - 1n).explainList([3n, 5n], 17n), /^(?!BigInt)/)
  assert.doesNotMatch(first(3n, -17n, 35n), /BigInt/)
})
