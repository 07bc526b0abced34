// A modulus that is prepared once.

import { OPTIONS } from './generated/calls.js'
import * as op from './generated/operations.js'
import { columns, flag, forms, policy, readOptions, settings, texts } from './call.js'
import { explained, handed } from './bigint.js'
import { Resource, backend, hidden } from './engine.js'
import { PingalaError, badArgument, wrongType } from './errors.js'
import { shownModulus, shows } from './inspect.js'
import { bytes, held, integer, integers, isBytes, options, setting } from './number.js'

/** Primes, or pairs of a prime and its multiplicity, as pairs; a prime that is given twice counts twice. */
function pairs (factors) {
  if (factors === undefined) return []
  if (!Array.isArray(factors)) throw wrongType('factors', 'an array', factors)
  const found = new Map()
  factors.forEach((factor, index) => {
    const [prime, power] = Array.isArray(factor) ? factor : [factor, 1]
    const value = integer(prime, `factors[${index}]`)
    const times = Number(integer(power, `the multiplicity of factors[${index}]`))
    if (!(times > 0 && times < 2 ** 32)) {
      throw new PingalaError('wrong_factors', `wrong factors: factors[${index}] has the multiplicity ${power}`)
    }
    const key = String(value)
    const before = found.get(key)
    found.set(key, { value, times: times + (before?.times ?? 0) })
  })
  return [...found.values()]
}

/** Checks the arguments of a Modulus, and gives it its properties. */
function setUp (made, modulus, factors, given) {
  const { secret, publicExponent, ...rest } = options(given, ['secret', 'publicExponent', ...OPTIONS.modulus])
  const value = integer(modulus, 'modulus')
  if (typeof value === 'bigint' && value <= 0n) throw new PingalaError(value === 0n ? 'zero_modulus' : 'negative_modulus', value === 0n ? 'zero modulus' : 'negative modulus')
  let request
  if (flag(secret, 'secret')) {
    const all = (factors ?? []).map(factor => Array.isArray(factor) ? factor : [factor, 1])
    request = {
      operation: op.SECRET_MODULUS,
      numbers: [[value], publicExponent === undefined ? [] : [integer(publicExponent, 'publicExponent')]],
      bytes: all.map(([factor], index) => bytes(factor, `factors[${index}]`)),
      settings: settings(rest, ...all.map(([, times], index) => setting(times, `the multiplicity of factors[${index}]`, 1, 2 ** 32 - 1)))
    }
  } else {
    if (publicExponent !== undefined) throw badArgument('publicExponent is for secret factors')
    const all = pairs(factors)
    request = {
      operation: op.MODULUS,
      numbers: [[value], all.map(factor => factor.value)],
      settings: settings(rest, ...all.map(factor => factor.times))
    }
  }
  request = held(request)
  const resource = new Resource('Modulus', () => request)
  resource.made = () => request
  resource.secrets = request.bytes ?? []
  // A public modulus without factors: BigInt may take its powers.
  if (request.operation === op.MODULUS && request.numbers[1].length === 0 && !isBytes(value)) resource.plain = value
  hidden(made, { request, resource, asBytes: isBytes(value) })
}

export class Modulus {
  /**
   * A modulus m >= 1 with known factors, if there are any. With `secret` the factors are Uint8Arrays (or pairs of one and its multiplicity),
   * which the engine keeps in memory that it wipes.
   */
  constructor (modulus, factors, given) {
    setUp(this, modulus, factors, given)
    this.resource.handle()
  }

  /** The modulus, as it was given. */
  get value () {
    const value = this.request.numbers[0][0]
    return this.asBytes ? value.slice() : value
  }

  preparedPow (extra, base, exponent, given) {
    const { read, later } = readOptions(given, OPTIONS.modulus_pow, extra)
    const numbers = [[integer(base, 'base'), integer(exponent, 'exponent')]]
    return { request: this.requestOf(op.MODULUS_POW, numbers, read), later }
  }

  preparedList (extra, bases, exponents, given) {
    const { read, later } = readOptions(given, LIST, extra)
    const { count, lists } = columns([bases, 'bases'], [exponents, 'exponents'])
    const request = this.requestOf(op.MODULUS_LIST, lists, read, count)
    return { request, later, finish: policy(read), split: { count, at: request.settings.length - 1 } }
  }

  preparedExplanation (extra, base, exponent, given) {
    const { read, later } = readOptions(given, OPTIONS.explain, extra)
    const numbers = [[integer(base, 'base'), integer(exponent, 'exponent')]]
    const { plain } = this.resource
    const request = this.requestOf(op.EXPLAIN, numbers, read)
    // A kernel or a plan is the module's.
    const finish = text => backend() === 'wasm' && plain !== undefined && request.texts.length === 0 ? explained(text, ...numbers[0], plain) : text
    return { request, later, finish }
  }

  preparedListExplanation (extra, bases, exponents, given) {
    const { read, later } = readOptions(given, OPTIONS.explain_exp_list, extra)
    const { count, lists } = columns([bases, 'bases'], [exponents, 'exponents'])
    const request = this.requestOf(op.EXPLAIN_LIST, lists, read, count)
    const byBigint = () => backend() === 'wasm' && handed({ ...request, operation: op.MODULUS_LIST }) !== null
    return { request, later, finish: text => byBigint() ? `BigInt computes these powers, which take longer in the module.\n${text}` : text }
  }

  preparedTable (extra, base, given) {
    const { read, later } = readOptions(given, [...OPTIONS.explain_fixed_base, ...TABLE], extra)
    return { request: this.requestOf(op.EXPLAIN_FIXED_BASE, [[integer(base, 'base')]], read, ...tableSettings(read)), later }
  }

  preparedSecret (extra, base, exponent, given) {
    const { read, later } = readOptions(given, [...OPTIONS.pow_sec, 'exponentBits'], extra)
    const given_ = [bytes(base, 'base'), bytes(exponent, 'exponent')]
    const bits = setting(read.exponentBits, 'exponentBits', 1, 2 ** 26, Math.max(8 * given_[1].byteLength, 1))
    const request = this.requestOf(op.MODULUS_POW_SEC, publicExponent(read), read, bits)
    request.bytes = given_
    return { request, later }
  }

  preparedSecrets (extra, bases, exponents, given) {
    const { read, later } = readOptions(given, [...OPTIONS.pow_sec_list, 'exponentBits'], extra)
    const all = secretLists(bases, exponents)
    const bits = setting(read.exponentBits, 'exponentBits', 1, 2 ** 26, longest(all[1]))
    const request = this.requestOf(op.MODULUS_POW_SEC_LIST, publicExponent(read), read, all[0].length, bits)
    request.bytes = [...all[0], ...all[1]]
    return { request, later }
  }

  /** The request of a call of this object, with the options that were read and the settings of the operation. */
  requestOf (operation, numbers, read, ...own) {
    return { operation, subject: this.resource, numbers, settings: settings(read, ...own), texts: texts(read), asBytes: this.asBytes }
  }

  /**
   * Frees what the engine holds, and wipes the copies of secret factors: after the last asynchronous call that was made before. The object
   * cannot be used any more.
   */
  close () {
    this.resource.close()
  }
}

/**
 * A Modulus for one call, in the form that `extra` names (`forms`). The engine of this thread does not make it for a call elsewhere: it might
 * have to compile the module for WebAssembly first.
 */
export function modulusOfCall (extra, modulus, factors, given) {
  const cap = given?.maxModulusBits === undefined ? undefined : { maxModulusBits: given.maxModulusBits }
  if (extra.length === 0) return new Modulus(modulus, factors, cap)
  const made = Object.create(Modulus.prototype)
  setUp(made, modulus, factors, cap)
  return made
}

/** Settings of a table of powers. */
export const TABLE = ['exponentBits', 'memoryBytes', 'uses', 'lists', 'secret']
const TABLE_BYTES = 1 << 22

export function tableSettings (read) {
  if (read.exponentBits === undefined) throw badArgument('exponentBits, the length of the longest exponent, is needed')
  return [
    setting(read.exponentBits, 'exponentBits', 1, 2 ** 26),
    setting(read.memoryBytes, 'memoryBytes', 1, 2 ** 40, TABLE_BYTES),
    setting(read.uses, 'uses', 1, Number.MAX_SAFE_INTEGER),
    flag(read.lists, 'lists') ? 1 : 0,
    flag(read.secret, 'secret') ? 1 : 0
  ]
}

/** The options of lists of powers, whichever of their numbers is one for all. */
const LIST = OPTIONS.pow_exp_list

function publicExponent (read) {
  return read.publicExponent === undefined ? [] : [[], [integer(read.publicExponent, 'publicExponent')]]
}

/** Bases and exponents as bytes; one base, or one exponent, stands for all. */
function secretLists (bases, exponents) {
  const list = (values, what) => Array.from(values, (value, index) => bytes(value, `${what}[${index}]`))
  const all = [isBytes(bases) ? bases : list(bases, 'bases'), isBytes(exponents) ? exponents : list(exponents, 'exponents')]
  const count = Array.isArray(all[0]) ? all[0].length : Array.isArray(all[1]) ? all[1].length : 1
  const both = all.map(one => Array.isArray(one) ? one : Array.from({ length: count }, () => one))
  if (both[0].length !== both[1].length) throw badArgument(`bases has ${both[0].length} elements, exponents has ${both[1].length}`)
  return both
}

function longest (exponents) {
  return exponents.reduce((most, exponent) => Math.max(most, 8 * exponent.byteLength), 1)
}

/** Adds a method in both forms: `prepare(extra, object, ...arguments)`, or the name of a method that prepares. */
export function method (type, name, prepare) {
  const [now, later] = forms(typeof prepare === 'function' ? prepare : (extra, self, ...given) => self[prepare](extra, ...given))
  const define = (name, value) => Object.defineProperty(type.prototype, name, { value, configurable: true, writable: true })
  define(name, { [name] (...given) { return now(this, ...given) } }[name])
  define(`${name}Async`, { [`${name}Async`] (...given) { return later(this, ...given) } }[`${name}Async`])
}

shows(Modulus, shownModulus)
method(Modulus, 'pow', 'preparedPow')
method(Modulus, 'powList', 'preparedList')
method(Modulus, 'explain', 'preparedExplanation')
method(Modulus, 'explainList', 'preparedListExplanation')
method(Modulus, 'explainFixedBase', 'preparedTable')
method(Modulus, 'powSec', 'preparedSecret')
method(Modulus, 'powSecList', 'preparedSecrets')

/** base^exponent mod modulus in constant time: all are Uint8Arrays, and so is the result. */
export const [powSec, powSecAsync] = forms((extra, base, exponent, modulus, given) => {
  if (modulus instanceof Modulus) return modulus.preparedSecret(extra, base, exponent, given)
  const own = modulusOfCall(extra, bytes(modulus, 'modulus'), undefined, given)
  try {
    return { ...own.preparedSecret(extra, base, exponent, given), own }
  } catch (error) {
    own.close()
    throw error
  }
})

/** Uses a Modulus, or makes one of a number for this call, under the cap of its options. */
export function owned (extra, modulus, prepare, given) {
  if (modulus instanceof Modulus) return prepare(modulus)
  const own = modulusOfCall(extra, modulus, undefined, given)
  try {
    return { ...prepare(own), own }
  } catch (error) {
    own.close()
    throw error
  }
}
