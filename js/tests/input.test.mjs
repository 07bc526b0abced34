// Bad input: each gets its documented error, and the engine works on.

import assert from 'node:assert/strict'
import test from 'node:test'
import { BACKEND, codeOf, pingala, require } from './common.mjs'

const { FixedBase, Modulus, PublicKey } = pingala
const works = () => assert.equal(pingala.modPow(3n, 4n, 35n), 11n)

test('numbers that are no integers', () => {
  for (const bad of [NaN, Infinity, -Infinity, 0.5, 1e-300]) {
    for (const call of [() => pingala.modPow(bad, 1, 5), () => pingala.modPow(2, bad, 5), () => pingala.modPow(2, 1, bad), () => pingala.modInv(bad, 5),
      () => pingala.isPrime(bad), () => new Modulus(bad), () => pingala.modPowList([1, bad], 2, 3)]) {
      assert.throws(call, RangeError)
    }
  }
  for (const bad of ['5', null, undefined, {}, [5], true, Symbol('five'), () => 5, new Uint16Array(2), new DataView(new ArrayBuffer(8)), new ArrayBuffer(8)]) {
    for (const call of [() => pingala.modPow(bad, 1n, 5n), () => pingala.modPow(2n, bad, 5n), () => pingala.modPow(2n, 1n, bad), () => pingala.modInv(2n, bad),
      () => pingala.isPrime(bad), () => new Modulus(bad), () => pingala.modPowList([1n, bad], 2n, 3n), () => new FixedBase(bad, 5n, { exponentBits: 8 })]) {
      assert.throws(call, TypeError, typeof bad)
    }
  }
  works()
})

test('numbers that may have lost digits', () => {
  for (const bad of [2 ** 53, -(2 ** 53), 2 ** 53 + 2, Number('9007199254740997'), 2 ** 60, 1e21, Number.MAX_VALUE]) {
    for (const call of [() => pingala.modPow(bad, 1, 5), () => pingala.modPow(2, bad, 5), () => pingala.modPow(2, 1, bad),
      () => pingala.modPow(2n, 1n, bad, [[5n, 1n]]), () => pingala.modInv(bad, 5), () => pingala.modInv(2, bad), () => pingala.isPrime(bad),
      () => new Modulus(bad), () => pingala.modPowList([1, bad], 2, 3), () => pingala.modPowList([1], 2, [bad]), () => pingala.nextPrime(bad),
      () => pingala.jacobi(bad, 5n), () => new FixedBase(bad, 5n, { exponentBits: 8 }), () => new Modulus(5n).pow(2n, bad)]) {
      assert.throws(call, { code: 'bad_argument', message: /lose digits; write a bigint/ })
    }
  }
  const most = Number.MAX_SAFE_INTEGER
  assert.equal(pingala.modPow(most, 1, most), 0n)
  assert.equal(pingala.modPow(-most, 1, 2n ** 64n), 2n ** 64n - BigInt(most))
  assert.equal(pingala.isPrime(most), false)
  // What the refusal says to write gives the right answer.
  assert.equal(pingala.isPrime(9007199254740997n), true)
  works()
})

test('moduli that are 0 or negative', () => {
  for (const bad of [0, 0n, -1, -(2n ** 100n)]) {
    const code = bad == 0 ? 'zero_modulus' : 'negative_modulus' // eslint-disable-line eqeqeq
    assert.throws(() => pingala.modPow(2, 3, bad), { code, message: 'n must be > 0' })
    assert.throws(() => pingala.modInv(2, bad), { code, message: 'n must be > 0' })
    assert.throws(() => new Modulus(bad), { code })
    assert.throws(() => pingala.modPowList([2], 3, [bad]), { code, index: 0 })
    const [element] = pingala.modPowList([2], 3, [bad], { errors: 'return' })
    assert.equal(element.code, code)
  }
  assert.throws(() => pingala.modPow(2, 3, new Uint8Array(4)), { code: 'zero_modulus' })
  for (const length of [0, 1, 2]) assert.throws(() => new Modulus(new Uint8Array(length)), { code: 'zero_modulus' })
  assert.throws(() => pingala.modPow(2, 3, 35, 5), TypeError)
  works()
})

test('bytes that are detached or shared', () => {
  const detached = new Uint8Array([0, 0, 7])
  structuredClone(detached, { transfer: [detached.buffer] })
  const shared = new Uint8Array(new SharedArrayBuffer(4))
  shared[3] = 7
  const good = new Uint8Array([0, 35])
  for (const bad of [detached, shared]) {
    for (const call of [() => pingala.modPow(bad, 1n, good), () => pingala.modPow(3n, bad, good), () => pingala.modPow(3n, 1n, bad),
      () => pingala.powSec(bad, good, good), () => pingala.powSec(good, bad, good), () => pingala.powSec(good, good, bad), () => new Modulus(bad),
      () => pingala.modPowList([bad], 1n, 7n), () => FixedBase.fromBytes(bad), () => PublicKey.load(bad)]) {
      assert.throws(call, TypeError)
    }
  }
  // An empty one is 0, and what shares a buffer with others is read at its place.
  assert.deepEqual(pingala.modPow(new Uint8Array(), 0, good), new Uint8Array([1]))
  assert.deepEqual(pingala.modPow(new Uint8Array([9, 9, 3, 9]).subarray(2, 3), 4n, Buffer.from([0, 35])), new Uint8Array([11]))
  works()
})

test('Buffers, whose slices share memory', () => {
  const [n, p, q] = [Buffer.from([35]), Buffer.from('ffffffffffffffc5', 'hex'), Buffer.from('ffffffffffffffad', 'hex')]
  const modulus = new Modulus(n)
  n[0] = 36
  assert.deepEqual(modulus.value, new Uint8Array([35]))
  new Modulus(0xffffffffffffffc5n * 0xffffffffffffffadn, [p, q], { secret: true }).close()
  assert.deepEqual([p[0], q[0]], [255, 255])
})

test('numbers beyond the caps', () => {
  const long = 1n << 67_108_864n
  const bytes = new Uint8Array((1 << 23) + 1).fill(1)
  for (const call of [() => pingala.modPow(3n, long, 35n), () => pingala.modPow(long, 3n, 35n), () => pingala.modPow(3n, bytes, 35n),
    () => pingala.modPow(3n, 1n << 200n, (1n << 16_777_217n) + 1n), () => new Modulus((1n << 16_777_217n) + 1n),
    () => pingala.modPowList([3n], [300n], 35n, { maxExponentBits: 8 }), () => new Modulus(35n).pow(3n, 256n, { maxExponentBits: 8 })]) {
    assert.throws(call, { code: 'too_long' })
  }
  works()
})

test('settings', () => {
  for (const call of [() => pingala.modPowList([1], 2, 3, { error: 'return' }), () => pingala.modPowList([1], 2, 3, { errors: 'ignore' }),
    () => pingala.modPowList([1], 2, 3, { threads: 0 }), () => pingala.modPowList([1], 2, 3, { threads: 1.5 }),
    () => pingala.modPowList([1, 2], [1], 3), () => pingala.modPowProduct([1, 2], [1], 3), () => new FixedBase(3, 35n, {}),
    () => new FixedBase(3, 35n, { exponentBits: 0 }), () => pingala.randomPrime(), () => pingala.randomPrime(1), () => pingala.randomPrime(64, { topBits: 3 }),
    () => pingala.primePair(256, 'other'), () => pingala.primePair(256, 'safe', { publicExponent: 3 }), () => pingala.configure({ workers: 0 }),
    () => pingala.modPowList([1], 2, 3, { signal: new AbortController().signal })]) {
    assert.equal(codeOf(call), 'bad_argument', String(call))
  }
  for (const call of [() => pingala.modPowList(1, 2, 3), () => pingala.modPowList([1], 2, 3, { threads: '2' }), () => pingala.modPowList([1], 2, 3, 5),
    () => pingala.modPowExpList(3n, 5n, 7n), () => pingala.modPowProduct('12', [1, 2], 3)]) {
    assert.throws(call, TypeError, String(call))
  }
  assert.deepEqual(pingala.modPowList([], 2, 3), [])
  assert.equal(pingala.modPowProduct([], [], 35n), 1n)
  works()
})

test('objects that were closed, and wrong ones', () => {
  const modulus = new Modulus(35n)
  const fixed = new FixedBase(3n, modulus, { exponentBits: 16 })
  modulus.close()
  modulus.close()
  assert.throws(() => modulus.pow(3n, 4n), { code: 'bad_argument' })
  assert.equal(fixed.pow(4n), 11n)
  fixed.close()
  assert.throws(() => fixed.pow(4n), { code: 'bad_argument' })
  assert.throws(() => Modulus.prototype.pow.call({}, 3n, 4n), TypeError)
  works()
})

test('tables that are damaged or of another modulus', () => {
  const bytes = new FixedBase(3n, 35n, { exponentBits: 16 }).toBytes()
  for (const at of [0, 12, 70, bytes.length - 1]) {
    const damaged = bytes.slice()
    damaged[at] ^= 1
    assert.throws(() => FixedBase.fromBytes(damaged), { code: 'bad_file' })
    assert.throws(() => FixedBase.fromBytes(bytes.subarray(0, at)), { code: 'bad_file' })
  }
  assert.throws(() => FixedBase.fromBytes(bytes, { modulus: 37n }), { code: 'bad_file' })
  assert.throws(() => FixedBase.fromBytes(bytes, { base: 4n }), { code: 'bad_file' })
  assert.throws(() => FixedBase.fromBytes(bytes, { modulus: -35n }), { code: 'bad_argument' })
  assert.equal(FixedBase.fromBytes(bytes, { modulus: 35n, base: 38n, verify: true }).pow(4), 11n)
  works()
})

test('an inverse that does not exist, in every call', () => {
  const modulus = new Modulus(35n)
  for (const call of [() => pingala.modPow(5n, -1n, 35n), () => pingala.modInv(5n, 35n), () => modulus.pow(5n, -3n), () => modulus.inv(10n),
    () => modulus.powProduct([5n, 2n], [-1n, 3n]), () => pingala.modPow(5n, -1n, new Uint8Array([35]))]) {
    assert.throws(call, { code: 'not_invertible' })
  }
  assert.deepEqual(modulus.powList([2n, 5n, 3n], -1n, { errors: 'return' }).map(element => element.code ?? element), [18n, 'not_invertible', 12n])
  assert.throws(() => modulus.powList([2n, 5n, 3n], -1n), { code: 'not_invertible', index: 1 })
})

// The memory of the addon is that of the process.
if (BACKEND === 'wasm') test('memory that is exhausted inside the module', () => {
  const modulus = new Modulus((1n << 521n) - 1n)
  const fixed = new FixedBase(3n, modulus, { exponentBits: 128 })
  const before = [modulus.pow(3n, 1000n), fixed.pow(1000n)]
  // A module has 4 GiB at most: rows of 8 MiB each fill them.
  const long = new Uint8Array(1 << 23).fill(255)
  const list = Array.from({ length: 600 }, () => long)
  assert.throws(() => pingala.modPowList(list, 3n, 35n), error => error instanceof RangeError && /memory|length|allocation/i.test(error.message))
  works()
  assert.deepEqual([modulus.pow(3n, 1000n), fixed.pow(1000n)], before)
  assert.equal(pingala.backend(), 'wasm')
})


test('arrays whose bytes are gone are refused, not read as 0', () => {
  const gone = []
  const detached = new Uint8Array([3])
  structuredClone(detached, { transfer: [detached.buffer] })
  gone.push(detached)
  if (ArrayBuffer.prototype.resize !== undefined) {
    const buffer = new ArrayBuffer(8, { maxByteLength: 16 })
    const outside = new Uint8Array(buffer, 4, 4)
    const beyond = new Uint8Array(buffer, 6)
    buffer.resize(2)
    gone.push(outside, beyond)
  }
  const modulus = new Modulus(35n)
  for (const value of gone) {
    for (const call of [() => pingala.modPow(value, 3n, 35n), () => pingala.modPow(3n, value, 35n), () => modulus.powList([3n, value], 2n),
      () => pingala.powSec(new Uint8Array([3]), value, new Uint8Array([35])), () => pingala.isPrime(value)]) {
      assert.throws(call, { name: 'TypeError', message: /detached/ }, String(call))
    }
  }
  // A getter of the options runs after the numbers were looked at.
  const later = new Uint8Array([4])
  const options = { get threads () { structuredClone(later, { transfer: [later.buffer] }); return 1 } }
  assert.throws(() => pingala.powSec(new Uint8Array([3]), later, new Uint8Array([35]), options), TypeError)
  assert.deepEqual(pingala.modPow(new Uint8Array(0), 3n, 35n), 0n)
  works()
})

test('numbers and results that take too much memory are an error', () => {
  const long = 1n << (1n << 24n) | 1n
  // 600 times 2 MB.
  const often = Array.from({ length: 600 }, () => long)
  assert.throws(() => pingala.modPowList(often, 2n, 35n), { code: 'bad_argument', message: /memory/ })
  assert.throws(() => pingala.modPowProduct(often, often, 35n), { code: 'bad_argument', message: /memory/ })
  const small = Array.from({ length: 10_000 }, (_, at) => BigInt(at))
  assert.throws(() => new Modulus((1n << 2_000_000n) | 1n).powList(small, 3n), { code: 'bad_argument', message: /memory/ })
  works()
})
