// Signatures of RSA and DSA: keys and verification.

import { OPTIONS } from './generated/calls.js'
import * as op from './generated/operations.js'
import { flag, readOptions, settings } from './call.js'
import { Resource, call, hidden } from './engine.js'
import { badArgument } from './errors.js'
import { shows } from './inspect.js'
import { method } from './modulus.js'
import { bytes, held, integer, setting } from './number.js'

const SCHEMES = ['dsa', 'rsa-pkcs1', 'rsa-pss']
const HASHES = [
  'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-224', 'sha512-256', 'sha3-224', 'sha3-256', 'sha3-384', 'sha3-512'
]
const ENCODINGS = ['der', 'raw', 'ssh', 'lenient', 'openpgp']
const POLICIES = ['legacy', 'strict', 'modern']

function place (names, name, what) {
  const found = names.indexOf(name)
  if (found < 0) throw badArgument(`${what} is ${JSON.stringify(name)}, and not one of ${names.join(', ')}`)
  return found
}

function noKey () {
  return Object.assign(new TypeError('PublicKey.load, PublicKey.rsa and PublicKey.dsa make keys; new PublicKey does not'), { code: 'bad_argument' })
}

const DEPTHS = ['ranges', 'subgroup', 'primes']

/** A public key. */
export class PublicKey {
  constructor (request) {
    if (typeof request?.operation !== 'number') throw noKey()
    const kept = held({ ...request, settings: settings({}) })
    const resource = new Resource('PublicKey', () => kept)
    resource.made = () => kept
    hidden(this, { resource })
    const [kind, bits] = call({ operation: op.KEY_FACTS, subject: this.resource }).split('\n')
    this.kind = kind
    this.bits = Number(bits)
  }

  /** A key in PEM (text or bytes), DER or the format of OpenSSH. */
  static load (data) {
    const encoded = typeof data === 'string' ? new TextEncoder().encode(data) : bytes(data, 'data')
    return new this({ operation: op.LOAD_KEY, bytes: [encoded] })
  }

  static rsa ({ n, e }) {
    return new this({ operation: op.RSA_KEY, numbers: [[integer(n, 'n'), integer(e, 'e')]] })
  }

  static dsa ({ p, q, g, y }) {
    const numbers = Object.entries({ p, q, g, y }).map(([name, value]) => integer(value, name))
    return new this({ operation: op.DSA_KEY, numbers: [numbers] })
  }

  preparedOne (extra, scheme, message, signature, given) {
    const prepared = this.preparedList(extra, scheme, [[message, signature]], given)
    return { ...prepared, finish: lines => prepared.finish(lines)[0], split: undefined }
  }

  preparedList (extra, scheme, signed, given) {
    const { read, later } = readOptions(given, OPTIONS.explain_verify_list, extra)
    const all = Array.from(signed, ([message, signature], index) =>
      [bytes(message, `the message of signature ${index}`), bytes(signature, `signature ${index}`)])
    const hash = read.hash === undefined ? 0 : place(HASHES, read.hash, 'hash') + 1
    if (hash === 0 && scheme !== 'rsa-pss') throw badArgument('hash, the hash function of the message, is needed')
    const own = [
      place(SCHEMES, scheme, 'the scheme') + 1,
      hash,
      read.mgf === undefined ? 0 : place(HASHES, read.mgf, 'mgf') + 1,
      setting(read.salt, 'salt', 0, 65536, -1) + 1,
      place(ENCODINGS, read.encoding ?? 'der', 'encoding'),
      place(POLICIES, read.policy ?? 'legacy', 'policy'),
      flag(read.digest, 'digest') ? 1 : 0
    ]
    const request = { operation: op.VERIFY, subject: this.resource, bytes: all.flat(), settings: settings(read, ...own) }
    return { request, later, finish: text => all.length === 0 ? [] : text.split('\n') }
  }

  /** How a list of signatures is verified. */
  explainVerdicts (scheme, signed, given) {
    const { request } = this.preparedList([], scheme, signed, given)
    return call({ ...request, operation: op.EXPLAIN_VERIFY_LIST })
  }

  preparedValidation (extra, given) {
    const { read, later } = readOptions(given, [...OPTIONS.validate_key, 'depth'], extra)
    const request = { operation: op.VALIDATE_KEY, subject: this.resource, settings: settings(read, place(DEPTHS, read.depth ?? 'subgroup', 'depth')) }
    return { request, later, finish: lines }
  }

  /** Why a valid signature with this hash function may still be refused. */
  weaknesses (hash = 'sha256') {
    this.resource.check()
    return lines(call({ operation: op.KEY_WEAKNESSES, subject: this.resource, settings: settings({}, place(HASHES, hash, 'hash') + 1) }))
  }

  /** Frees the key, after the last asynchronous call that was made before. The object cannot be used any more. */
  close () {
    this.resource.close()
  }
}

/** The lines of an answer, none for an empty one. */
function lines (text) {
  return text === '' ? [] : text.split('\n')
}

shows(PublicKey, ({ kind, bits, resource }) => `<PublicKey of ${kind}, ${bits} bits${resource.closed ? ', closed' : ''}>`)
method(PublicKey, 'validate', 'preparedValidation')
method(PublicKey, 'verdict', 'preparedOne')
method(PublicKey, 'verdicts', 'preparedList')

/** Whether a signature is valid. `verdict` says why one is not. */
export function verify (key, scheme, message, signature, given) {
  return key.verdict(scheme, message, signature, given) === 'valid'
}

/** The same, computed elsewhere. */
export async function verifyAsync (key, scheme, message, signature, given) {
  return await key.verdictAsync(scheme, message, signature, given) === 'valid'
}
