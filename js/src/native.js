// The engine of the native addon.

import { PingalaError } from './errors.js'
import { attached, isBytes } from './number.js'

/** An error of the addon as one of ours. */
function ours (error, index = error?.index) {
  if (error instanceof Error && typeof error.code === 'string' && !(error instanceof TypeError)) {
    return new PingalaError(error.code, error.message, index)
  }
  return error
}

export class NativeEngine {
  constructor (addon) {
    this.name = 'native'
    this.generation = 1
    this.addon = addon
  }

  call (request, handleOf) {
    const handle = handleOf(request.subject)
    try {
      return answered(this.addon.call(...written(request, handle)))
    } catch (error) {
      throw ours(error)
    }
  }

  pow (base, exponent, modulus) {
    try {
      return this.addon.pow(base, exponent, modulus)
    } catch (error) {
      throw ours(error)
    }
  }

  /** Starts a call on a thread of its own: `promise`, and `stop()`. */
  start (request, handle, onProgress) {
    let task
    const promise = new Promise((resolve, reject) => {
      task = this.addon.start(...written(request, handle), (kind, value, total) => {
        if (kind === 0) onProgress(value, total)
        else if (kind === 1) resolve(answered(value))
        else reject(ours(value))
      })
    })
    return { promise, stop: () => this.addon.stop(task) }
  }

  close (handle) {
    this.addon.close(handle)
  }
}

function written ({ operation, numbers = [], settings = [], bytes = [], texts = [], asBytes = false }, handle) {
  // A getter of an argument that was read later may have detached them.
  for (const list of numbers) for (const value of list) if (isBytes(value)) attached(value)
  for (const one of bytes) attached(one)
  return [operation, handle, asBytes ? 1 : 0, numbers, settings, bytes, texts]
}

function answered (answer) {
  if (!Array.isArray(answer)) return answer
  return answer.some(element => element instanceof Error) ? answer.map((element, index) => element instanceof Error ? ours(element, index) : element) : answer
}
