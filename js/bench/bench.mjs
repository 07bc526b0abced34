// Powers of the package beside those that programs in JavaScript have otherwise: `make bench WHAT=js`.
//
//     node bench.mjs [--quick] [powers|peers|words|list|masked|first]...
//
// All contenders of a table run in one process, one after the other in each round, and their answers are compared. A sample repeats a short
// call. Tables have the medians of the samples and of the ratios of each round. Each engine gets bigints and returns them; the
// peers get numbers that are already their own.

import { modPow as loop } from 'bigint-mod-arith'
import BN from 'bn.js'
import { init as initGmp } from 'gmp-wasm'
import jsbn from 'jsbn'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ADDON, PACKAGE, ROOT } from '../tests/paths.mjs'

const require = createRequire(import.meta.url)
const SELF = fileURLToPath(import.meta.url)
const quick = process.argv.includes('--quick')
const wanted = process.argv.slice(2).filter(word => !word.startsWith('--'))
const lines = []

const MASKS = [
  ['whole CPU', ''],
  ['without AVX-512', '-avx512f,-avxifma'],
  ['without AVX-512 and FMA', '-avx512f,-avxifma,-fma']
]

/** A copy of the package of its own, on one engine. */
function load (backend) {
  process.env.PINGALA_BACKEND = backend
  process.env.PINGALA_ADDON = ADDON
  const path = join(PACKAGE, 'dist/index.cjs')
  delete require.cache[path]
  const pingala = require(path)
  if (pingala.backend() !== backend) throw new Error(`${pingala.backend()} runs, and not ${backend}`)
  return pingala
}

function random (bits) {
  return BigInt.asUintN(bits, BigInt('0x' + randomBytes(Math.ceil(bits / 8)).toString('hex'))) | 1n << BigInt(bits - 1)
}

const operands = bits => [random(bits) >> 1n, random(bits), random(bits) | 1n]
const hex = number => number.toString(16)

function median (values) {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

/** Milliseconds of a call; a sample takes at least `LEAST_MS`. */
const LEAST_MS = 4

function sample (run, calls) {
  const start = performance.now()
  for (let call = 0; call < calls; call++) run()
  return (performance.now() - start) / calls
}

/**
 * Times contenders, a map from names to functions, in turn; the first is the one that the others are compared with. Returns for each its median
 * in milliseconds, and the median of its time over that of the first.
 */
async function compare (contenders, seconds) {
  const names = Object.keys(contenders)
  const answers = []
  for (const name of names) answers.push(String(await contenders[name]()))
  const wrong = names.find((_, at) => answers[at] !== answers[0])
  if (wrong !== undefined) throw new Error(`${wrong} and ${names[0]} differ`)
  // By then the module for WebAssembly and the peers' loops have their best code.
  const once = names.map(name => {
    const [start, runs] = [performance.now(), []]
    do runs.push(sample(contenders[name], 1))
    while (performance.now() - start < 150)
    return runs.reduce((least, run) => Math.min(least, run))
  })
  const calls = once.map(ms => Math.ceil(LEAST_MS / ms))
  const round = once.reduce((sum, ms, at) => sum + ms * calls[at], 0)
  const rounds = Math.max(7, Math.min(101, Math.round(1000 * seconds / round)))
  const times = names.map(() => [])
  for (let turn = 0; turn < rounds; turn++) {
    for (let place = 0; place < names.length; place++) {
      const at = (place + turn) % names.length
      times[at].push(sample(contenders[names[at]], calls[at]))
    }
  }
  return Object.fromEntries(names.map((name, at) => [name, {
    ms: median(times[at]),
    least: Math.min(...times[at]),
    ratio: median(times[at].map((ms, turn) => ms / times[0][turn])),
    rounds
  }]))
}

function print (line = '') {
  lines.push(line)
  console.log(line)
}

const shown = ms => ms < 0.01 ? `${(ms * 1000).toFixed(2)} us` : `${ms.toPrecision(3)} ms`

function table (heading, rows) {
  print()
  print(`| ${heading.join(' | ')} |`)
  print(`|${heading.map(() => '---:').join('|')}|`)
  for (const row of rows) print(`| ${row.join(' | ')} |`)
}

const seconds = quick ? 1 : 6

const TABLES = {
  /** Both engines beside the loop, by length. */
  async powers () {
    const [addon, wasm] = [load('native'), load('wasm')]
    const rows = []
    for (const bits of [512, 1024, 2048, 4096]) {
      const [b, e, n] = operands(bits)
      const found = await compare({ loop: () => loop(b, e, n), addon: () => addon.modPow(b, e, n), wasm: () => wasm.modPow(b, e, n) }, seconds)
      rows.push([bits, shown(found.loop.ms), shown(found.addon.ms), (1 / found.addon.ratio).toFixed(1), shown(found.wasm.ms), found.wasm.ratio.toFixed(2)])
    }
    table(['bits', 'loop of bigint-mod-arith', `addon, ${addon.kernelName()}`, 'times faster', `wasm, ${wasm.kernelName()}`, 'wasm / loop'], rows)
  },

  /** WebAssembly beside other packages. */
  async peers () {
    const wasm = load('wasm')
    const [b, e, n] = operands(2048)
    const [jb, je, jn] = [b, e, n].map(value => new jsbn.BigInteger(hex(value), 16))
    const [bb, be] = [b, e].map(value => new BN(hex(value), 16))
    const [red, mont] = [BN.red(new BN(hex(n), 16)), BN.mont(new BN(hex(n), 16))]
    const { binding: gmp } = await initGmp()
    const [gb, ge, gn, gr] = [b, e, n, 0n].map(value => {
      const place = gmp.mpz_t()
      gmp.mpz_init(place)
      const text = gmp.malloc_cstr(hex(value))
      gmp.mpz_set_str(place, text, 16)
      gmp.free(text)
      return place
    })
    const found = await compare({
      wasm: () => wasm.modPow(b, e, n),
      jsbn: () => jb.modPow(je, jn),
      'bn.js, red': () => bb.toRed(red).redPow(be).fromRed(),
      'bn.js, mont': () => bb.toRed(mont).redPow(be).fromRed(),
      'gmp-wasm (LGPL)': () => { gmp.mpz_powm(gr, gb, ge, gn); return { toString: () => gmp.mpz_to_string(gr, 10) } }
    }, seconds)
    table(['2048 bits', 'time', 'its time / wasm', 'wasm / its time'], Object.entries(found).map(([name, { ms, ratio }]) => [name, shown(ms), ratio.toFixed(2), (1 / ratio).toFixed(2)]))
  },

  /** What a short call costs. */
  async words () {
    const [addon, wasm] = [load('native'), load('wasm')]
    const [b, e, n] = operands(64)
    const found = await compare({ loop: () => loop(b, e, n), addon: () => addon.modPow(b, e, n), wasm: () => wasm.modPow(b, e, n) }, seconds)
    const us = ms => `${(1000 * ms).toFixed(2)} us`
    table(['64 bits', 'time', 'least time', 'its time / loop'], Object.entries(found).map(([name, { ms, least, ratio }]) => [name, us(ms), us(least), ratio.toFixed(3)]))
  },

  /** A list beside the same list of Rust, in a process of its own that computes when it is asked, and with default options. */
  async list () {
    const program = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'release/list_clock')
    if (!existsSync(program)) throw new Error(`${program} is missing: make bench WHAT=js builds it`)
    const addon = load('native')
    const count = quick ? 200 : 1000
    const modulus = random(2048) | 1n
    const [bases, exponents] = [0, 1].map(() => Array.from({ length: count }, () => random(2048) >> 1n))
    const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] })
    const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const ask = async line => {
      child.stdin.write(line + '\n')
      const { value } = await replies.next()
      if (value === undefined) throw new Error(`${program} ended`)
      return value
    }
    child.stdin.write(`${hex(modulus)}\n${bases.map((base, at) => `${hex(base)} ${hex(exponents[at])}\n`).join('')}`)
    const theirs = await ask('answers')
    const prepared = new addon.Modulus(modulus)
    const run = () => addon.modPowList(bases, exponents, prepared, { threads: 1 })
    const byDefault = () => addon.modPowList(bases, exponents, prepared)
    for (const list of [run, byDefault]) if (list().map(hex).join(' ') !== theirs) throw new Error('the lists differ')
    const times = []
    for (let turn = 0; turn < (quick ? 5 : 15); turn++) {
      const [ours, rust, all] = [sample(run, 1), Number(await ask('time')) / 1e6, sample(byDefault, 1)]
      times.push([ours, rust, all])
    }
    child.stdin.end()
    const [ours, rust, all] = [0, 1, 2].map(at => shown(median(times.map(row => row[at]))))
    table([`${count} powers of 2048 bits`, 'addon', "Rust's list", "Rust's time / the addon's", "one thread's time / the addon's"], [
      ['one thread', ours, rust, median(times.map(([ours, rust]) => rust / ours)).toFixed(3), ''],
      ['default threads', all, '', '', median(times.map(([ours, , all]) => ours / all)).toFixed(3)]
    ])
  },

  /** The addon beside the loop as on other CPUs: a mask is read once in a process, so each has one. */
  async masked () {
    const rows = []
    for (const [name, mask] of MASKS) {
      const said = execFileSync(process.execPath, [SELF, '--under-mask', ...(quick ? ['--quick'] : [])], { encoding: 'utf8', env: { ...process.env, PINGALA_CPU: mask } })
      const { kernel, found } = JSON.parse(said)
      rows.push([name, kernel, ...found.flatMap(({ loop, addon }) => [shown(loop.ms), shown(addon.ms), (1 / addon.ratio).toFixed(1)])])
    }
    table(['CPU', 'kernel', '2048 bits: loop', 'addon', 'times faster'], rows)
  },

  /** The first power of a process. */
  first () {
    const rows = ['native', 'wasm'].map(backend => {
      const program = `const [b, e, n] = [3n, (1n << 511n) + 1n, (1n << 512n) - 569n]
        const start = performance.now(); const pingala = require(process.argv[1]); pingala.modPow(b, e, n); console.log(performance.now() - start)`
      const once = () => Number(execFileSync(process.execPath, ['-e', program, join(PACKAGE, 'dist/index.cjs')],
        { encoding: 'utf8', env: { ...process.env, PINGALA_BACKEND: backend, PINGALA_ADDON: ADDON } }))
      const times = Array.from({ length: quick ? 5 : 15 }, once)
      return [backend, shown(median(times)), shown(Math.min(...times))]
    })
    table(['loaded, and a first power of 512 bits', 'median', 'least'], rows)
  }
}

async function underMask () {
  const addon = load('native')
  const [b, e, n] = operands(2048)
  const found = [await compare({ loop: () => loop(b, e, n), addon: () => addon.modPow(b, e, n) }, seconds)]
  console.log(JSON.stringify({ kernel: addon.kernelName(), found }))
}

if (process.argv.includes('--under-mask')) {
  await underMask()
} else {
  const unknown = wanted.filter(name => !(name in TABLES))
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: expected some of ${Object.keys(TABLES).join(', ')}`)
  print(`Node ${process.version}, ${cpus()[0].model}, load average ${loadavg()[0].toFixed(1)}, ${new Date().toISOString().slice(0, 10)}`)
  for (const name of wanted.length > 0 ? wanted : Object.keys(TABLES)) await TABLES[name]()
  const file = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'bench/javascript.md')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, lines.join('\n') + '\n')
}
