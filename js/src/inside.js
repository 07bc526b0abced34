// The platform of a script that has its module inside, as text in base64.

import { install } from './engine.js'
import { forget } from './later.js'
import { WasmEngine } from './wasm.js'

function code (wasm) {
  const text = atob(wasm)
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return bytes
}

const platform = {
  cores: () => globalThis.navigator?.hardwareConcurrency ?? 4,
  forget,
  workerUrl: undefined,
  connect (onMessage, onEnd) {
    // In this form Vite and webpack find the worker.
    const worker = platform.workerUrl === undefined
      ? new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' })
      : new Worker(platform.workerUrl, { type: 'module' })
    worker.onmessage = ({ data }) => onMessage(data)
    worker.onmessageerror = () => onEnd('a message could not be read')
    worker.onerror = event => {
      event.preventDefault?.()
      onEnd(event.message ?? 'it could not be started; is worker.mjs beside the script, and allowed by the policy?')
    }
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      hold () {},
      end: () => worker.terminate()
    }
  }
}

/** Installs the engine of a module: `small` or `whole`. */
export function installModule (size, wasm) {
  install(Object.assign(platform, {
    engine: () => new WasmEngine({ [size]: () => new WebAssembly.Module(code(wasm)) }, async () => WebAssembly.compile(code(wasm)))
  }))
}
