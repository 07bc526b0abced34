// How Node's console shows objects: by lengths, and by digits only if a public number is short.

import { bitLength } from './bigint.js'
import { isBytes } from './number.js'

// Node, Deno and Bun call the method of this name.
const INSPECT = Symbol.for('nodejs.util.inspect.custom')
const SHOWN_BITS = 256

function asBigint (value) {
  return isBytes(value) ? BigInt('0x0' + Array.from(value, byte => byte.toString(16).padStart(2, '0')).join('')) : value
}

/** The length of a number in bits. */
export function bitsOf (value) {
  return bitLength(asBigint(value))
}

/** A modulus: its digits if it is short, and how many factors are known, but never one of them. */
export function shownModulus ({ request: { numbers: [[value], known = []], bytes }, resource }) {
  const kind = bytes === undefined ? 'known' : 'secret'
  const count = (bytes ?? known).length
  const more = `${count === 0 ? '' : ` with ${count} ${kind} factor${count === 1 ? '' : 's'}`}${resource.closed ? ', closed' : ''}`
  const bits = bitsOf(value)
  return more === '' && bits <= SHOWN_BITS ? `Modulus(0x${asBigint(value).toString(16)})` : `<Modulus of ${bits} bits${more}>`
}

/** Gives a class its text. What has the prototype only is shown by the name of the class. */
export function shows (type, shown) {
  Object.defineProperty(type.prototype, INSPECT, {
    value () { return Object.hasOwn(this, 'resource') ? shown(this) : `${type.name} {}` },
    configurable: true
  })
}
