// The small module for WebAssembly: in Node the first calls run in it; pingala/powers of browsers has no other.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { PACKAGE } from './paths.mjs'

const file = join(PACKAGE, 'dist/browser-powers.mjs')
const once = { skip: existsSync(file) ? process.env.PINGALA_BACKEND !== 'wasm' && 'tested with WebAssembly' : 'the module is not built' }
const m = (1n << 521n) - 1n

function loop (base, exponent) {
  let power = 1n
  for (; exponent > 0n; exponent >>= 1n, base = base * base % m) if (exponent & 1n) power = power * base % m
  return power
}

test('pingala/powers says what it lacks', once, async () => {
  const powers = await import(pathToFileURL(file))
  await powers.init()
  assert.equal(powers.backend(), 'wasm')
  assert.equal(powers.kernelName(), 'dot_row_r13')
  assert.equal(powers.modPow(3n, m - 3n, m), loop(3n, m - 3n))
  assert.equal(powers.modPow(3n, -5n, m) * powers.modPow(3n, 5n, m) % m, 1n)
  assert.equal(powers.modPow(7n, 1n << 70n, 1225n, [[5n, 2], [7n, 2]]), powers.modPow(7n, 1n << 70n, 1225n))
  const modulus = new powers.Modulus(m)
  assert.equal(modulus.inv(2n), (m + 1n) / 2n)
  assert.equal(modulus.pow(5n, 123456789n), loop(5n, 123456789n))
  const lacks = { code: 'bad_argument', message: /import from pingala for everything else/ }
  assert.throws(() => powers.isPrime(7n), lacks)
  assert.throws(() => modulus.powList([2n, 3n], 5n), lacks)
  assert.throws(() => powers.powSec(Uint8Array.of(2), Uint8Array.of(3), Uint8Array.of(5)), lacks)
  await assert.rejects(modulus.powListAsync([2n, 3n], 5n), lacks)
  assert.equal(modulus.pow(5n, 2n), 25n)
})

test('objects go along into the larger module', once, () => {
  const program = `
    const p = require(${JSON.stringify(join(PACKAGE, 'dist/index.cjs'))})
    const m = (1n << 521n) - 1n
    const modulus = new p.Modulus(m)
    const factored = new p.Modulus(35n, [5n, 7n])
    console.log(modulus.pow(2n, 521n), factored.pow(3n, 4n), p.modPow(2n, 5n, 7n))
    const table = new p.FixedBase(2n, modulus, { exponentBits: 600 })
    console.log(modulus.pow(2n, 521n), factored.pow(3n, 4n), table.pow(521n), p.isPrime(m), modulus.powList([2n, 3n], 2n))
    modulus.close()
    const other = new p.Modulus(m)
    p.modPowAsync(2n, 521n, m).then(async value => {
      console.log(value, await other.powAsync(2n, 521n), table.pow(522n), factored.powList([3n], 4n))
      p.closeWorkers()
    })`
  const out = execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', env: { ...process.env, PINGALA_BACKEND: 'wasm' } })
  assert.equal(out, '1n 11n 4n\n1n 11n 1n true [ 4n, 9n ]\n1n 1n 2n [ 11n ]\n')
})
