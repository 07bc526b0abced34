// Calls by their rows in generated/calls.js: each reads its operands and options, makes a request, and reads the answer.

import { CALLS, OPTIONS } from './generated/calls.js'
import * as op from './generated/operations.js'
import { columns, forms, policy, readOptions, settings, texts } from './call.js'
import { badArgument, wrongType } from './errors.js'
import { Modulus, method, owned } from './modulus.js'
import { integer, integers, isBytes, setting } from './number.js'

/** Lists of lists as one list, and where each ends. */
function flat (values, what) {
  if (typeof values !== 'object' || values === null || typeof values[Symbol.iterator] !== 'function') throw wrongType(what, 'a list of lists', values)
  const [list, ends] = [[], []]
  for (const inner of values) {
    for (const value of integers(inner, `${what}[${ends.length}]`)) list.push(value)
    ends.push(list.length)
  }
  return { list, ends }
}

/** A prime, or a Modulus with its prime factors, as factors and multiplicities. */
function factored (value, what) {
  if (!(value instanceof Modulus)) return { list: [integer(value, what)], own: [1] }
  value.resource.check()
  if (value.request.operation === op.SECRET_MODULUS) throw badArgument(`${what} has secret factors; roots need public ones`)
  const { numbers: [[whole], factors = []], settings: given } = value.request
  if (factors.length === 0) return { list: [whole], own: [1] }
  return { list: factors, own: given.slice(-factors.length) }
}

const PROOF = 'wesolowski-v1:'

/** The number of a proof, which is text. */
function proof (value, what) {
  if (typeof value !== 'string' || !/^wesolowski-v1:0x[0-9a-f]+$/.test(value)) throw wrongType(what, `a string that begins with ${PROOF}0x`, value)
  return { list: [BigInt(value.slice(PROOF.length))] }
}

/** The numbers of a list of proofs. */
function proofs (values, what) {
  if (typeof values !== 'object' || values === null || typeof values[Symbol.iterator] !== 'function') throw wrongType(what, 'a list of proofs', values)
  return Array.from(values, (value, at) => proof(value, `${what}[${at}]`).list[0])
}

/** The text of a proof whose number is a bigint, or bytes. */
function proofText (number) {
  const digits = isBytes(number) ? Array.from(number, byte => byte.toString(16).padStart(2, '0')).join('').replace(/^0+(?=.)/, '') : number.toString(16)
  return `${PROOF}0x${digits}`
}

/** What is read of each operand but lists of numbers: `list` for a number, `own` for settings, `bytes`. */
const READERS = {
  number: (value, what) => ({ list: [integer(value, what)] }),
  count: (value, what, otherwise) => ({ own: [setting(value, what, 0, Number.MAX_SAFE_INTEGER, otherwise) ?? missing(what)] }),
  text: (value, what) => {
    if (typeof value !== 'string') throw wrongType(what, 'a string', value)
    return { bytes: new TextEncoder().encode(value) }
  },
  factored,
  proof
}

function missing (what) {
  throw badArgument(`${what} is missing`)
}

/** Kinds of lists that have as many elements. */
const LISTS = ['either', 'numbers', 'proofs']

/** Reads the operands of a call: lists of numbers, settings, bytes, and how many elements belong together. */
function readOperands (takes, given) {
  const read = { numbers: [], own: [], ends: undefined, bytes: [] }
  const lists = takes.map(([what, kind, otherwise], at) => [what, kind, given[at] ?? otherwise]).filter(([, kind]) => LISTS.includes(kind))
    .map(([what, kind, value]) => [kind === 'proofs' ? proofs(value, what) : value, what, kind === 'either'])
  const joint = lists.length > 0 ? columns(...lists) : { lists: [] }
  read.count = joint.count
  takes.forEach(([what, kind, otherwise], at) => {
    if (LISTS.includes(kind)) {
      read.numbers.push(joint.lists.shift())
    } else if (kind === 'lists') {
      const { list, ends } = flat(given[at], what)
      if (read.ends !== undefined && String(read.ends) !== String(ends)) throw badArgument(`${what} differ in their lengths from the lists before them`)
      read.numbers.push(list)
      read.ends = ends
    } else {
      const { list, own = [], bytes } = READERS[kind](given[at], what, otherwise)
      if (list !== undefined) read.numbers.push(list)
      if (bytes !== undefined) read.bytes.push(bytes)
      read.own.push(...own)
    }
  })
  return read
}

/** What is made of an answer. */
const ANSWERS = {
  symbol: ([symbol]) => symbol,
  truth: ([holds]) => holds === 1,
  truths: answers => Array.from(answers, holds => holds === 1),
  'pair residue proof': ([result, proof]) => ({ result, proof: proofText(proof) })
}

/** `prepare` of a row, whose first argument after `extra` is the object of the call, if there is one. */
function prepared (row, ...more) {
  const { name, on, takes, gives } = row
  return (extra, ...all) => {
    const subject = on === 'none' ? undefined : all.shift()
    const given = all.slice(0, takes.length)
    const { read, later } = readOptions(all[takes.length], [...OPTIONS[name], ...more], extra)
    const { numbers, own, ends = [], bytes, count } = readOperands(takes, given)
    const first = numbers[0]?.[0]
    const request = {
      operation: op[row.operation],
      subject: subject?.resource,
      numbers,
      bytes,
      settings: settings(read, ...own, ...ends),
      texts: texts(read),
      asBytes: subject === undefined ? gives === 'number' && takes.length === 1 && isBytes(first) : subject.asBytes
    }
    const isList = gives === 'residues' || gives === 'symbols'
    const finish = isList ? policy(read) : ANSWERS[gives]
    return { request, later, finish, split: isList && !row.whole && count !== undefined ? { count } : undefined }
  }
}

/** The functions of all rows by their names, both forms of each; methods are added to their classes. */
export const FUNCTIONS = {}

for (const row of CALLS) {
  for (const name of row.names) {
    const called = name.startsWith('Modulus.') ? name.slice('Modulus.'.length) : undefined
    if (called !== undefined) {
      method(Modulus, called, prepared(row))
    } else if (row.on === 'modulus') {
      // The modulus is one more operand, and its cap one more option.
      const prepare = prepared(row, 'maxModulusBits')
      const last = row.takes.length
      ;[FUNCTIONS[name], FUNCTIONS[`${name}Async`]] = forms((extra, ...given) =>
        owned(extra, given[last], modulus => prepare(extra, modulus, ...given.slice(0, last), given[last + 1]), given[last + 1]))
    } else {
      ;[FUNCTIONS[name], FUNCTIONS[`${name}Async`]] = forms(prepared(row))
    }
  }
}
