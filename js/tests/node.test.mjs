// How Node chooses what runs, and both kinds of modules. Each case is a process of its own.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { buildSync } from 'esbuild'
import { ADDON, PACKAGE, ROOT, text } from './common.mjs'

const hasWasm = existsSync(join(PACKAGE, 'dist/pingala.wasm'))
const once = { skip: !hasWasm && 'the module for WebAssembly is not built' }

/** The environment of a program that chooses its backend by itself. */
const { PINGALA_ADDON, PINGALA_BACKEND, NODE_OPTIONS, NODE_TEST_CONTEXT, ...plain } = process.env

/** Runs a program in a folder where the package is installed, with or without the addon. `prepare(file)` says which file is run instead of it. */
function run (program, { addon = true, environment = {}, kind = 'cjs', prepare = file => file } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'pingala-js-'))
  try {
    cpSync(PACKAGE, join(folder, 'node_modules/pingala'), { recursive: true })
    if (addon) {
      const { platform, arch, report } = process
      const name = platform !== 'linux' ? `${platform}-${arch}` : `linux-${arch}-${report.getReport().header.glibcVersionRuntime ? 'gnu' : 'musl'}`
      const place = join(folder, 'node_modules/@pingala', name)
      mkdirSync(place, { recursive: true })
      copyFileSync(ADDON, join(place, 'pingala.node'))
      copyFileSync(join(dirname(ADDON), 'package.json'), join(place, 'package.json'))
    }
    const file = join(folder, `program.${kind}`)
    writeFileSync(file, program)
    const ended = spawnSync(process.execPath, [prepare(file)], { cwd: folder, encoding: 'utf8', env: { ...plain, ...environment } })
    return { out: ended.stdout.trim(), errors: ended.stderr, status: ended.status }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const CJS = "const p = require('pingala'); console.log(p.backend(), p.modPow(3n, 4n, 35n))"

test('the addon runs if it is there, otherwise WebAssembly with one warning', once, () => {
  assert.deepEqual(run(CJS), { out: 'native 11n', errors: '', status: 0 })
  const without = run(CJS + '; p.modPow(3n, 4n, 35n); p.isPrime(7)', { addon: false })
  assert.equal(without.out, 'wasm 11n')
  assert.equal(without.errors.match(/PingalaWarning/g).length, 1, without.errors)
})

test('PINGALA_BACKEND', once, () => {
  assert.deepEqual(run(CJS, { environment: { PINGALA_BACKEND: 'wasm' } }), { out: 'wasm 11n', errors: '', status: 0 })
  assert.equal(run(CJS, { environment: { PINGALA_BACKEND: 'wasm' }, addon: false }).errors, '')
  assert.equal(run(CJS, { environment: { PINGALA_BACKEND: 'native' } }).out, 'native 11n')
  const failed = run(CJS, { environment: { PINGALA_BACKEND: 'native' }, addon: false })
  assert.notEqual(failed.status, 0)
  assert.match(failed.errors, /PINGALA_BACKEND=native, and the addon @pingala\/\S+ cannot be loaded/)
  assert.match(run(CJS, { environment: { PINGALA_BACKEND: 'fast' } }).errors, /PINGALA_BACKEND is "fast"/)
})

test('ESM and CommonJS share one engine, and a program with workers ends', once, () => {
  const program = `
    import * as names from 'pingala'
    import { createRequire } from 'node:module'
    const other = createRequire(import.meta.url)('pingala')
    console.log(Object.keys(names).length === Object.keys(other).length, names.modPow === other.modPow)
    console.log(await names.modPowAsync(3n, 4n, 35n), names.backend())`
  for (const backend of ['native', 'wasm']) {
    assert.deepEqual(run(program, { kind: 'mjs', environment: { PINGALA_BACKEND: backend } }), { out: `true true\n11n ${backend}`, errors: '', status: 0 })
  }
})

test('in threads of Node', once, () => {
  const program = `
    const { Worker, isMainThread, parentPort } = require('node:worker_threads')
    const p = require('pingala')
    if (isMainThread) {
      let left = 4
      for (let i = 0; i < 4; i++) new Worker(__filename).on('message', m => { console.log(m); if (--left === 0) console.log(p.modPow(3n, 4n, 35n)) })
    } else {
      p.modPowAsync(3n, 4n, 35n).then(value => parentPort.postMessage(String(value + p.modPow(2n, 3n, 35n))))
    }`
  for (const backend of ['native', 'wasm']) {
    assert.deepEqual(run(program, { environment: { PINGALA_BACKEND: backend } }), { out: '19\n19\n19\n19\n11n', errors: '', status: 0 })
  }
})

// A task has a thread of its own, and takes hours. On one processor one of them runs at a time.
const threads = { skip: once.skip || (process.platform !== 'linux' && 'counts threads in /proc') }
test('a thread of Node that ends ends its tasks', threads, () => {
  const program = `
    const { Worker, isMainThread, parentPort } = require('node:worker_threads')
    const { setTimeout: sleep } = require('node:timers/promises')
    const { readdirSync, readFileSync } = require('node:fs')
    const p = require('pingala')
    const m = (1n << 16384n) - 12345n
    const name = thread => { try { return readFileSync('/proc/self/task/' + thread + '/comm', 'utf8') } catch { return '' } }
    const tasks = () => readdirSync('/proc/self/task').filter(thread => name(thread) === 'pingala\\n').length
    if (isMainThread) {
      const tried = async () => {
        for (let round = 0; round < 3; round++) {
          const worker = new Worker(__filename)
          await new Promise(resolve => worker.once('message', resolve))
          while (tasks() === 0) await sleep(1)
          await worker.terminate()
          while (tasks() !== 0) await sleep(1)
        }
        console.log(p.modPow(3n, 4n, 35n))
      }
      tried()
    } else {
      p.modPowListAsync(Array.from({ length: 300000 }, (_, at) => BigInt(at + 2)), m - 1n, m, { threads: 1, onProgress () {} })
      p.modPowAsync(3n, 1n << 10000000n, m)
      parentPort.postMessage('started')
    }`
  assert.deepEqual(run(program, { environment: { PINGALA_BACKEND: 'native' } }), { out: '11n', errors: '', status: 0 })
})

test('a worker whose script is not there', once, () => {
  const program = `
    const p = require('pingala')
    p.configure({ workerUrl: '/nowhere/worker.cjs', workers: 1 })
    p.modPowAsync(3n, 4n, 35n).catch(error => { console.log(error.code); p.configure({ workerUrl: null }) })`
  assert.equal(run(program, { environment: { PINGALA_BACKEND: 'wasm' } }).out, 'interrupted')
})

/** Bundles a program by esbuild, and puts files of the package beside the bundle. */
function bundled (settings, files = []) {
  return file => {
    const built = join(dirname(file), 'built')
    const outfile = join(built, `bundle.${settings.format === 'esm' ? 'mjs' : 'cjs'}`)
    buildSync({ entryPoints: [file], outfile, bundle: true, platform: 'node', logLevel: 'error', ...settings })
    for (const name of files) copyFileSync(join(PACKAGE, 'dist', name), join(built, name))
    return outfile
  }
}

test('a bundle for Node has the package outside, or its files beside it', once, () => {
  const program = `
    import { backend, isPrime, modPow, modPowListAsync } from 'pingala'
    modPowListAsync([3n, 4n], 5n, 35n).then(list => console.log(backend(), modPow(3n, 4n, 35n), isPrime(2n ** 89n - 1n), ...list))`
  const ran = (prepare, environment = {}, addon = true) => run(program, { kind: 'mjs', prepare, environment, addon })
  const inside = bundled({ format: 'cjs' }, ['pingala.wasm', 'powers.wasm', 'worker.cjs'])
  for (const backend of ['native', 'wasm']) {
    const expected = { out: `${backend} 11n true 33n 9n`, errors: '', status: 0 }
    const environment = { PINGALA_BACKEND: backend }
    assert.deepEqual(ran(bundled({ format: 'esm', external: ['pingala'] }), environment), expected)
    assert.deepEqual(ran(bundled({ format: 'cjs', packages: 'external' }), environment), expected)
    assert.deepEqual(ran(inside, environment), expected)
  }
  assert.equal(ran(inside, { PINGALA_BACKEND: 'wasm' }, false).out, 'wasm 11n true 33n 9n')
  // Without the files the error says what to do.
  const { errors, status } = ran(bundled({ format: 'cjs' }), { PINGALA_BACKEND: 'wasm' })
  assert.notEqual(status, 0)
  assert.match(errors, /pingala\.wasm is not in \S+, where this script is\. A bundle for Node keeps the package outside/)
})

/** Runs the programs of a page that import the package; how many there are. */
function runs (page) {
  const examples = [...text(page).matchAll(/```js\n([^]*?)```/g)].map(([, example]) => example).filter(example => example.includes("from 'pingala'"))
  for (const example of examples) {
    const { status, errors } = run(example, { kind: 'mjs' })
    assert.equal(status, 0, `${page}\n${example}\n${errors}`)
  }
  return examples.length
}

test('the examples of the page', once, () => assert.ok(runs('docs/javascript.md') >= 3))

test('the example of the package', once, () => assert.equal(runs('js/README.md'), 1))

test('the front page of the site', once, () => assert.equal(runs('docs/site/pages/index.md'), 1))

test('the recipes', once, () => {
  const pages = readdirSync(join(ROOT, 'docs/recipes')).filter(name => name.endsWith('.md'))
  assert.ok(pages.reduce((count, name) => count + runs(`docs/recipes/${name}`), 0) >= 5)
})
