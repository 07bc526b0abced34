// Reads the files of calls that drive every binding; crates/pingala-core/tests/suite/calls/file.rs has the format.

import assert from 'node:assert/strict'
import { BACKEND, text } from './common.mjs'

const number = digits => digits.startsWith('-') ? -BigInt('0x' + digits.slice(1)) : BigInt('0x' + digits)
const small = digits => Number('0x' + digits)
const items = digits => digits === '-' ? [] : digits.split(';')

function readCall (line) {
  const [workload, , ...words] = line.split(' ')
  const fields = Object.fromEntries(words.map(word => word.split(/=(.*)/s)))
  const { threads, cap, blinded, timeout, memory, kernel = '-', plan = '0', moduli, powers, results, wider = '0', ...unknown } = fields
  assert.deepEqual(unknown, {}, 'this driver does not know all options')
  const call = {
    line,
    workload,
    threads: small(threads),
    cap: small(cap),
    blinding: blinded === '1',
    timed: { none: {}, past: { timeout: 1 }, long: { timeout: 3_600_000 } }[timeout],
    shared: small(memory) === 0 ? {} : { memory: small(memory) },
    // WebAssembly has the kernels for words of 32 bits.
    forced: kernel === '-' ? {} : { kernel: BACKEND === 'native' ? kernel : 'portable_r29' },
    byItsLine: plan === '1',
    tolerated: [...(timeout === 'past' ? ['interrupted'] : []), ...(kernel === '-' ? [] : ['bad_plan'])],
    wider: small(wider),
    moduli: items(moduli).map(modulus => {
      const [value, factors] = modulus.split(/[:!]/)
      return {
        value: number(value),
        secret: modulus.includes('!'),
        factors: (factors ?? '').split(',').filter(Boolean).map(pair => pair.split('^').map(number))
      }
    }),
    elements: items(powers).map(element => {
      const [place, ...numbers] = element.split(',')
      const values = numbers.map(number)
      return { place: small(place), bases: values.filter((_, at) => at % 2 === 0), exponents: values.filter((_, at) => at % 2 === 1) }
    }),
    results: items(results).map(result => result.startsWith('!') ? result.slice(1) : number(result))
  }
  assert.equal(call.elements.length, call.results.length)
  return call
}

/** Whether results are those of the call, or codes with which it may end. */
function agrees (call, results) {
  assert.deepEqual(results.map((result, at) => call.tolerated.includes(result) ? call.results[at] : result), call.results, call.line)
}

/** Makes the calls of a file by their workloads; how many there are of each. */
export function makeCalls (path, makeOf) {
  const counts = {}
  for (const call of readCalls(path)) {
    const make = makeOf(call.workload)
    if (make === undefined) continue
    try {
      for (const results of make(call)) agrees(call, results)
    } catch (error) {
      if (!call.tolerated.includes(error.code)) throw Object.assign(error, { message: `${error.message}\n${call.line}` })
    }
    counts[call.workload] = (counts[call.workload] ?? 0) + 1
  }
  return counts
}

/** The calls of a file. */
function * readCalls (path) {
  // More calls than those of the repository lie in a folder that the environment names.
  const lines = text(`${process.env.PINGALA_CALLS ?? 'vectors'}/${path}`).split('\n')
  for (const line of lines) if (line !== '' && !line.startsWith('#')) yield readCall(line)
}

/** A number, or the code of the error. */
export function answer (make) {
  try {
    return make()
  } catch (error) {
    return error.code
  }
}
