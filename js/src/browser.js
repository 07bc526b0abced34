// Browsers, and everything else that has no addons: WebAssembly, whose module is inside this file.

import wasm from './pingala.wasm'
import { install } from './engine.js'
import { forget } from './later.js'
import { WasmEngine } from './wasm.js'

function code () {
  const text = atob(wasm)
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return bytes
}

const platform = {
  engine: () => new WasmEngine(() => new WebAssembly.Module(code()), async () => WebAssembly.compile(code())),
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

install(platform)

export * from './index.js'
