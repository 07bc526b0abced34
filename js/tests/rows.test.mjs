// Calls and options that border/ describes: options of every call, refusals, both forms of a call.

import assert from 'node:assert/strict'
import test from 'node:test'
import { CALLS, OPTIONS } from '../src/generated/calls.js'
import { codeOf, fromBytes, oracle, pingala, text, toBytes } from './common.mjs'

const { FixedBase, Modulus } = pingala
const M = 2n ** 521n - 1n
const [B, E] = [3n ** 300n, 7n ** 150n]

test('every row has its methods and functions, in both forms', () => {
  for (const { names } of CALLS) {
    for (const name of names) {
      const [owner, method] = name.split('.')
      const found = method === undefined ? pingala : pingala[owner].prototype
      for (const form of [method ?? owner, `${method ?? owner}Async`]) assert.equal(typeof found[form], 'function', form)
    }
  }
})

test('kernels and plans', () => {
  const want = oracle(B, E, M)
  const modulus = new Modulus(M)
  const kernel = 'portable_r64'
  for (const given of [{ kernel }, { plan: 'sliding_window(w=3)' }, { kernel, plan: 'binary_left_to_right' }]) {
    assert.equal(modulus.pow(B, E, given), want)
    assert.equal(pingala.modPow(B, E, M, undefined, given), want)
    assert.deepEqual(modulus.powList([B, B], E, given), [want, want])
    assert.match(modulus.explain(B, E, given), new RegExp(given.kernel ?? 'sliding_window'))
  }
  assert.match(modulus.explain(B, E, { kernel, plan: 'binary_left_to_right' }), /binary_left_to_right/)
  assert.equal(modulus.powProduct([B, 5n], [E, 2n], { kernel }), want * 25n % M)
  assert.deepEqual(modulus.mulList([B], 5n, { kernel }), [B * 5n % M])
  for (const bad of [{ kernel: 'no_such_kernel' }, { plan: 'no_such_plan' }, { plan: 'sliding_window(w=0)' }]) {
    assert.throws(() => modulus.pow(B, E, bad), { code: 'bad_plan' })
    assert.throws(() => modulus.powList([B], [E], bad), { code: 'bad_plan' })
  }
  assert.throws(() => modulus.pow(B, E, { kernel: 5 }), TypeError)
  assert.throws(() => modulus.mulList([B], 5n, { plan: 'binary_left_to_right' }), { code: 'bad_argument' })
})

test('caps', () => {
  const long = 2n ** 200n + 9n
  assert.equal(codeOf(() => pingala.modPow(3n, 5n, long, undefined, { maxModulusBits: 200 })), 'too_long')
  assert.equal(pingala.modPow(3n, 5n, long, undefined, { maxModulusBits: 201 }), 243n)
  assert.equal(codeOf(() => new Modulus(long, [], { maxModulusBits: 200 })), 'too_long')
  assert.equal(codeOf(() => pingala.modInv(3n, long, { maxModulusBits: 200 })), 'too_long')
  assert.equal(codeOf(() => pingala.modPowExpList(3n, [5n], long, { maxModulusBits: 200 })), 'too_long')
  assert.equal(codeOf(() => pingala.modPowList([3n], [5n], [long], { maxModulusBits: 200 })), 'too_long')
  assert.equal(codeOf(() => pingala.nextPrime(long, { maxModulusBits: 200 })), 'too_long')
  assert.equal(codeOf(() => pingala.isPrime(long, { maxModulusBits: 200 })), 'too_long')
  assert.equal(codeOf(() => pingala.modPow(3n, 2n ** 100n, 7n, undefined, { maxExponentBits: 100 })), 'too_long')
  assert.equal(codeOf(() => pingala.modPowExpList(3n, [E, E + 2n, E + 4n], M, { memory: 1 })), 'no error')
})

test('time-outs', async () => {
  // Hours of work, on any machine.
  const modulus = new Modulus(2n ** 4423n - 1n)
  const endless = Number.MAX_SAFE_INTEGER
  for (const call of [
    () => modulus.square(3n, endless, { timeout: 1 }),
    () => modulus.pow(3n, 2n ** (2n ** 25n), { timeout: 1 }),
    () => modulus.powList([3n, 5n], 2n ** (2n ** 25n), { timeout: 1 }),
    () => pingala.modPow(3n, 2n ** (2n ** 25n), modulus.value, undefined, { timeout: 1 }),
    () => pingala.randomPrime(100000, { safe: true, timeout: 1 })
  ]) {
    assert.throws(call, { code: 'interrupted' })
  }
  await assert.rejects(modulus.squareAsync(3n, endless, { timeout: 1 }), { code: 'interrupted' })
  assert.equal(modulus.square(3n, 5, { timeout: 1e12 }), 3n ** 32n)
  for (const bad of [0, -1, 0.5, NaN]) assert.throws(() => modulus.square(3n, 5, { timeout: bad }), { code: 'bad_argument' })
})

test('primes, symbols, roots', () => {
  const p = 2n ** 127n - 1n
  assert.deepEqual(pingala.primesBetween(90, 114), [97n, 101n, 103n, 107n, 109n, 113n])
  assert.equal(pingala.kronecker(-3n, -8n), 1)
  assert.deepEqual(pingala.jacobiList([2n, 3n, 5n], 15n), [1, 0, 0])
  const root = pingala.sqrtMod(4n, p)
  assert.equal(root, 2n)
  assert.equal(pingala.sqrtMod(25n, new Modulus(72n, [[2n, 3n], [3n, 2n]])), 23n)
  assert.deepEqual(pingala.sqrtModAll(4n, new Modulus(15n, [3n, 5n])), [2n, 7n, 8n, 13n])
  assert.deepEqual(pingala.sqrtModAll(2n, 7n), [3n, 4n])
  assert.deepEqual(pingala.sqrtModAll(3n, 7n), [])
  assert.throws(() => pingala.sqrtModAll(1n, new Modulus(15n, [3n, 5n]), 3), { code: 'bad_argument' })
  const { prime, certificate } = pingala.randomProvedPrime(96)
  assert.equal(pingala.checkCertificate(certificate), prime)
  assert.equal(pingala.checkCertificate(pingala.certify(p)), p)
  assert.equal(pingala.checkCertificate(pingala.certify(p, [2n, 3n, 7n, 19n, 43n, 127n, 337n, 5419n, 92737n, 649657n, 77158673929n])), p)
  assert.throws(() => pingala.checkCertificate(certificate.replace('end', 'start')), { code: 'bad_argument' })
  assert.throws(() => pingala.certify(15n), { code: 'bad_argument' })
})

test('lists of products and of values', async () => {
  const modulus = new Modulus(toBytes(M))
  const found = modulus.powProductList([[2n, 3n], [], [5n]], [[10n, 4n], [], [-1n]])
  assert.deepEqual(found.map(fromBytes), [2n ** 10n * 81n, 1n, oracle(5n, M - 2n, M)])
  assert.throws(() => modulus.powProductList([[2n]], [[1n, 2n]]), { code: 'bad_argument' })
  assert.throws(() => modulus.powProductList([2n], [1n]), TypeError)
  const [element] = new Modulus(15n).powProductList([[3n]], [[-1n]], { errors: 'return' })
  assert.equal(element.code, 'not_invertible')
  assert.deepEqual((await modulus.runningProductAsync([2n, 3n, 4n])).map(fromBytes), [2n, 6n, 24n])
  assert.equal(fromBytes(await modulus.productAsync([])), 1n)
  assert.throws(() => modulus.mulList([1n, 2n], [1n, 2n, 3n]), { code: 'bad_argument' })
  assert.throws(() => modulus.mulList(1n, 2n), TypeError)
})

test('explanations', () => {
  const modulus = new Modulus(2n ** 2048n - 1n)
  assert.match(modulus.explainProduct([3n, 5n], [E, E]), /on \w+/)
  assert.match(modulus.explainProductList([[3n, 5n], [7n]], [[E, E], [E]]), /on \w+/)
  assert.match(modulus.explainSquare(1000), /on \w+/)
  assert.match(modulus.explainFixedBase(3n, { exponentBits: 512, uses: 1000 }), /on \w+/)
  assert.throws(() => modulus.explainFixedBase(3n), { code: 'bad_argument' })
  assert.equal(new FixedBase(3n, modulus, { exponentBits: 64, plan: 'comb(h=4, v=2)' }).pow(10n), 59049n)
})

test('public keys', () => {
  const key = pingala.PublicKey.load(text('crates/pingala-verify/tests/data/rsa.pem'))
  assert.deepEqual(key.validate(), [])
  assert.ok(Array.isArray(key.weaknesses('sha1')))
  assert.match(key.explainVerdicts('rsa-pkcs1', [[new Uint8Array(3), new Uint8Array(key.bits / 8)]], { hash: 'sha256' }), /./)
})

test('an option that a call has not is refused', () => {
  for (const { name, names, takes } of CALLS) {
    const method = names.map(one => one.split('.')).find(parts => parts.length === 2)?.[1]
    const unknown = ['kernel', 'memory', 'plan', 'timeout'].find(option => !OPTIONS[name].includes(option))
    if (method === undefined || unknown === undefined) continue
    const given = takes.map(([, kind]) => ({ numbers: [2n], either: [2n], lists: [[2n]], count: 2, text: '', proof: 'wesolowski-v1:0x1' })[kind] ?? 2n)
    assert.throws(() => new Modulus(35n)[method](...given, { [unknown]: 1 }), { code: 'bad_argument', message: /there is no option/ }, name)
  }
})

test('empty lists, secret factors, closed objects, the time of a list', async () => {
  const modulus = new Modulus(101n)
  assert.deepEqual(await modulus.powProductListAsync([], []), [])
  assert.deepEqual(await modulus.mulListAsync([], 5n), [])
  assert.equal(await pingala.modPowAsync(3n, 5n, 7n), 5n)
  // Of secret factors no root says anything, and a closed object answers nothing.
  const [p, q] = [2n ** 64n - 59n, 2n ** 64n - 83n]
  const secret = new Modulus(p * q, [toBytes(p), toBytes(q)], { secret: true })
  assert.throws(() => pingala.sqrtMod(4n, secret), { code: 'bad_argument' })
  const closed = new Modulus(15n, [3n, 5n])
  closed.close()
  assert.throws(() => pingala.sqrtMod(4n, closed), { code: 'bad_argument' })
  assert.equal(pingala.sqrtMod(new Uint8Array([4]), 7n), 2n)
  // A list of parts has one time, which counts in the queue too.
  const long = new Modulus(2n ** 4423n - 1n)
  await assert.rejects(long.powListAsync(Array.from({ length: 64 }, (_, at) => BigInt(at + 3)), 2n ** (2n ** 20n), { timeout: 1 }), { code: 'interrupted' })
})
