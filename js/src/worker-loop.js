// What a worker does with the messages of `WorkerRunner`, whichever kind of worker it is.

import { answered } from './bigint.js'
import { PingalaError } from './errors.js'
import { Instance } from './instance.js'
import { HANDLE, decode } from './message.js'

const BETWEEN_REPORTS_MS = 40

/** `post(message, transfer)` answers. Returns the function that takes messages. */
export function workerLoop (post) {
  let module = null
  let instance = null
  let handles = new Map()
  let reported = 0

  const progress = (finished, total) => {
    const now = Date.now()
    if (now - reported < BETWEEN_REPORTS_MS) return
    reported = now
    post({ progress: [finished, total] }, [])
  }

  return ({ module: compiled, message, powers, subject, making, forget }) => {
    if (compiled !== undefined) {
      module = compiled
    } else if (forget !== undefined) {
      if (handles.has(forget)) instance?.close(handles.get(forget))
      handles.delete(forget)
    } else if (powers !== undefined) {
      post({ value: answered(powers) }, [])
    } else {
      try {
        instance ??= new Instance(module, progress)
        if (making !== undefined) handles.set(subject, instance.call(making, answer => decode(answer, false)))
        if (subject !== undefined) {
          new DataView(message.buffer, message.byteOffset, message.byteLength).setUint32(HANDLE, handles.get(subject) ?? 0, true)
        }
        const answer = instance.call(message, bytes => bytes.slice())
        post({ answer }, [answer.buffer])
      } catch (error) {
        const lost = instance === null || instance.dead || making !== undefined
        if (lost) {
          instance = null
          handles = new Map()
        }
        const { code, message, index } = error instanceof PingalaError
          ? error
          : { code: 'fault', message: `fault: ${error?.message ?? error}` }
        post({ error: { code, message, index }, lost }, [])
      }
    }
  }
}
