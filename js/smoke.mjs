// Twenty cases for a package that was just installed in the working directory; needs nothing but Node: `node smoke.mjs`.
//
// Answers come from BigInt. The last line names the engine and counts; the status is 1 if a case failed. PINGALA_BACKEND=native requires the addon.

import { createRequire } from 'node:module'
import { join } from 'node:path'

const pingala = createRequire(join(process.cwd(), 'package.json'))('pingala')
const { FixedBase, Modulus, modInv, modPow } = pingala

const MODULUS = 2n ** 2048n - 1942289n
const EVEN = 2n ** 1024n + 2n ** 60n
const LONG = 2n ** 9000n + 27n
const [P, Q] = [2n ** 521n - 1n, 2n ** 607n - 1n]
const BASES = Array.from({ length: 40 }, (_, k) => 3n ** BigInt(k + 1))
const POWERS = BASES.map(base => power(base, 65537n, MODULUS))

/** Square and multiply, from the left. */
function power (base, exponent, modulus) {
  let result = 1n % modulus
  for (const bit of exponent.toString(2)) {
    result = result * result % modulus
    if (bit === '1') result = result * base % modulus
  }
  return result
}

function same (list, others) {
  return list.length === others.length && list.every((value, index) => value === others[index])
}

function refuses (code, call) {
  try {
    call()
  } catch (error) {
    return error.code === code
  }
  return false
}

function bytes (number, length) {
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex'))
}

function number (data) {
  return BigInt(`0x${Buffer.from(data).toString('hex')}`)
}

async function stops () {
  const stop = new AbortController()
  const running = pingala.modPowAsync(3n, LONG ** 40n, LONG, undefined, { signal: stop.signal })
  setTimeout(() => stop.abort(), 20)
  return running.then(() => false, error => error.name === 'AbortError')
}

const CASES = {
  'one word': () => modPow(3, 65537, 1000003) === power(3n, 65537n, 1000003n),
  'odd modulus': () => modPow(7n, MODULUS - 1n, MODULUS) === power(7n, MODULUS - 1n, MODULUS),
  'even modulus': () => modPow(7n, EVEN - 1n, EVEN) === power(7n, EVEN - 1n, EVEN),
  'power of two': () => modPow(7n, 12345n, 2n ** 500n) === power(7n, 12345n, 2n ** 500n),
  'long modulus': () => modPow(7n, 65537n, LONG) === power(7n, 65537n, LONG),
  'negative exponent': () => modPow(3n, -5n, MODULUS) * power(3n, 5n, MODULUS) % MODULUS === 1n,
  inverse: () => modInv(3n, MODULUS) * 3n % MODULUS === 1n,
  'no inverse': () => refuses('not_invertible', () => new Modulus(4n).inv(2n)),
  'zero modulus': () => refuses('zero_modulus', () => new Modulus(0n)),
  bytes: () => number(modPow(7n, 65537n, bytes(MODULUS, 256))) === power(7n, 65537n, MODULUS),
  list: () => same(pingala.modPowList(BASES, 65537n, MODULUS), POWERS),
  'two threads': () => same(pingala.modPowList(BASES, 65537n, MODULUS, { threads: 2 }), POWERS),
  later: async () => same(await pingala.modPowListAsync(BASES, 65537n, MODULUS), POWERS),
  stopped: stops,
  product: () => pingala.modPowProduct([3n, 5n], [65537n, 12345n], MODULUS) === power(3n, 65537n, MODULUS) * power(5n, 12345n, MODULUS) % MODULUS,
  'fixed base from its bytes': () => {
    const saved = new FixedBase(3n, MODULUS, { exponentBits: 256 }).toBytes()
    return FixedBase.fromBytes(saved).pow(12345n) === power(3n, 12345n, MODULUS)
  },
  'secret exponent': () => number(pingala.powSec(bytes(3n, 256), bytes(54321n, 32), bytes(MODULUS, 256))) === power(3n, 54321n, MODULUS),
  'known factors': () => new Modulus(P * Q, [P, Q]).pow(3n, P) === power(3n, P, P * Q),
  prime: () => pingala.isPrime(P) && !pingala.isPrime(P * Q),
  explanation: () => pingala.explain(3n, 65537n, MODULUS).startsWith('Chosen: ')
}

let failed = 0
for (const [name, right] of Object.entries(CASES)) {
  let why = ''
  try {
    if (await right()) continue
  } catch (error) {
    why = `: ${error.stack}`
  }
  failed += 1
  console.log(`FAILED ${name}${why}`)
}
const count = Object.keys(CASES).length
console.log(`${pingala.backend()} ${pingala.kernelName()}, Node ${process.versions.node} ${process.platform} ${process.arch}: ${count - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
