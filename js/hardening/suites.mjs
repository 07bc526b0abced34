// The tests of packages that compute modular powers, with the powers and inverses of this package inside, on both backends.
//
//     node hardening/suites.mjs [NAME]...      (npm ci in this folder first; git fetches the sources into target/js-suites)
//
// A package's sources and its tests are bundled from the tag that is named here. Powers inside are counted: a suite that made none has failed.

import { build } from 'esbuild'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ADDON, PACKAGE } from '../tests/paths.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))
const OUT = join(dirname(dirname(PACKAGE)), 'js-suites')
const MODULES = join(HERE, 'node_modules')

const SUITES = {
  'bigint-mod-arith': { from: 'juanelas/bigint-mod-arith', tag: 'v3.3.1' },
  'bigint-crypto-utils': { from: 'juanelas/bigint-crypto-utils', tag: 'v3.3.0' },
  'paillier-bigint': { from: 'juanelas/paillier-bigint', tag: 'v3.4.3', needs: 'bigint-crypto-utils' },
  tssrp6a: { from: 'midonet/tssrp6a', tag: 'v3.0.0', tape: true }
}

/** A module with what the package of this name exports, but our powers and inverses; it says at the end how many calls there were. */
const ours = rest => `
import { createRequire } from 'node:module'
const pingala = createRequire(import.meta.url)(${JSON.stringify(join(PACKAGE, 'dist/index.cjs'))})
let calls = 0
process.on('exit', () => { if (calls > 0) console.error(\`calls on \${pingala.backend()}: \${calls}\`) })
export function modPow (...given) { calls += 1; return pingala.modPow(...given) }
export function modInv (...given) { calls += 1; return pingala.modInv(...given) }
${rest}`

// A bundle is a module; the sources ask for what CommonJS has.
const BANNER = `import { createRequire as makeRequire } from 'node:module'
import { fileURLToPath as toPath } from 'node:url'
const [require, __filename] = [makeRequire(import.meta.url), toPath(import.meta.url)]`

function plugin (name, source, inTests) {
  const virtual = (build, filter, path) => build.onResolve({ filter }, () => ({ path, namespace: 'ours' }))
  return {
    name: 'ours',
    setup (build) {
      const others = `export * from ${JSON.stringify(join(MODULES, 'bigint-mod-arith/dist/index.node.esm.js'))}`
      build.onLoad({ filter: /./, namespace: 'ours' }, ({ path }) => ({ contents: ours(path === 'whole' ? others : ''), loader: 'ts', resolveDir: HERE }))
      virtual(build, /^bigint-mod-arith$/, 'whole')
      if (inTests) build.onResolve({ filter: /^#pkg$/ }, () => ({ path: './package.mjs', external: true }))
      build.onResolve({ filter: /^bigint-crypto-utils$/ }, () => ({ path: '../bigint-crypto-utils/package.mjs', external: true }))
      if (name === 'bigint-mod-arith') virtual(build, /^\.\/mod(Pow|Inv)(\.js)?$/, 'powers')
      if (name === 'tssrp6a') {
        build.onLoad({ filter: /\/src\/utils\.ts$/ }, ({ path }) => {
          const text = readFileSync(path, 'utf8')
          const without = text.replace('export function modPow(', 'function theirs(')
          if (without === text) throw new Error(`${path} has no modPow`)
          return { contents: `import { modPow } from 'bigint-mod-arith'\nexport { modPow }\n${without}`, loader: 'ts' }
        })
        build.onLoad({ filter: /\/test\/tests\.ts$/ }, () => ({ contents: "import tape from 'tape-promise/tape'\nexport const test = tape", loader: 'ts' }))
      }
    }
  }
}

async function bundle (name, entry, file, inTests) {
  const source = join(OUT, 'sources', name)
  await build({
    ...entry,
    outfile: join(OUT, name, file),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    nodePaths: [MODULES],
    // Their settings of TypeScript name tools that are not here.
    tsconfigRaw: {},
    define: { IS_BROWSER: 'false', _MODULE_TYPE: '"ESM"' },
    banner: { js: BANNER },
    plugins: [plugin(name, source, inTests)]
  })
}

function fetch (name) {
  const { from, tag } = SUITES[name]
  const source = join(OUT, 'sources', name)
  if (existsSync(join(source, 'package.json'))) return source
  rmSync(source, { recursive: true, force: true })
  mkdirSync(dirname(source), { recursive: true })
  execFileSync('git', ['-c', 'advice.detachedHead=false', 'clone', '--quiet', '--depth', '1', '--branch', tag, `https://github.com/${from}.git`, source], { stdio: ['ignore', 'ignore', 'pipe'] })
  return source
}

async function prepare (name) {
  const { tape } = SUITES[name]
  const source = fetch(name)
  if (!tape) await bundle(name, { entryPoints: [join(source, 'src/ts/index.ts')] }, 'package.mjs', false)
  const tests = readdirSync(join(source, 'test')).filter(file => tape ? file.endsWith('.test.ts') : file.endsWith('.ts'))
  const first = tape ? '' : "import * as chai from 'chai'\nglobalThis.chai = chai\n"
  const imports = tests.map(file => `import ${JSON.stringify(join(source, 'test', file))}\n`).join('')
  await bundle(name, { stdin: { contents: first + imports, resolveDir: HERE, loader: 'ts' } }, 'tests.mjs', true)
}

/** Runs a suite on a backend: how many tests passed and failed, how many calls were ours, and what it printed. */
function run (name, backend) {
  const { tape } = SUITES[name]
  const program = join(OUT, name, 'tests.mjs')
  const given = tape ? [program] : [join(MODULES, 'mocha/bin/mocha.js'), '--reporter', 'tap', '--timeout', '60000', program]
  const { stdout, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, PINGALA_BACKEND: backend, PINGALA_ADDON: ADDON } })
  const sum = pattern => [...`${stdout}\n${stderr}`.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0)
  return {
    passed: sum(/^# pass +(\d+)$/gm),
    failed: sum(/^# fail +(\d+)$/gm),
    calls: sum(new RegExp(`^calls on ${backend}: (\\d+)$`, 'gm')),
    said: [...stdout.matchAll(/^not ok.*(\n +.*)*/gm)].map(([text]) => text).join('\n') + '\n' + stderr
  }
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !(name in SUITES))
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: expected some of ${Object.keys(SUITES).join(', ')}`)
const total = { passed: 0, failed: 0, skipped: 0 }
const prepared = new Set()
for (const name of wanted.length > 0 ? wanted : Object.keys(SUITES)) {
  try {
    for (const one of [SUITES[name].needs, name]) {
      if (one !== undefined && !prepared.has(one)) await prepare(one)
      prepared.add(one)
    }
  } catch (error) {
    if (error.stderr === undefined) throw error
    total.skipped += 1
    console.log(`SKIPPED: the tests of ${name}: ${String(error.stderr).trim().split('\n')[0]}`)
    continue
  }
  for (const backend of ['native', 'wasm']) {
    const { passed, failed, calls, said } = run(name, backend)
    const right = failed === 0 && passed > 0 && calls > 0
    total.passed += passed
    total.failed += right ? 0 : Math.max(1, failed)
    console.log(`${name} ${SUITES[name].tag} on ${backend}: ${passed} passed, ${failed} failed, ${calls} calls of ours${right ? '' : `\n${said}`}`)
  }
}
console.log(`suites: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 ? 1 : 0)
