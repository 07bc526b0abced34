// What runs inside the page of browsers.mjs: all calls, and times. The result is `globalThis.outcome`.

import * as pingala from '/package/dist/browser.mjs'

const check = (holds, what) => { if (!holds) throw new Error(what) }
const same = (a, b, what) => check(String(a) === String(b), `${what}: ${a} is not ${b}`)

/** The loop of bigint-mod-arith 3. */
function loop (b, e, n) {
  if (n === 1n) return 0n
  b %= n
  let r = 1n
  while (e > 0) {
    if ((e % 2n) === 1n) r = r * b % n
    e = e / 2n
    b = b ** 2n % n
  }
  return r
}

function random (bits) {
  const words = crypto.getRandomValues(new Uint32Array(Math.ceil(bits / 32)))
  return BigInt.asUintN(bits, words.reduce((value, word) => value << 32n | BigInt(word), 0n))
}

async function rejects (promise, holds, what) {
  try {
    await promise
  } catch (error) {
    return check(holds(error), `${what}: ${error}`)
  }
  throw new Error(`${what}: no error`)
}

async function run () {
  await pingala.init()
  same(pingala.backend(), 'wasm', 'backend')
  for (let round = 0; round < 1000; round++) {
    const bits = round % 50 === 0 ? 2048 : 1 + round % 300
    const [base, exponent, modulus] = [random(bits), random(Math.min(bits, 200)), random(bits) + 1n]
    same(pingala.modPow(base, exponent, modulus), loop(base, exponent, modulus), `${base}^${exponent} mod ${modulus}`)
  }
  const n = (1n << 521n) - 1n
  const modulus = new pingala.Modulus(n)
  const fixed = new pingala.FixedBase(3n, modulus, { exponentBits: 128 })
  const list = Array.from({ length: 40 }, () => random(128))
  const bytes = value => Uint8Array.from(value.toString(16).padStart(132, '0').match(/../g), pair => parseInt(pair, 16))
  for (const [of, name, ...given] of [
    [pingala, 'modPow', 3n, -5n, n], [pingala, 'modInv', 3n, n], [pingala, 'modPowList', list, list, n], [pingala, 'modPowExpList', 3n, list, modulus],
    [pingala, 'modPowProduct', list, list, modulus], [pingala, 'modInvList', list, n], [pingala, 'explain', 3n, 5n, n], [pingala, 'isPrime', n],
    [pingala, 'isPrimeList', list], [pingala, 'nextPrime', 2n ** 90n], [pingala, 'jacobi', 2, 15], [pingala, 'powSec', bytes(3n), bytes(5n), bytes(n)],
    [modulus, 'pow', 3n, 5n], [modulus, 'powList', list, 5n], [modulus, 'square', 3n, 50], [fixed, 'pow', 5n], [fixed, 'powList', list]
  ]) {
    same(await of[`${name}Async`](...given), of[name](...given), name)
  }
  check(pingala.isPrime(pingala.randomPrime(128)), 'a random prime')
  same(pingala.FixedBase.fromBytes(fixed.toBytes()).pow(9n), fixed.pow(9n), 'a table of bytes')
  await rejects(pingala.modPowAsync(5n, -1n, 35n), error => error.code === 'not_invertible', 'no inverse')

  const stop = new AbortController()
  const running = pingala.modPowAsync(3n, random(1 << 16), random(1 << 18) | 1n, undefined, { signal: stop.signal })
  setTimeout(() => stop.abort(), 50)
  await rejects(running, error => error.name === 'AbortError', 'an aborted call')
  const ended = pingala.modPowAsync(3n, random(1 << 16), random(1 << 18) | 1n)
  setTimeout(() => pingala.closeWorkers(), 50)
  await rejects(ended, error => error.code === 'interrupted', 'an ended worker')

  // The longest time for which the page answered nothing, while 100 powers of 4096 bits run.
  const [m, e] = [random(4096) | 1n << 4095n | 1n, random(4096)]
  await pingala.modPowAsync(3n, 5n, m)
  let [last, pause, on] = [performance.now(), 0, true]
  const channel = new MessageChannel()
  channel.port1.onmessage = () => {
    const now = performance.now()
    pause = Math.max(pause, now - last)
    last = now
    if (on) setTimeout(() => { last = performance.now(); channel.port2.postMessage(0) }, 1)
  }
  channel.port2.postMessage(0)
  const tasks = []
  let observer = null
  if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
    observer = new PerformanceObserver(entries => tasks.push(...entries.getEntries().map(entry => entry.duration)))
    observer.observe({ entryTypes: ['longtask'] })
  }
  await Promise.all(Array.from({ length: 100 }, () => pingala.modPowAsync(random(4096), e, m)))
  on = false
  observer?.disconnect()

  const ratios = {}
  for (const bits of [512, 1024, 2048, 4096]) {
    const [b, e, m] = [random(bits), random(bits), random(bits) | 1n << BigInt(bits - 1) | 1n]
    const times = [[], []]
    const count = bits < 2048 ? 8 : 1
    for (let round = 0; round < 7; round++) {
      [pingala.modPow, loop].forEach((pow, at) => {
        const start = performance.now()
        for (let again = 0; again < count; again++) pow(b, e, m)
        times[at].push(performance.now() - start)
      })
    }
    const [ours, theirs] = times.map(all => all.sort((a, b) => a - b)[3])
    ratios[bits] = { ms: Number((ours / count).toFixed(3)), ofLoop: Number((ours / theirs).toFixed(3)) }
  }
  return { kernel: pingala.kernelName(), longTasks: tasks, pause: Math.round(pause), ratios }
}

run().then(outcome => { globalThis.outcome = outcome }, error => { globalThis.outcome = { error: `${error.stack ?? error}` } })
