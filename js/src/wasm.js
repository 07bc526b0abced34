// The engine for WebAssembly on this thread.

import { Instance } from './instance.js'
import { decode, encode } from './message.js'

export class WasmEngine {
  /** `compile()` gives the compiled module, `compileLater()` a promise of it. */
  constructor (compile, compileLater) {
    this.name = 'wasm'
    /** Handles belong to a generation: they are gone with an instance that trapped. */
    this.generation = 0
    this.compile = compile
    this.compileLater = compileLater
    this.module = null
    this.compiling = null
    this.instance = null
  }

  compiled () {
    this.module ??= this.compile()
    return this.module
  }

  /** The module, compiled without blocking this thread; calls that ask at the same time share it. */
  async compiledLater () {
    if (this.module !== null) return this.module
    this.compiling ??= this.compileLater()
    try {
      const module = await this.compiling
      this.module ??= module
      return this.module
    } finally {
      this.compiling = null
    }
  }

  alive () {
    if (this.instance === null || this.instance.dead) {
      this.generation += 1
      this.instance = new Instance(this.compiled())
    }
    return this.instance
  }

  /** The handle of a request's object is asked for by `handleOf`, which may make it. */
  call (request, handleOf) {
    this.alive()
    const handle = handleOf(request.subject)
    return this.alive().call(encode(request, handle), answer => decode(answer, request.asBytes))
  }

  pow (base, exponent, modulus, powmod) {
    return this.call({ operation: powmod, numbers: [[base, exponent, modulus]] }, () => 0)
  }

  close (handle, generation) {
    if (generation === this.generation) this.instance?.close(handle)
  }
}
