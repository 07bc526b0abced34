// One instance of the module for WebAssembly. Main threads and workers use the same.

import { PingalaError } from './errors.js'
import { timeoutOf } from './message.js'

/** Most bytes that getRandomValues fills at a time. */
const RANDOM = 65536

/** A running module. A call that traps leaves it unusable: `dead` is set, and the caller makes another one. */
export class Instance {
  constructor (module, onProgress = () => {}) {
    this.dead = false
    /** When the call that runs has to end. */
    this.end = Infinity
    this.said = ''
    const { exports } = new WebAssembly.Instance(module, {
      pingala: {
        random: (to, length) => {
          const memory = new Uint8Array(exports.memory.buffer, to >>> 0, length >>> 0)
          try {
            for (let at = 0; at < length; at += RANDOM) globalThis.crypto.getRandomValues(memory.subarray(at, at + RANDOM))
            return 1
          } catch {
            return 0
          }
        },
        progress: (finished, total) => onProgress(finished, total),
        stopped: () => performance.now() > this.end ? 1 : 0,
        panicked: (text, length) => { this.said = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, text >>> 0, length >>> 0)) }
      }
    })
    this.exports = exports
  }

  /** The answer of a message, which is wiped, with `use` applied while it is in the memory of the module. */
  call (message, use) {
    const { exports } = this
    const timeout = timeoutOf(message)
    this.end = timeout === 0 ? Infinity : performance.now() + timeout
    try {
      const room = exports.room(message.byteLength) >>> 0
      if (room === 0) throw new PingalaError('bad_argument', 'bad argument: there is no memory for this call')
      new Uint8Array(exports.memory.buffer, room, message.byteLength).set(message)
      const answer = exports.call()
      const result = use(new Uint8Array(exports.memory.buffer, answer >>> 0, exports.length() >>> 0))
      exports.release()
      return result
    } catch (error) {
      if (error instanceof PingalaError) {
        exports.release()
        throw error
      }
      // Without memory the module stops; when it panics it says so first. A deep recursion is a RangeError of the engine of JavaScript.
      this.dead = true
      if (this.said !== '') throw new PingalaError('fault', `fault: the library panicked; please report it: ${this.said}`)
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
        throw new PingalaError('bad_argument', 'bad argument: there is no memory for this call')
      }
      throw error
    } finally {
      message.fill(0)
    }
  }

  close (handle) {
    if (!this.dead) this.exports.close(handle)
  }
}
