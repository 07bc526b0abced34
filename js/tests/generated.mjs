// Reads the files of calls that drive every binding; crates/pingala-core/tests/suite/calls/file.rs has the format.

import assert from 'node:assert/strict'
import { text } from './common.mjs'

const number = digits => digits.startsWith('-') ? -BigInt('0x' + digits.slice(1)) : BigInt('0x' + digits)
const small = digits => Number('0x' + digits)
const items = digits => digits === '-' ? [] : digits.split(';')

function readCall (line) {
  const [workload, , ...words] = line.split(' ')
  const fields = Object.fromEntries(words.map(word => word.split(/=(.*)/s)))
  const { threads, cap, blinded, moduli, powers, results, wider = '0', ...unknown } = fields
  assert.deepEqual(unknown, {}, 'this driver does not know all options')
  const call = {
    line,
    workload,
    threads: small(threads),
    cap: small(cap),
    blinding: blinded === '1',
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

/** The calls of a file. */
export function * readCalls (path) {
  for (const line of text(path).split('\n')) if (line !== '' && !line.startsWith('#')) yield readCall(line)
}

/** A number, or the code of the error. */
export function answer (make) {
  try {
    return make()
  } catch (error) {
    return error.code
  }
}
