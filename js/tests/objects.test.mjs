// Moduli, tables, secrets, primes, signatures.

import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import test from 'node:test'
import { inspect } from 'node:util'
import { Draw, fromBytes, oracle, pingala, toBytes } from './common.mjs'

const { FixedBase, Modulus, PublicKey } = pingala

test('what runs', () => {
  assert.equal(pingala.backend(), process.env.PINGALA_BACKEND)
  assert.match(pingala.kernelName(), /^[a-z]\w+$/)
  assert.match(pingala.version(), /^\d+\.\d+\.\d+$/)
  assert.match(pingala.explain(3n, 2n ** 1000n, 2n ** 2048n - 1n), /^Chosen: /)
})

test('a modulus in both forms', () => {
  const value = (1n << 127n) - 1n
  const [numbers, bytes] = [new Modulus(value), new Modulus(toBytes(value, 2))]
  assert.equal(numbers.pow(5, -7), fromBytes(bytes.pow(5, -7)))
  assert.equal(bytes.pow(5, 2).length, 16)
  assert.equal(numbers.inv(5) * 5n % value, 1n)
  assert.deepEqual(bytes.value, toBytes(value, 2))
  assert.equal(numbers.square(3, 100), oracle(3n, 1n << 100n, value))
  assert.match(numbers.explainList([1, 2, 3], 2n ** 100n), /\w/)
  assert.deepEqual(bytes.powList([2, 3], 5).map(fromBytes), [32n, 243n])
})

test('powers with secrets', () => {
  const draw = new Draw(5)
  const [p, q] = [(1n << 521n) - 1n, (1n << 607n) - 1n]
  const n = p * q
  const [base, exponent] = [draw.number(1100), draw.number(1000)]
  const expected = oracle(base, exponent, n)
  const given = [toBytes(base, 3), toBytes(exponent, 1)]
  const results = [
    pingala.powSec(...given, toBytes(n)),
    new Modulus(n).powSec(...given, { exponentBits: 1024, blinding: false }),
    new Modulus(n, [toBytes(p), toBytes(q)], { secret: true }).powSec(...given),
    new FixedBase(base, n, { exponentBits: 1008, secret: true }).powSec(given[1]),
    ...new Modulus(n).powSecList([given[0]], given[1]),
    ...new FixedBase(base, n, { exponentBits: 1008, secret: true }).powSecList([given[1]])
  ]
  for (const result of results) {
    assert.equal(result.length, toBytes(n).length)
    assert.equal(fromBytes(result), expected)
  }
  assert.throws(() => pingala.powSec(...given, toBytes(n), { exponentBits: 8 }), { code: 'bad_secret' })
  assert.throws(() => pingala.powSec(base, exponent, n), TypeError)
  const secret = new Modulus(n, [toBytes(p), toBytes(q)], { secret: true })
  assert.doesNotMatch(inspect(secret, { depth: 9 }), /255|Uint8Array/)
  assert.doesNotMatch(JSON.stringify(secret), /255/)
  secret.close()
  // With the public exponent a result is checked before it is released.
  const [e, d] = [65537n, pingala.modInv(65537n, (p - 1n) * (q - 1n))]
  const key = new Modulus(n, [toBytes(p), toBytes(q)], { secret: true, publicExponent: e })
  assert.equal(fromBytes(key.powSec(toBytes(42n), toBytes(d), { publicExponent: e })), oracle(42n, d, n))
  assert.throws(() => key.powSec(toBytes(42n), toBytes(d + 2n), { publicExponent: e }), { code: 'bad_argument' })
})

test('a console shows lengths, and digits of short public numbers only', () => {
  const [p, q] = [(1n << 521n) - 1n, (1n << 607n) - 1n]
  const secret = new Modulus(p * q, [toBytes(p), toBytes(q)], { secret: true })
  const fixed = new FixedBase(0xabcdefn, p, { exponentBits: 8, secret: true, memoryBytes: 1 << 16 })
  const key = PublicKey.rsa({ n: toBytes(p * q), e: 65537 })
  const shown = object => inspect(object, { depth: 9, showHidden: true })
  assert.equal(shown(new Modulus(35)), 'Modulus(0x23)')
  assert.equal(shown(new Modulus(new Uint8Array([0, 1, 0]))), 'Modulus(0x100)')
  assert.equal(shown(new Modulus(15n, [3, 5])), '<Modulus of 4 bits with 2 known factors>')
  assert.equal(shown(new Modulus((1n << 256n) - 1n)), `Modulus(0x${'f'.repeat(64)})`)
  assert.equal(shown(new Modulus(1n << 256n)), '<Modulus of 257 bits>')
  assert.equal(shown(new Modulus(toBytes(p, 3))), '<Modulus of 521 bits>')
  assert.equal(shown(secret), '<Modulus of 1128 bits with 2 secret factors>')
  assert.equal(shown(fixed), `<FixedBase modulo 521 bits, exponents of 8 bits, ${fixed.tableBytes} bytes>`)
  assert.equal(shown(key), '<PublicKey of rsa, 1128 bits>')
  for (const object of [secret, fixed, key]) {
    object.close()
    assert.match(shown(object), /^<[^<>]*, closed>$/)
    assert.match(shown([object]), /, closed>/)
  }
  assert.equal(shown(Object.create(Modulus.prototype)), 'Modulus {}')
  assert.throws(() => new PublicKey(), { name: 'TypeError', code: 'bad_argument', message: /PublicKey\.load/ })
})

test('a table for many powers', () => {
  const n = (1n << 255n) - 19n
  const fixed = new FixedBase(2n, n, { exponentBits: 255, memoryBytes: 1 << 16, uses: 100, lists: true })
  assert.deepEqual([fixed.modulus, fixed.base, fixed.exponentBits], [n, 2n, 255])
  assert.ok(fixed.tableBytes > 0 && fixed.tableBytes <= 1 << 16)
  const draw = new Draw(11)
  const exponents = Array.from({ length: 40 }, () => draw.number(255) * (draw.below(2) ? 1n : -1n))
  const expected = exponents.map(e => e < 0n ? pingala.modInv(oracle(2n, -e, n), n) : oracle(2n, e, n))
  assert.deepEqual(fixed.powList(exponents), expected)
  assert.deepEqual(exponents.map(e => fixed.pow(e)), expected)
  const loaded = FixedBase.fromBytes(fixed.toBytes(), { modulus: toBytes(n) })
  assert.equal(fromBytes(loaded.pow(100n)), oracle(2n, 100n, n))
  assert.throws(() => fixed.pow(1n << 256n), { code: 'too_long' })
})

test('primes', () => {
  const small = Array.from({ length: 2000 }, (_, n) => n)
  const primes = small.filter(n => n > 1 && small.slice(2, Math.floor(Math.sqrt(n)) + 1).every(d => n % d !== 0))
  assert.deepEqual(small.filter(n => pingala.isPrime(n)), primes)
  assert.deepEqual(pingala.isPrimeList(small), small.map(n => primes.includes(n)))
  assert.equal(pingala.primality(-7), 'composite')
  assert.equal(pingala.primality(2n ** 61n - 1n), 'proved')
  assert.equal(pingala.primality(toBytes(2n ** 521n - 1n), { rounds: 5 }), 'probable')
  assert.equal(pingala.nextPrime(2n ** 64n), 18446744073709551629n)
  assert.equal(pingala.previousPrime(2n ** 64n), 18446744073709551557n)
  assert.deepEqual(pingala.nextPrime(new Uint8Array([1, 0])), new Uint8Array([1, 1]))
  assert.throws(() => pingala.previousPrime(2), RangeError)
  for (const given of [{}, { topBits: 2 }, { uniform: true }, { residue: [3, 4] }, { safe: true }]) {
    const prime = pingala.randomPrime(96, given)
    assert.ok(crypto.checkPrimeSync(prime) && prime >> 95n === 1n)
    if (given.safe) assert.ok(crypto.checkPrimeSync((prime - 1n) / 2n))
    if (given.residue) assert.equal(prime % 4n, 3n)
  }
  assert.ok(crypto.checkPrimeSync(fromBytes(pingala.randomSecretPrime(128))))
  for (const kind of ['rsa', 'paillier', 'safe']) {
    const { p, q } = pingala.primePair(256, kind)
    assert.equal((fromBytes(p) * fromBytes(q)).toString(2).length, 256)
  }
  assert.deepEqual([1, 2, 3, 5, 30].map(a => pingala.jacobi(a, 15)), [1, 1, 0, 0, 0])
})

// WebAssembly has no clock to measure with.
test('the estimate of a search for a random prime', async () => {
  for (const given of [{}, { secret: true }, { uniform: true }, { safe: true }, { topBits: 2, threads: 1 }]) {
    const { tests, seconds } = pingala.estimateRandomPrime(512, given)
    assert.ok(given.safe ? tests > 100 && tests < 20000 : tests > 3 && tests < 400, `${tests} tests`)
    assert.ok(seconds > 1e-6 && seconds < 600, `${seconds} s`)
  }
  const [shorter, longer] = await Promise.all([512, 2048].map(bits => pingala.estimateRandomPrimeAsync(bits)))
  assert.ok(shorter.tests < longer.tests && shorter.seconds < longer.seconds)
  assert.deepEqual(pingala.estimateRandomPrime(5), { tests: 1, seconds: 0 })
  assert.throws(() => pingala.estimateRandomPrime(64, { residue: [2, 4] }), RangeError)
  assert.throws(() => pingala.randomPrime(64, { secret: true }), { code: 'bad_argument' })
})

test('signatures of RSA and DSA', () => {
  const message = Buffer.from('what was signed')
  const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = PublicKey.load(rsa.publicKey.export({ type: 'spki', format: 'pem' }))
  assert.deepEqual([key.kind.toLowerCase(), key.bits], ['rsa', 2048])
  const signature = crypto.sign('sha256', message, rsa.privateKey)
  assert.equal(pingala.verify(key, 'rsa-pkcs1', message, signature, { hash: 'sha256' }), true)
  assert.equal(key.verdict('rsa-pkcs1', Buffer.from('another'), signature, { hash: 'sha256' }), 'mismatch')
  const digest = crypto.createHash('sha256').update(message).digest()
  assert.equal(pingala.verify(key, 'rsa-pkcs1', digest, signature, { hash: 'sha256', digest: true }), true)
  assert.deepEqual(key.verdicts('rsa-pkcs1', [[message, signature], [message, signature.subarray(1)]], { hash: 'sha256' }).map(verdict => verdict === 'valid'), [true, false])
  const pss = crypto.sign('sha512', message, { key: rsa.privateKey, padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 20 })
  assert.equal(pingala.verify(key, 'rsa-pss', message, pss, { hash: 'sha512', salt: 20 }), true)
  assert.equal(pingala.verify(key, 'rsa-pss', message, pss, { hash: 'sha512', salt: 21 }), false)
  const jwk = rsa.publicKey.export({ format: 'jwk' })
  const numbers = PublicKey.rsa({ n: Buffer.from(jwk.n, 'base64url'), e: Buffer.from(jwk.e, 'base64url') })
  assert.equal(pingala.verify(numbers, 'rsa-pkcs1', message, signature, { hash: 'sha256', policy: 'modern' }), true)
  const dsa = crypto.generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 })
  const dsaKey = PublicKey.load(dsa.publicKey.export({ type: 'spki', format: 'der' }))
  const short = crypto.sign('sha256', message, dsa.privateKey)
  assert.equal(pingala.verify(dsaKey, 'dsa', message, short, { hash: 'sha256' }), true)
  const raw = crypto.sign('sha256', message, { key: dsa.privateKey, dsaEncoding: 'ieee-p1363' })
  assert.equal(pingala.verify(dsaKey, 'dsa', message, raw, { hash: 'sha256', encoding: 'raw' }), true)
  assert.deepEqual(dsaKey.verdicts('dsa', [], { hash: 'sha256' }), [])
  assert.throws(() => PublicKey.load('no key'), RangeError)
  assert.throws(() => pingala.verify(key, 'rsa-pkcs1', message, signature), { code: 'bad_argument' })
})
