// Calls that compute elsewhere.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { BACKEND, Draw, PACKAGE, pingala, toBytes } from './common.mjs'

const { FixedBase, Modulus } = pingala
const draw = new Draw(4711)
const MODULUS = draw.number(1024) | 1n | 1n << 1023n

after(() => pingala.closeWorkers())

test('every call has the answer of its other form', async () => {
  const modulus = new Modulus(MODULUS)
  const fixed = new FixedBase(3n, modulus, { exponentBits: 128, secret: true })
  const secret = [toBytes(draw.number(500)), toBytes(draw.number(128))]
  const list = Array.from({ length: 37 }, () => draw.number(128))
  const pairs = [
    [pingala, 'modPow', 3n, 5n, MODULUS], [pingala, 'modPow', 3n, 50n, 35n, [5, 7]], [pingala, 'modPow', 3n, 50n, 1n], [pingala, 'modInv', 2n, MODULUS],
    [pingala, 'modPowList', list, list, MODULUS], [pingala, 'modPowList', list, 3n, list.map(value => value | 1n)], [pingala, 'modPowList', list, 3n, modulus],
    [pingala, 'modPowExpList', 3n, list, modulus], [pingala, 'modPowExpList', 3n, list, MODULUS], [pingala, 'modPowProduct', list, list, modulus],
    [pingala, 'modInvList', list.map(value => value | 1n), 2n ** 200n], [pingala, 'isPrime', 2n ** 89n - 1n], [pingala, 'isPrimeList', list],
    [pingala, 'nextPrime', 2n ** 90n], [pingala, 'explain', 3n, 5n, modulus], [pingala, 'jacobi', 2, 15],
    [pingala, 'powSec', ...secret, toBytes(MODULUS)], [pingala, 'modPow', toBytes(3n), 5n, toBytes(MODULUS)],
    [modulus, 'pow', 3n, 50n], [modulus, 'inv', 2n], [modulus, 'powList', list, list], [modulus, 'powProduct', list, list], [modulus, 'square', 3n, 50],
    [modulus, 'powSec', ...secret], [fixed, 'pow', 50n], [fixed, 'powList', list], [fixed, 'powSec', secret[1]], [fixed, 'powList', []]
  ]
  for (const [of, name, ...given] of pairs) {
    assert.deepEqual(await of[`${name}Async`](...given), of[name](...given), name)
  }
  const one = [2n, 5n, 3n, 4n, 7n]
  const codes = answers => answers.map(element => [element.index, element.code ?? element])
  assert.deepEqual(codes(await pingala.modPowListAsync(one, -1n, 35n, { errors: 'return' })), codes(pingala.modPowList(one, -1n, 35n, { errors: 'return' })))
  await assert.rejects(pingala.modPowListAsync(one, -1n, 35n), { code: 'not_invertible', index: 1 })
  await assert.rejects(pingala.modPowAsync(5n, -1n, 35n), { code: 'not_invertible', message: '5 does not have inverse modulo 35' })
  await assert.rejects(pingala.modPowAsync(5n, -1n, 0n), { code: 'zero_modulus', message: 'n must be > 0' })
  await assert.rejects(pingala.modPowAsync('5', 1n, 7n), TypeError)
})

test('many calls at once', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, (_, at) => pingala.modPowAsync(BigInt(at), 65537n, MODULUS)))
  answers.forEach((answer, at) => assert.equal(answer, pingala.modPow(BigInt(at), 65537n, MODULUS)))
})

test('progress comes, and reaches the end', async () => {
  const bases = Array.from({ length: 200 }, () => draw.number(2048))
  const modulus = draw.number(2048) | 1n | 1n << 2047n
  const seen = []
  await pingala.modPowListAsync(bases, draw.number(BACKEND === 'wasm' ? 200 : 2048), modulus, { onProgress: (...step) => seen.push(step) })
  assert.ok(seen.length >= 1)
  assert.deepEqual(seen.at(-1), [200, 200])
  assert.ok(seen.every(([finished, total], at) => total === 200 && (at === 0 || finished >= seen[at - 1][0])))
  // An error of the callback ends the call.
  await assert.rejects(pingala.modPowListAsync(bases, 3n, modulus, { onProgress: () => { throw new Error('mine') } }), { message: 'mine' })
  assert.equal(await pingala.modPowAsync(3n, 4n, 35n), 11n)
})

// Exponent and modulus of a power that takes hours.
const LONG = [(1n << 4_000_000n) - 1n, draw.number(1 << 17) | 1n]

/** Waits until this process, all its threads together, has computed for a moment. */
async function worked () {
  const before = process.cpuUsage().user
  while (process.cpuUsage().user < before + 50_000) await sleep(1)
}

test('a call is aborted while it runs', async () => {
  const [exponent, modulus] = LONG
  for (const start of [
    signal => pingala.modPowAsync(3n, exponent, modulus, undefined, { signal }),
    signal => new Modulus(modulus).powListAsync([3n, 5n, 7n], exponent, { signal })
  ]) {
    const stop = new AbortController()
    const running = start(stop.signal)
    await worked()
    stop.abort(new Error('enough'))
    await assert.rejects(running, { message: 'enough' })
    assert.equal(await pingala.modPowAsync(3n, 4n, 35n), 11n)
  }
  const stopped = AbortSignal.abort()
  await assert.rejects(pingala.modPowAsync(3n, 4n, 35n, undefined, { signal: stopped }), { name: 'AbortError' })
  await assert.rejects(pingala.modPowAsync(3n, 4n, 35n, undefined, { signal: 5 }), { code: 'bad_argument' })
})

test('the queue is bounded, and calls that wait are aborted', async () => {
  pingala.configure({ workers: 1, queue: 3 })
  // Once this has run, nothing that was aborted before runs any more.
  assert.equal(await pingala.modPowAsync(3n, 4n, 35n), 11n)
  const [exponent, modulus] = LONG
  const stop = new AbortController()
  const long = pingala.modPowAsync(3n, exponent, modulus, undefined, { signal: stop.signal })
  const waiting = Array.from({ length: 3 }, (_, at) => pingala.modPowAsync(BigInt(at), 2n, 35n, undefined, { signal: stop.signal }))
  await sleep(1)
  await assert.rejects(pingala.modPowAsync(1n, 2n, 35n), { code: 'bad_argument', message: /the queue is full/ })
  stop.abort()
  for (const call of [long, ...waiting]) await assert.rejects(call, { name: 'AbortError' })
  pingala.configure({ workers: 2, queue: 1000 })
  assert.equal(await pingala.modPowAsync(3n, 4n, 35n), 11n)
})

test('what a caller does while its call waits changes nothing', async () => {
  pingala.configure({ workers: 1 })
  const [exponent, modulus] = LONG
  const stop = new AbortController()
  const long = pingala.modPowAsync(3n, exponent, modulus, undefined, { signal: stop.signal })
  const [base, secret, detached, closed] = [new Uint8Array([3]), new Uint8Array([4]), new Uint8Array([3]), new Modulus(35n)]
  const waiting = [pingala.powSecAsync(base, secret, new Uint8Array([35])), pingala.modPowAsync(detached, 4n, new Uint8Array([35]))]
  const before = [closed.powAsync(3n, 4n), closed.powListAsync([2n, 3n], 4n)]
  for (const bytes of [base, secret]) bytes.fill(0)
  structuredClone(detached, { transfer: [detached.buffer] })
  closed.close()
  stop.abort()
  await assert.rejects(long, { name: 'AbortError' })
  assert.deepEqual(await Promise.all(waiting), [new Uint8Array([11]), new Uint8Array([11])])
  assert.deepEqual(await Promise.all(before), [11n, [16n, 11n]])
  await assert.rejects(closed.powAsync(3n, 4n), { code: 'bad_argument', message: /was closed/ })
  pingala.configure({ workers: 2 })
})

test('an object that is closed during its calls ends them, and wipes its secrets afterwards', async () => {
  const [p, q] = [0xffffffffffffffc5n, 0xffffffffffffffadn]
  const asBytes = value => Uint8Array.from(Buffer.from(value.toString(16).padStart(16, '0'), 'hex'))
  const secret = new Modulus(p * q, [asBytes(p), asBytes(q)], { secret: true })
  const table = new pingala.FixedBase(3n, 1009n, { exponentBits: 64 })
  const bases = Array.from({ length: 400 }, (_, at) => BigInt(at))
  const exponent = (1n << 900n) - 1n
  const modulus = new Modulus(MODULUS)
  const calls = [
    modulus.powListAsync(bases, exponent), table.powListAsync(bases),
    secret.powSecAsync(asBytes(5n), asBytes(7n))
  ]
  for (const one of [modulus, table, secret]) one.close()
  for (const one of [modulus, secret]) assert.throws(() => one.pow(3n, 4n), { code: 'bad_argument' })
  assert.throws(() => table.toBytes(), { code: 'bad_argument' })
  const [powers, ofTable, ofSecret] = await Promise.all(calls)
  assert.deepEqual(powers, pingala.modPowList(bases, exponent, MODULUS))
  assert.deepEqual(ofTable, pingala.modPowExpList(3n, bases, 1009n))
  assert.equal(BigInt('0x' + Buffer.from(ofSecret).toString('hex')), 5n ** 7n)
  assert.ok(secret.request.bytes.every(one => one.every(byte => byte === 0)))
})

test('workers that are ended: calls that run get an error, later ones run', async () => {
  const [exponent, modulus] = LONG
  const running = pingala.modPowAsync(3n, exponent, modulus)
  await worked()
  pingala.closeWorkers()
  await assert.rejects(running, { code: 'interrupted' })
  assert.equal(await pingala.modPowAsync(3n, 4n, 35n), 11n)
  const kept = new Modulus(MODULUS)
  assert.equal(await kept.powAsync(3n, 4n), 81n)
  pingala.closeWorkers()
  assert.equal(await kept.powAsync(3n, 5n), 243n)
  kept.close()
  await assert.rejects(kept.powAsync(3n, 5n), { code: 'bad_argument' })
})

test('the thread of JavaScript stays free', async () => {
  const [exponent, modulus] = LONG
  const stop = new AbortController()
  const running = Array.from({ length: 4 }, (_, at) => pingala.modPowAsync(BigInt(at + 3), exponent, modulus, undefined, { signal: stop.signal }))
  await worked()
  // Were it not free, it would have to wait for hours.
  for (let tick = 0; tick < 50; tick++) await sleep(1)
  stop.abort()
  for (const call of running) await assert.rejects(call, { name: 'AbortError' })
})

/** Runs a program in a process of its own, with WebAssembly, and returns what it printed. */
function printed (program) {
  return execFileSync(process.execPath, ['--input-type=commonjs', '-e', program], {
    encoding: 'utf8', env: { ...process.env, PINGALA_BACKEND: 'wasm', PINGALA_TESTED: join(PACKAGE, 'dist/index.cjs') }
  }).trim()
}

if (BACKEND === 'wasm') {
  test('asynchronous calls compile nothing on the thread that makes them', () => {
    assert.equal(printed(`
      for (const name of ['Module', 'Instance']) WebAssembly[name] = class { constructor () { throw new Error('this thread is blocked') } }
      const { modPowAsync, modPowExpListAsync, modPowProductAsync, powSecAsync, modPowListAsync } = require(process.env.PINGALA_TESTED)
      const byte = value => Uint8Array.of(value)
      Promise.all([
        modPowAsync(3n, 4n, 35n), modPowAsync(3n, 4n, 35n, [5n, 7n]), modPowExpListAsync(3n, [1n, 4n], 35n), modPowProductAsync([3n, 2n], [1n, 2n], 35n),
        powSecAsync(byte(3), byte(4), byte(35)), modPowListAsync([3n, 4n], 2n, 35n), modPowAsync(3n, 4n, 35n, [5n, 11n]).catch(error => error.code)
      ]).then(all => console.log(all.join(' ')))`), '11 11 3,11 12 11 9,16 wrong_factors')
  })

  test('workers that end by themselves: the call says so, and another worker takes their place', () => {
    assert.equal(printed(`
      const threads = require('node:worker_threads')
      const started = []
      threads.Worker = class extends threads.Worker { constructor (...given) { super(...given); started.push(this) } }
      const { configure, modPowAsync, Modulus } = require(process.env.PINGALA_TESTED)
      configure({ workers: 1 })
      const modulus = new Modulus(35n)
      const said = []
      const long = () => modPowAsync(3n, 2n ** 1000000n - 1n, 2n ** 100000n - 1n)
      const lost = async end => { const call = long(); setTimeout(end, 200); await call.catch(error => said.push(error.code + ': ' + error.message)) }
      const run = async () => {
        said.push(await modulus.powAsync(3n, 4n))
        await lost(() => started.at(-1).terminate())
        said.push(await modulus.powAsync(3n, 5n))
        // One that ends while it waits.
        await started.at(-1).terminate()
        said.push(await modulus.powAsync(3n, 6n), started.length)
      }
      run().then(() => console.log(said.join('|')))`), '11|interrupted: interrupted: the worker ended: exit code 1|33|29|3')
  })
}
