// Integers of JavaScript to and from bytes, and the checks of arguments.

import { badArgument, PingalaError, wrongType } from './errors.js'

/** The place of a time-out among the settings of a request; crates/pingala-js/src/request.rs has the others. */
export const TIMEOUT = 5

/** Longest number of a call, in bits: the longest exponent. */
export const NUMBER_BITS = 1 << 26

const CAP = BigInt(NUMBER_BITS)
const INLINE = 1n << 1024n

/** Most bytes of the numbers of a call. crates/pingala-js/src/request.rs has the same. */
export const MOST_BYTES = 2 ** 30

/** The text of a longer number is not kept until it is written: a list may have one number often. */
const KEPT_DIGITS = 1 << 16

/** Whether a value is a Uint8Array, of this realm or another. */
export function isBytes (value) {
  return ArrayBuffer.isView(value) && value[Symbol.toStringTag] === 'Uint8Array'
}

/**
 * A TypeError for a Uint8Array whose buffer is detached, or has shrunk so that the array is outside. Both have length 0, and 0 would be read.
 */
export function attached (value, what = 'an argument') {
  if (value.byteLength > 0) return value
  try {
    // Methods of typed arrays refuse both.
    Uint8Array.prototype.keys.call(value)
  } catch {
    throw new TypeError(`${what} is a Uint8Array whose buffer is detached, or too short for it`)
  }
  return value
}

/** A Uint8Array whose bytes can be read, or a TypeError: neither detached nor shared with another thread, which may change them. */
export function bytes (value, what) {
  if (!isBytes(value)) throw wrongType(what, 'a Uint8Array', value)
  const { buffer } = value
  if (Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]') {
    throw wrongType(what, 'a Uint8Array of its own (take a copy: Uint8Array.from(it))', buffer)
  }
  return attached(value, what)
}

/** The error of a call whose numbers, or results, take more memory than there is. */
export function noMemory () {
  return new PingalaError('bad_argument', 'bad argument: there is no memory for this call')
}

/** A copy of a request whose arrays no caller can change. `slice` of a Buffer would share its memory. An array that is there often is copied once. */
export function held (request) {
  const copies = new Map()
  const copy = value => {
    if (!isBytes(value)) return value
    if (!copies.has(value)) copies.set(value, new Uint8Array(attached(value)))
    return copies.get(value)
  }
  return { ...request, numbers: request.numbers?.map(list => list.map(copy)), bytes: request.bytes?.map(copy) }
}

/**
 * A number as bigint. NaN and fractions are RangeErrors, and so are numbers that are not safe integers: of those above 2^53 - 1 digits may
 * have been lost before.
 */
export function fromNumber (value, what) {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw badArgument(`${what} is the number ${value}, beyond 2^53 - 1, where numbers lose digits; write a bigint, as in 9007199254740993n`)
  }
  return BigInt(value)
}

/** A number or bigint as bigint, a Uint8Array as it is. Numbers as `fromNumber` has them, other types are TypeErrors. */
export function integer (value, what) {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return fromNumber(value, what)
  if (isBytes(value)) return bytes(value, what)
  throw wrongType(what, 'a number, a bigint or a Uint8Array', value)
}

/** A list of integers as an array. */
export function integers (values, what) {
  if (typeof values !== 'object' || values === null || isBytes(values) || typeof values[Symbol.iterator] !== 'function') {
    throw wrongType(what, 'a list', values)
  }
  return Array.from(values, (value, index) => integer(value, `${what}[${index}]`))
}

/** An optional whole number of a setting. */
export function setting (value, what, least, most, otherwise = 0) {
  if (value === undefined) return otherwise
  if (typeof value !== 'number') throw wrongType(what, 'a number', value)
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new PingalaError('bad_argument', `bad argument: ${what} is ${value}, and not a whole number from ${least} to ${most}`)
  }
  return value
}

/** Takes options apart: an unknown one is an error, because a misspelt one would be ignored. */
export function options (given, known) {
  if (given === undefined) return {}
  if (typeof given !== 'object' || given === null) throw wrongType('options', 'an object', given)
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) {
      throw new PingalaError('bad_argument', `bad argument: there is no option ${JSON.stringify(name)}; there are ${known.join(', ')}`)
    }
  }
  return given
}

const DIGITS = new Uint8Array(128)
for (let digit = 0; digit < 16; digit++) DIGITS[digit.toString(16).charCodeAt(0)] = digit

/**
 * The magnitude of a bigint as text or as itself, and how many bytes at most hold it. Text is faster for long ones, because each shift
 * copies a bigint.
 */
function measured (magnitude) {
  if (magnitude < INLINE) return { magnitude, text: null, length: 128 }
  if (magnitude >> CAP) {
    throw new PingalaError('too_long', `number of more than ${NUMBER_BITS} bits is over the cap of ${NUMBER_BITS}`)
  }
  const text = magnitude.toString(16)
  return { magnitude, text: text.length > KEPT_DIGITS ? undefined : text, length: (text.length + 1) >> 1 }
}

/** Prepares an integer for `writeNumber`. */
export function prepared (value) {
  if (typeof value === 'bigint') {
    const negative = value < 0n
    return { negative, ...measured(negative ? -value : value) }
  }
  if (attached(value).byteLength * 8 > NUMBER_BITS) {
    throw new PingalaError('too_long', `number of ${value.byteLength * 8} bits is over the cap of ${NUMBER_BITS}`)
  }
  return { bytes: value, length: value.byteLength }
}

/** Writes head and bytes of a number; returns the place behind it. */
export function writeNumber (view, memory, at, number) {
  if (number.bytes !== undefined) {
    memory.set(number.bytes, at + 4)
    view.setUint32(at, number.bytes.byteLength * 4 + 2, true)
    return at + 4 + number.bytes.byteLength
  }
  const start = at + 4
  let end = start
  if (number.text === null) {
    for (let rest = number.magnitude; rest > 0n; rest >>= 64n) {
      view.setBigUint64(end, rest, true)
      end += 8
    }
  } else {
    const text = number.text ?? number.magnitude.toString(16)
    let digit = text.length - 1
    for (; digit > 0; digit -= 2) memory[end++] = DIGITS[text.charCodeAt(digit)] | DIGITS[text.charCodeAt(digit - 1)] << 4
    if (digit === 0) memory[end++] = DIGITS[text.charCodeAt(0)]
  }
  view.setUint32(at, (end - start) * 4 + (number.negative ? 1 : 0), true)
  return end
}

/** A bigint from little-endian words of 64 bits. */
export function readWords (view, at, words) {
  if (words <= 8) {
    let value = 0n
    for (let word = words - 1; word >= 0; word--) value = value << 64n | view.getBigUint64(at + 8 * word, true)
    return value
  }
  const low = words >> 1
  return readWords(view, at, low) | readWords(view, at + 8 * low, words - low) << BigInt(64 * low)
}
