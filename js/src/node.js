// Node: the addon if there is one for this platform, otherwise WebAssembly.

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { install } from './engine.js'
import { PingalaError, badArgument } from './errors.js'
import { forget } from './later.js'
import { NativeEngine } from './native.js'
import { WasmEngine } from './wasm.js'
import { PREBUILT } from './prebuilt.js'

/** The name of this platform in the names of packages. */
function platformName () {
  const { platform, arch, report } = process
  if (platform !== 'linux') return `${platform}-${arch}`
  const musl = report?.getReport?.().header.glibcVersionRuntime === undefined
  return `linux-${arch}-${musl ? 'musl' : 'gnu'}`
}

/** Loads the addon by a `require` that no bundler follows: webpack would put every file of every package of the scope into the bundle. */
function loadAddon () {
  return createRequire(__filename)(process.env.PINGALA_ADDON || `@pingala/${platformName()}`)
}

/** The error of a file that is not beside this script. A bundle has this script inside, and not the files beside it. */
function missing (name, cause) {
  return cause.code !== 'ENOENT' ? cause : new PingalaError('bad_argument', `bad argument: ${name} is not in ${__dirname}, where this script is. A bundle for Node keeps the ` +
    "package outside (webpack: externals: { pingala: 'commonjs pingala' }; esbuild: --external:pingala), or has pingala.wasm, powers.wasm and worker.cjs, " +
    'which are in the folder dist of the package, beside itself')
}

function compile (name) {
  let code
  try {
    code = readFileSync(join(__dirname, name))
  } catch (error) {
    throw missing(name, error)
  }
  return new WebAssembly.Module(code)
}

async function compileLater () {
  const code = await readFile(join(__dirname, 'pingala.wasm')).catch(error => { throw missing('pingala.wasm', error) })
  return WebAssembly.compile(code)
}

const modules = { small: () => compile('powers.wasm'), whole: () => compile('pingala.wasm') }

function chooseEngine () {
  const wanted = process.env.PINGALA_BACKEND ?? ''
  if (!['', 'native', 'wasm'].includes(wanted)) throw badArgument(`PINGALA_BACKEND is ${JSON.stringify(wanted)}, and not native or wasm`)
  if (wanted !== 'wasm') {
    try {
      return new NativeEngine(loadAddon())
    } catch (error) {
      if (wanted === 'native') {
        throw Object.assign(new Error(`PINGALA_BACKEND=native, and the addon @pingala/${platformName()} cannot be loaded: ${error.message}`), { cause: error, code: 'bad_argument' })
      }
      if (PREBUILT.includes(platformName())) {
        process.emitWarning(`the addon @pingala/${platformName()} cannot be loaded, so WebAssembly runs, which is slower: ${error.message.split('\n')[0]}`, 'PingalaWarning')
      }
    }
  }
  return new WasmEngine(modules, compileLater)
}

const platform = {
  workerUrl: undefined,
  engine: chooseEngine,
  cores: () => availableParallelism(),
  forget,
  connect (onMessage, onEnd) {
    // Loaded late: it takes Node as long as the first power.
    const { Worker } = require('node:worker_threads')
    const worker = new Worker(platform.workerUrl ?? join(__dirname, 'worker.cjs'))
    worker.unref()
    worker.on('message', onMessage)
    worker.on('error', error => onEnd(error.message))
    worker.on('exit', code => onEnd(`exit code ${code}`))
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      hold: busy => busy ? worker.ref() : worker.unref(),
      end: () => worker.terminate()
    }
  }
}

install(platform)

export * from './index.js'
