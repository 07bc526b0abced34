// The packed packages, as users get them: installed into an empty folder, bundled by Vite and webpack, their types, other versions of Node.
//
//     node hardening/packages.mjs      (npm ci in this folder first; the versions of Node come from npm)

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import puppeteer from 'puppeteer-core'
import { ADDON, HERE as TESTS, PACKAGE } from '../tests/paths.mjs'
import { serve } from '../tests/serve.mjs'
import { installed } from './installed.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))
const OUT = dirname(PACKAGE)
const tool = name => join(HERE, 'node_modules/.bin', name)
/** The versions of Node beside the one that runs this. */
const NODES = ['22', '24', 'latest']
const counts = { passed: 0, failed: 0, skipped: 0 }

function run (program, given, cwd, environment = {}) {
  return execFileSync(program, given, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment }, maxBuffer: 1 << 28 })
}

/** What this machine lacks for a test. */
class Skipped extends Error {}

async function tried (name, test) {
  try {
    await test()
    counts.passed += 1
    console.log(`${name}: passed`)
  } catch (error) {
    if (error instanceof Skipped) {
      counts.skipped += 1
      return console.log(`SKIPPED: ${name}: ${error.message}`)
    }
    counts.failed += 1
    console.log(`${name}: FAILED: ${[error.message, error.stdout, error.stderr].filter(Boolean).join('\n').split("\n").filter(line => !/^(# Sub|ok |  ---|  \.\.\.|  duration|  type)/.test(line)).join("\n").slice(0, 3000)}`)
  }
}

const tarballs = readdirSync(OUT).filter(name => name.endsWith('.tgz')).map(name => join(OUT, name))
const main = tarballs.find(name => /pingala-\d/.test(name))
const folder = mkdtempSync(join(tmpdir(), 'pingala-packages-'))

await tried('publint', () => run(tool('publint'), ['--strict', main], folder))
await tried('attw', () => run(tool('attw'), [main], folder))

await tried('npm install into an empty folder', () => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  run('npm', ['install', '--no-audit', '--no-fund', '--offline', '--loglevel=error', ...tarballs], folder)
  const program = "import { backend, modPow } from 'pingala'; console.log(backend(), modPow(3n, 4n, 35n))"
  const said = run(process.execPath, ['--input-type=module', '-e', program], folder).trim()
  if (said !== 'native 11n') throw new Error(said)
})

await tried('types', () => {
  writeFileSync(join(folder, 'use.ts'), `import { FixedBase, Modulus, modPow, modPowList, modPowListAsync } from 'pingala'
const a: bigint = modPow(3, 4n, 35n, [[5, 1], 7n])
const b: Uint8Array = modPow(3n, 4n, new Uint8Array([35]))
const c: bigint[] = modPowList([1n], 2, [35n])
const d: bigint = new Modulus(35n).pow(3, 4)
const e: Promise<Uint8Array[]> = modPowListAsync([1n], 2, [new Uint8Array([35])], { signal: new AbortController().signal })
const f: bigint = new FixedBase(3, 35n, { exponentBits: 8 }).pow(3)
// @ts-expect-error: no text
modPow('3', 4n, 35n)
export { a, b, c, d, e, f }
`)
  run(tool('tsc'), ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext', '--types', '', 'use.ts'], folder)
})

const WEBPACK = JSON.stringify(join(HERE, 'node_modules/webpack/lib/index.js'))
const DIST = join(folder, 'node_modules/pingala/dist')

/** Empty folders for a source and what is built of it. */
function places () {
  const both = [join(folder, 'source'), join(folder, 'built')]
  for (const place of both) {
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place)
  }
  return both
}

/** Runs webpack with settings, which are text of JavaScript. */
function webpack (settings) {
  const program = `
    import webpack from ${WEBPACK}
    webpack({ mode: 'production', devtool: false, performance: { hints: false }, ${settings} }, (error, stats) => {
      if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1) }
    })`
  run(process.execPath, ['--input-type=module', '-e', program], folder)
}

/** Builds a program that runs on workers, and runs it in chromium under a strict policy. `setUp` is its first line. */
async function inBrowser (build, setUp = '') {
  const chromium = installed('chromium')
  if (chromium === undefined) throw new Skipped('there is no chromium')
  const [source, built] = places()
  writeFileSync(join(source, 'main.js'), `import { backend, configure, modPow, modPowListAsync } from 'pingala'
${setUp}
modPowListAsync([3n, 4n], 5n, 35n).then(list => { globalThis.outcome = [backend(), modPow(3n, 4n, 35n), ...list].join(' ') }, error => { globalThis.outcome = String(error) })
`)
  writeFileSync(join(source, 'index.html'), '<!doctype html><title>page</title><script type="module" src="./main.js"></script>')
  build(source, built)
  const server = await serve(built)
  const driver = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'] })
  try {
    const page = await driver.newPage()
    await page.goto(`${server.address}/index.html`)
    await page.waitForFunction(() => globalThis.outcome !== undefined, { timeout: 30_000 })
    const outcome = await page.evaluate(() => globalThis.outcome)
    if (outcome !== 'wasm 11 33 9') throw new Error(outcome)
  } finally {
    await driver.close()
    server.close()
  }
}

await tried('Vite', () => inBrowser((source, built) => run(tool('vite'), ['build', source, '--outDir', built, '--emptyOutDir', '--logLevel', 'error'], folder)))

await tried('webpack', () => inBrowser((source, built) => {
  webpack(`entry: ${JSON.stringify(join(source, 'main.js'))}, output: { path: ${JSON.stringify(built)}, filename: 'main.js' }`)
  writeFileSync(join(built, 'index.html'), '<!doctype html><title>page</title><script src="./main.js"></script>')
}))

await tried('esbuild', () => inBrowser((source, built) => {
  run(tool('esbuild'), [join(source, 'main.js'), '--bundle', '--format=esm', `--outfile=${join(built, 'main.js')}`, '--log-level=error'], folder)
  cpSync(join(source, 'index.html'), join(built, 'index.html'))
  cpSync(join(DIST, 'worker.mjs'), join(built, 'worker.mjs'))
}, "configure({ workerUrl: '/worker.mjs' })"))

/** Builds a program for Node, and runs it on both backends. `build` gives the file that is run. */
function inNode (build) {
  const [source, built] = places()
  const main = join(source, 'main.mjs')
  writeFileSync(main, `import { backend, isPrime, modPow, modPowListAsync } from 'pingala'
modPowListAsync([3n, 4n], 5n, 35n).then(list => console.log(backend(), modPow(3n, 4n, 35n), isPrime(2n ** 89n - 1n), ...list))
`)
  const file = build(main, built)
  for (const backend of ['native', 'wasm']) {
    const said = run(process.execPath, [file], built, { PINGALA_BACKEND: backend }).trim()
    if (said !== `${backend} 11n true 33n 9n`) throw new Error(said)
  }
}

const forNode = (main, built, more) => `target: 'node', entry: ${JSON.stringify(main)}, output: { path: ${JSON.stringify(built)}, filename: 'main.cjs' }, ${more}`

await tried('webpack for Node, the package outside', () => inNode((main, built) => {
  webpack(forNode(main, built, "externals: { pingala: 'commonjs pingala' }"))
  return join(built, 'main.cjs')
}))

await tried('webpack for Node, the package inside', () => inNode((main, built) => {
  webpack(forNode(main, built, ''))
  for (const name of ['pingala.wasm', 'powers.wasm', 'worker.cjs']) cpSync(join(DIST, name), join(built, name))
  return join(built, 'main.cjs')
}))

await tried('Vite for Node', () => inNode((main, built) => {
  run(tool('vite'), ['build', '--ssr', main, '--outDir', built, '--emptyOutDir', '--logLevel', 'error'], folder)
  return join(built, readdirSync(built).find(name => /^main\.m?js$/.test(name)))
}))

await tried('esbuild for Node', () => inNode((main, built) => {
  run(tool('esbuild'), [main, '--bundle', '--platform=node', '--format=esm', '--external:pingala', `--outfile=${join(built, 'main.mjs')}`, '--log-level=error'], folder)
  return join(built, 'main.mjs')
}))

for (const version of NODES) {
  await tried(`Node ${version}`, () => {
    const place = join(folder, `node-${version}`)
    mkdirSync(place)
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'other', private: true, allowScripts: { node: true } }))
    // The package node copies the program from a package of this platform by a script; that package is enough.
    const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    let exact
    try {
      exact = JSON.parse(run('npm', ['view', `node@${version}`, 'version', '--json'], place))
    } catch {
      throw new Skipped('npm does not reach its registry')
    }
    run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${platform}@${Array.isArray(exact) ? exact.at(-1) : exact}`], place)
    const program = join(place, 'node_modules', platform, 'bin/node')
    const said = run(program, [join(TESTS, 'run.mjs')], place, { PINGALA_CASES: '20000', PINGALA_ADDON: ADDON })
    console.log(`  ${run(program, ['--version']).trim()} ${said.trim().split('\n').at(-1)}`)
  })
}

rmSync(folder, { recursive: true, force: true })
console.log(`packages: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(counts.failed > 0 ? 1 : 0)
