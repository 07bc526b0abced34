// Many powers of one base, by a table that is built once.

import { OPTIONS } from './generated/calls.js'
import * as op from './generated/operations.js'
import { flag, policy, readOptions, settings, texts } from './call.js'
import { Resource, call, engine, hidden } from './engine.js'
import { bitsOf, shows } from './inspect.js'
import { Modulus, TABLE, method, modulusOfCall, tableSettings } from './modulus.js'
import { bytes, held, integer, integers, isBytes, options, setting } from './number.js'

export class FixedBase {
  /** A table for powers of a base modulo a modulus, with exponents of up to `exponentBits` bits. */
  constructor (base, modulus, given) {
    const read = options(given, [...TABLE, ...OPTIONS.fixed_base])
    const own = modulus instanceof Modulus ? null : modulusOfCall([], modulus, undefined, given)
    try {
      const its = own ?? modulus
      const request = {
        operation: op.FIXED_BASE,
        subject: its.resource,
        numbers: [[integer(base, 'base')]],
        settings: settings(read, ...tableSettings(read)),
        texts: texts(read)
      }
      // The table is made again out of these if an engine loses its memory, whether or not the Modulus is closed by then.
      const again = { ...held(request), subject: new Resource('Modulus', () => its.request) }
      setUp(this, call(request), its.asBytes, () => again, null)
    } finally {
      own?.close()
    }
  }

  /** A table out of the bytes of `toBytes`, or of a file that another binding saved. */
  static fromBytes (data, given) {
    const { modulus, base, verify, asBytes } = options(given, ['modulus', 'base', 'verify', 'asBytes'])
    const expected = [modulus, base].map((value, at) => value === undefined
      ? []
      : [value instanceof Modulus ? value.value : integer(value, ['modulus', 'base'][at])])
    const request = {
      operation: op.FIXED_BASE_LOAD,
      numbers: expected,
      bytes: [bytes(data, 'data')],
      settings: settings({}, flag(verify, 'verify') ? 1 : 0)
    }
    const made = Object.create(this.prototype)
    const inBytes = flag(asBytes, 'asBytes', expected[0].length > 0 && isBytes(expected[0][0]))
    setUp(made, call(request), inBytes, null, new Uint8Array(request.bytes[0]))
    return made
  }

  requestOf (operation, numbers, read, ...own) {
    return { operation, subject: this.resource, numbers, settings: settings(read, ...own), texts: texts(read), asBytes: this.asBytes }
  }

  preparedPow (extra, exponent, given) {
    const { read, later } = readOptions(given, OPTIONS.fixed_base_pow, extra)
    return { request: this.requestOf(op.FIXED_BASE_POW, [[integer(exponent, 'exponent')]], read), later }
  }

  preparedList (extra, exponents, given) {
    const { read, later } = readOptions(given, OPTIONS.fixed_base_pow_list, extra)
    const numbers = [integers(exponents, 'exponents')]
    const request = this.requestOf(op.FIXED_BASE_LIST, numbers, read)
    return { request, later, finish: policy(read), split: { count: numbers[0].length } }
  }

  preparedSecret (extra, exponent, given) {
    const { read, later } = readOptions(given, [...OPTIONS.fixed_base_pow_sec_list, 'exponentBits'], extra)
    const secret = bytes(exponent, 'exponent')
    const bits = setting(read.exponentBits, 'exponentBits', 1, 2 ** 26, Math.max(8 * secret.byteLength, 1))
    return { request: { ...this.requestOf(op.FIXED_BASE_POW_SEC, [], read, bits), bytes: [secret] }, later }
  }

  preparedSecrets (extra, exponents, given) {
    const { read, later } = readOptions(given, [...OPTIONS.fixed_base_pow_sec_list, 'exponentBits'], extra)
    const secrets = Array.from(exponents, (exponent, index) => bytes(exponent, `exponents[${index}]`))
    const most = secrets.reduce((most, secret) => Math.max(most, 8 * secret.byteLength), 1)
    const bits = setting(read.exponentBits, 'exponentBits', 1, 2 ** 26, most)
    return { request: { ...this.requestOf(op.FIXED_BASE_POW_SEC_LIST, [], read, bits), bytes: secrets }, later }
  }

  /** The table as a file, which every binding of Pingala reads. */
  toBytes () {
    this.resource.check()
    return call({ operation: op.FIXED_BASE_SAVE, subject: this.resource })
  }

  /** Frees the table, after the last asynchronous call that was made before. The object cannot be used any more. */
  close () {
    this.resource.close()
  }
}

/** Gives a table its properties. It is made again by `again()`, or out of the bytes of its file. */
function setUp (table, handle, asBytes, again, saved) {
  const load = () => ({ operation: op.FIXED_BASE_LOAD, numbers: [[], []], bytes: [saved], settings: settings({}, 0) })
  const resource = new Resource('FixedBase', () => saved === null ? again() : load(), handle, engine().generation)
  // Loading a table is faster than building it, so workers get the file.
  resource.made = () => {
    saved ??= call({ operation: op.FIXED_BASE_SAVE, subject: resource })
    return load()
  }
  hidden(table, { resource, asBytes })
  const [modulus, base, exponentBits, tableBytes] = call({ operation: op.FIXED_BASE_FACTS, subject: resource, asBytes })
  Object.assign(table, { modulus, base, exponentBits: asNumber(exponentBits), tableBytes: asNumber(tableBytes) })
}

function asNumber (value) {
  return Number(isBytes(value) ? new DataView(value.buffer).getBigUint64(value.byteLength - 8) : value)
}

shows(FixedBase, ({ modulus, exponentBits, tableBytes, resource }) =>
  `<FixedBase modulo ${bitsOf(modulus)} bits, exponents of ${exponentBits} bits, ${tableBytes} bytes${resource.closed ? ', closed' : ''}>`)
method(FixedBase, 'pow', 'preparedPow')
method(FixedBase, 'powList', 'preparedList')
method(FixedBase, 'powSec', 'preparedSecret')
method(FixedBase, 'powSecList', 'preparedSecrets')
