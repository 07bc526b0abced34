// The engine that runs: chosen once, at the first call.

import * as op from './generated/operations.js'
import { PingalaError, badArgument } from './errors.js'

let platform = null
let chosen = null
let facts = null

/** Called by the entry of each platform, before anything else. */
export function install (ours) {
  platform = ours
}

export function onPlatform () {
  return platform
}

export function engine () {
  chosen ??= platform.engine()
  return chosen
}

/** Compiles the module of all operations without blocking the thread, where WebAssembly runs. */
export async function init () {
  const current = engine()
  if (current.name === 'wasm') {
    await current.compiledLater()
    current.adopt()
  }
}

/** Whether the native addon runs, or WebAssembly. */
export function backend () {
  return engine().name
}

function information () {
  facts ??= call({ operation: op.INFORMATION }).split('\n')
  return facts
}

/** The kernel of powers of 2,048 bits, as the explanations name it. */
export function kernelName () {
  return information()[1]
}

/** The version of the engine. */
export function version () {
  return information()[0]
}

/** Computes a request on this thread. */
export function call (request) {
  return engine().call(request, subject => subject === undefined ? 0 : subject.handle())
}

let lastId = 0

const collected = typeof FinalizationRegistry === 'undefined'
  ? { register () {}, unregister () {} }
  : new FinalizationRegistry(held => release(held))

function release ({ id, handle, generation }) {
  engine().close(handle, generation)
  platform.forget(id)
}

/**
 * An object of the engine. `recipe()` gives the request that makes it: an engine that lost its memory makes it again, and so does each
 * worker.
 */
export class Resource {
  constructor (name, recipe, handle, generation) {
    this.name = name
    this.recipe = recipe
    this.closed = false
    /** Calls elsewhere that need the object, also after it was closed. */
    this.users = 0
    /** What is wiped with the object. */
    this.secrets = []
    this.id = ++lastId
    this.held = { id: this.id, handle, generation }
    if (handle !== undefined) collected.register(this, this.held, this)
  }

  /** Error if the object was closed. */
  check () {
    if (this.closed) throw badArgument(`the ${this.name} was closed`)
  }

  handle () {
    if (this.recipe === null) this.check()
    const current = engine()
    if (this.held.handle === undefined || this.held.generation !== current.generation) {
      const request = this.recipe()
      const handle = current.call(request, subject => subject === undefined ? 0 : subject.handle())
      collected.unregister(this)
      this.held = { id: this.id, handle, generation: current.generation }
      collected.register(this, this.held, this)
    }
    return this.held.handle
  }

  /** Keeps what a call elsewhere needs until `leave`, as often as it is called. */
  enter () {
    this.check()
    this.users += 1
  }

  leave () {
    this.users -= 1
    if (this.closed && this.users === 0) this.free()
  }

  close () {
    if (this.closed) return
    this.closed = true
    if (this.users === 0) this.free()
  }

  free () {
    this.recipe = null
    collected.unregister(this)
    if (this.held.handle !== undefined) release(this.held)
    // Workers may have it, though this thread never made it.
    else platform.forget(this.id)
    for (const one of this.secrets) one.fill(0)
  }
}

/** Properties that are no part of the interface: printing an object does not show them, secrets among them. */
export function hidden (object, properties) {
  for (const [name, value] of Object.entries(properties)) Object.defineProperty(object, name, { value })
}

/** An error of the engine for which a caller has a sentence of its own. */
export function hasCode (error, code) {
  return error instanceof PingalaError && error.code === code
}
