// Calls of the module for WebAssembly as messages, and its answers; crates/pingala-js/src/wasm.rs has the format.

import { PingalaError } from './errors.js'
import { MOST_BYTES, TIMEOUT, attached, noMemory, prepared, readWords, writeNumber } from './number.js'

/** The message of a call. A worker writes the handle of its own object into `HANDLE`. */
export function encode ({ operation, numbers = [], settings = [], bytes = [], texts = [], asBytes = false }, handle) {
  let length = 28 + 8 * settings.length + 4 * numbers.length
  const add = more => {
    length += 4 + more
    if (length > MOST_BYTES) throw noMemory()
  }
  const lists = numbers.map(list => list.map(value => {
    const number = prepared(value)
    add(number.length)
    return number
  }))
  const encoded = texts.map(text => new TextEncoder().encode(text))
  for (const one of encoded) add(one.byteLength)
  for (const one of bytes) add(attached(one).byteLength)
  const memory = taken(length)
  const view = new DataView(memory.buffer)
  let at = 0
  const put = value => { view.setUint32(at, value, true); at += 4 }
  put(operation)
  put(handle)
  put(asBytes ? 1 : 0)
  put(settings.length)
  for (const value of settings) { view.setFloat64(at, value, true); at += 8 }
  put(encoded.length)
  for (const one of encoded) { put(one.byteLength); memory.set(one, at); at += one.byteLength }
  put(lists.length)
  for (const list of lists) {
    put(list.length)
    for (const number of list) at = writeNumber(view, memory, at, number)
  }
  put(bytes.length)
  for (const one of bytes) { put(one.byteLength); memory.set(one, at); at += one.byteLength }
  return memory.subarray(0, at)
}

/** Zeros, or an error where there is no memory for them. */
function taken (length) {
  try {
    return new Uint8Array(length)
  } catch {
    throw noMemory()
  }
}

/** The milliseconds that the call of a message may take, 0 for no limit: the sixth of its settings. */
export function timeoutOf (memory) {
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength)
  return view.getUint32(12, true) > TIMEOUT ? view.getFloat64(16 + 8 * TIMEOUT, true) : 0
}

/** Where a message has its handle. */
export const HANDLE = 4

/** The answer of a message; an error is thrown. */
export function decode (memory, asBytes) {
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength)
  const text = (at, length) => new TextDecoder().decode(memory.subarray(at, at + length))
  const integer = at => view.getUint32(at, true)
  const number = (at, length) => asBytes ? memory.slice(at, at + length) : readWords(view, at, length / 8)
  const count = integer(4)
  let at = 8
  switch (integer(0)) {
    case 0: {
      const [code, message] = [integer(8), integer(12)]
      throw new PingalaError(text(16, code), text(16 + code, message), count > 0 ? count - 1 : undefined)
    }
    case 1: return number(at, count)
    case 2: return Array.from({ length: count }, (_, index) => {
      const head = integer(at)
      const [start, length] = [at + 4, head >>> 1]
      at = start + length
      if ((head & 1) === 0) return number(start, length)
      const [code, message] = text(start, length).split('\0')
      return new PingalaError(code, message, index)
    })
    case 3: return count
    case 4: return text(at, count)
    case 5: return memory.slice(at, at + count)
    case 6: return Array.from({ length: count }, () => {
      const [start, length] = [at + 4, integer(at)]
      at = start + length
      return memory.slice(start, at)
    })
    case 7: return Array.from({ length: count }, (_, index) => view.getInt32(at + 4 * index, true))
    default: throw new PingalaError('fault', 'fault: an answer of an unknown kind')
  }
}
