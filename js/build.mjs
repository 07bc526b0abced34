// Builds the package and this platform's addon, and packs both.
//
//     node build.mjs [--wasm FILE --powers FILE] [--addon FILE] [--platform NAME] [--only-addon] [--out FOLDER]
//
// FOLDER (../target/js) gets package/ and addon/, and the packed ones as *.tgz. --wasm is the module of all operations, --powers the small one;
// both are made smaller by wasm-opt. Without them the package is for tests of the addon, and is not packed; with --only-addon there is none.
// An addon of another platform comes without symbols of debuggers.

import { build } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PREBUILT } from './src/prebuilt.js'

const HERE = dirname(fileURLToPath(import.meta.url))
const ROOT = dirname(HERE)
const LICENCES = ['LICENSE-APACHE', 'LICENSE-MIT', 'THIRD-PARTY-NOTICES.txt']

const { values } = parseArgs({
  options: {
    wasm: { type: 'string' },
    powers: { type: 'string' },
    addon: { type: 'string' },
    platform: { type: 'string' },
    'only-addon': { type: 'boolean' },
    out: { type: 'string' }
  }
})
const out = resolve(values.out ?? join(ROOT, 'target/js'))
const cargo = readFileSync(join(ROOT, 'Cargo.toml'), 'utf8')
const field = name => cargo.match(new RegExp(`^${name} = "(.*)"`, 'm'))[1]
const common = {
  version: field('version'),
  license: field('license'),
  author: 'The Pingala developers',
  repository: { type: 'git', url: `git+${field('repository')}.git` },
  engines: { node: '>=20' }
}

function folder (name) {
  const path = join(out, name)
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { recursive: true })
  for (const licence of LICENCES) copyFileSync(join(ROOT, licence), join(path, licence))
  return path
}

function writeJson (path, content) {
  writeFileSync(path, JSON.stringify(content, null, 2) + '\n')
}

function pack (path) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  execFileSync(npm, ['pack', '--silent', '--pack-destination', out], { cwd: path, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' })
}

async function bundle (entry, file, settings) {
  await build({
    entryPoints: [join(HERE, 'src', entry)],
    outfile: file,
    bundle: true,
    legalComments: 'none',
    logLevel: 'warning',
    target: 'es2022',
    ...settings
  })
}

/** The module as wasm-opt leaves it: a tenth smaller, with its names stripped. It is made again only if the module is newer. */
function optimised (wasm, name) {
  const made = join(out, name)
  if ((statSync(made, { throwIfNoEntry: false })?.mtimeMs ?? 0) < statSync(wasm).mtimeMs) {
    const wasmOpt = join(HERE, 'node_modules/binaryen/bin/wasm-opt')
    execFileSync(process.execPath, [wasmOpt, '-Oz', '--strip-debug', '--strip-producers', wasm, '-o', made], { stdio: 'inherit' })
  }
  return made
}

/** The package itself: Node gets CommonJS and a module that names its exports, so that both share one engine. */
async function buildPackage (wasm, powers) {
  const path = folder('package')
  const dist = join(path, 'dist')
  mkdirSync(dist)
  const node = { platform: 'node', format: 'cjs' }
  await bundle('node.js', join(dist, 'index.cjs'), node)
  await bundle('worker-node.js', join(dist, 'worker.cjs'), node)
  if (wasm === undefined) return
  const modules = { 'pingala.wasm': optimised(wasm, 'pingala.wasm'), 'powers.wasm': optimised(powers, 'powers.wasm') }
  for (const [name, made] of Object.entries(modules)) copyFileSync(made, join(dist, name))
  const browser = { platform: 'browser', format: 'esm', plugins: [inline(modules)] }
  await bundle('browser.js', join(dist, 'browser.mjs'), browser)
  await bundle('browser-powers.js', join(dist, 'browser-powers.mjs'), browser)
  await bundle('worker-browser.js', join(dist, 'worker.mjs'), { ...browser, footer: { js: 'export {}' } })
  const names = Object.keys(createRequire(import.meta.url)(join(dist, 'index.cjs'))).sort()
  writeFileSync(join(dist, 'index.mjs'), `import pingala from './index.cjs'\n\nexport const {\n  ${names.join(',\n  ')}\n} = pingala\n`)
  for (const [name, kind] of [['index', 'cts'], ['index', 'mts'], ['powers', 'cts'], ['powers', 'mts']]) {
    const types = readFileSync(join(HERE, `${name}.d.ts`), 'utf8')
    writeFileSync(join(dist, `${name}.d.${kind}`), types.replaceAll("'./index'", `'./index.${kind.replace('ts', 'js')}'`))
  }
  copyFileSync(join(HERE, 'README.md'), join(path, 'README.md'))
  cpSync(join(HERE, 'demo'), join(path, 'demo'), { recursive: true })
  const page = join(path, 'demo/index.html')
  writeFileSync(page, readFileSync(page, 'utf8').replace('"../../docs/javascript.md"', `"${field('repository')}/blob/main/docs/javascript.md"`))
  writeJson(join(path, 'package.json'), {
    name: 'pingala',
    description: 'Modular powers of big integers: native speed in Node, WebAssembly in browsers. A drop-in modPow.',
    ...common,
    keywords: ['modpow', 'bigint', 'modular', 'exponentiation', 'webassembly', 'prime', 'rsa'],
    type: 'module',
    main: './dist/index.cjs',
    module: './dist/index.mjs',
    types: './dist/index.d.cts',
    sideEffects: ['./dist/*'],
    exports: {
      '.': {
        node: {
          import: { types: './dist/index.d.mts', default: './dist/index.mjs' },
          require: { types: './dist/index.d.cts', default: './dist/index.cjs' }
        },
        default: { types: './dist/index.d.mts', default: './dist/browser.mjs' }
      },
      './powers': {
        node: {
          import: { types: './dist/powers.d.mts', default: './dist/index.mjs' },
          require: { types: './dist/powers.d.cts', default: './dist/index.cjs' }
        },
        default: { types: './dist/powers.d.mts', default: './dist/browser-powers.mjs' }
      },
      './package.json': './package.json'
    },
    files: ['dist', 'demo', 'powers', ...LICENCES],
    optionalDependencies: Object.fromEntries(PREBUILT.map(platform => [`@pingala/${platform}`, common.version]))
  })
  // Programs that resolve folders instead of exports, such as TypeScript's old mode, find pingala/powers here.
  mkdirSync(join(path, 'powers'))
  writeJson(join(path, 'powers', 'package.json'), { type: 'module', main: '../dist/index.cjs', module: '../dist/index.mjs', types: '../dist/powers.d.cts' })
  pack(path)
}

/** A module as text in base64: what imports it decodes it. */
function inline (modules) {
  return {
    name: 'inline',
    setup (build) {
      build.onResolve({ filter: /^\.\/\w+\.wasm$/ }, ({ path }) => ({ path: modules[path.slice(2)], namespace: 'inline' }))
      build.onLoad({ filter: /./, namespace: 'inline' }, ({ path }) => ({
        contents: `export default ${JSON.stringify(readFileSync(path).toString('base64'))}`,
        loader: 'js'
      }))
    }
  }
}

/** The addon of one platform. */
function buildAddon (addon, platform) {
  const path = folder('addon')
  const file = join(path, 'pingala.node')
  copyFileSync(addon, file)
  try {
    // Symbols of debuggers are 19 of 20 bytes.
    if (platform === here()) execFileSync('strip', ['--strip-debug', file], { stdio: 'ignore' })
  } catch {
    console.error('no strip here: the addon keeps the symbols of debuggers')
  }
  const [os, cpu, libc] = platform.split('-')
  writeFileSync(join(path, 'README.md'), `The native addon of the package pingala for ${platform}. Install pingala, which depends on it.\n`)
  writeJson(join(path, 'package.json'), {
    name: `@pingala/${platform}`,
    description: `The native addon of pingala for ${platform}`,
    ...common,
    main: 'pingala.node',
    files: ['pingala.node', ...LICENCES],
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' ? { libc: [libc === 'musl' ? 'musl' : 'glibc'] } : {})
  })
  pack(path)
}

/** The platform of this machine. */
function here () {
  const { platform, arch } = process
  if (platform !== 'linux') return `${platform}-${arch}`
  return `linux-${arch}-${process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'gnu'}`
}

mkdirSync(out, { recursive: true })
if (!values['only-addon']) await buildPackage(values.wasm, values.powers)
if (values.addon !== undefined) buildAddon(values.addon, values.platform ?? here())
