// The engine that runs the modules for WebAssembly on this thread: one of all operations, and a small one of the first calls, which is loaded
// in a fraction of the time.

import * as op from './generated/operations.js'
import { answered, handed, power, takes } from './bigint.js'
import { badArgument } from './errors.js'
import { Instance } from './instance.js'
import { decode, encode } from './message.js'

/** What the small module computes. A test compares crates/pingala-js/src/calls/mod.rs. */
export const IN_SMALL = new Set([op.INFORMATION, op.POWMOD, op.INVERT, op.MODULUS, op.MODULUS_POW, op.MODULUS_INVERT])

/** Whether the small module can answer: it reads no kernels and plans. */
function isSmall ({ operation, texts = [] }) {
  return IN_SMALL.has(operation) && texts.length === 0
}

/** `modules` has a function `small`, `whole`, or both, each of which compiles a module. */
export class WasmEngine {
  /** `compileLater()` gives a promise of the module that workers run, compiled without blocking this thread. */
  constructor (modules, compileLater) {
    this.name = 'wasm'
    /** Handles belong to a generation: they are gone with an instance that trapped, or was left for the larger module. */
    this.generation = 0
    this.modules = modules
    this.compileLater = compileLater
    this.compiling = null
    this.compiled = {}
    this.size = modules.small === undefined ? 'whole' : 'small'
    this.instance = null
  }

  /** Compiles a module, once. */
  module (size) {
    this.compiled[size] ??= this.modules[size]()
    return this.compiled[size]
  }

  /** Which module workers run, and `init` loads. */
  get largest () {
    return this.modules.whole === undefined ? 'small' : 'whole'
  }

  /** The largest module, loaded into this thread; it was compiled before. */
  adopt () {
    if (this.size !== this.largest) this.grow()
    this.alive()
  }

  /** Changes to the module of all operations; objects are made again in it, as after a call that trapped. */
  grow () {
    this.size = 'whole'
    this.instance = null
  }

  /** Error: `bad_argument` for a request that no module can answer. */
  check (request) {
    if (this.modules.whole === undefined && !isSmall(request)) {
      throw badArgument('pingala/powers has powers and inverses without lists, secrets, kernels and plans; import from pingala for everything else')
    }
  }

  /** The largest module, compiled without blocking this thread; calls that ask at the same time share it. */
  async compiledLater () {
    if (this.compiled[this.largest] !== undefined) return this.compiled[this.largest]
    this.compiling ??= this.compileLater()
    try {
      const module = await this.compiling
      this.compiled[this.largest] ??= module
      return this.compiled[this.largest]
    } finally {
      this.compiling = null
    }
  }

  alive () {
    if (this.instance === null || this.instance.dead) {
      this.generation += 1
      this.instance = new Instance(this.module(this.size))
    }
    return this.instance
  }

  /** The handle of a request's object is asked for by `handleOf`, which may make it. */
  call (request, handleOf) {
    this.check(request)
    const powers = handed(request)
    if (powers !== null) return answered(powers)
    if (this.size === 'small' && !isSmall(request)) this.grow()
    this.alive()
    const handle = handleOf(request.subject)
    return this.alive().call(encode(request, handle), answer => decode(answer, request.asBytes))
  }

  pow (base, exponent, modulus, powmod) {
    if (takes(base, exponent, modulus)) return power(base, exponent, modulus)
    return this.call({ operation: powmod, numbers: [[base, exponent, modulus]] }, () => 0)
  }

  close (handle, generation) {
    if (generation === this.generation) this.instance?.close(handle)
  }
}
