// The calls of vectors/prime_calls.txt, which drive every binding; crates/pingala-proofs/tests/calls/file.rs has the format.

import assert from 'node:assert/strict'
import test from 'node:test'
import { fromBytes, pingala, toBytes } from './common.mjs'
import { answer, readCalls } from './generated.mjs'

// What JavaScript has no form of, with the reason.
const NOT_OFFERED = {
  primes_between: 'nextPrime finds them one after the other',
  sqrt_mod: 'roots are for Rust, Python, C and its bindings',
  sqrt_mod_list: 'as sqrt_mod',
  prove_squaring: 'proofs take minutes to hours, and their checkpoints are files',
  verify_squaring: 'as prove_squaring',
  accumulate: 'accumulators are for Rust and Python',
  witnesses: 'as accumulate',
  update_witnesses: 'as accumulate',
  failing_witnesses: 'as accumulate'
}
const PRIMALITIES = ['composite', 'probable', 'proved']

const numbers = call => call.elements.map(element => element.bases[0])

/** The number of rounds is the same in all elements; 0 stands for the default. */
function given (call) {
  const rounds = Number(call.elements[0]?.exponents[0] ?? 0n)
  return { threads: call.threads, ...(rounds === 0 ? {} : { rounds }) }
}

function neighbour (find) {
  return function * (call) {
    const [n] = numbers(call)
    yield [answer(() => find(n, { threads: call.threads }))]
    if (n >= 0n) {
      const found = answer(() => find(toBytes(n, 1), { threads: call.threads }))
      yield [typeof found === 'string' ? found : fromBytes(found)]
    }
  }
}

const WORKLOADS = {
  * is_prime (call) {
    yield numbers(call).map(n => answer(() => BigInt(PRIMALITIES.indexOf(pingala.primality(n, given(call))))))
  },
  * is_prime_list (call) {
    yield * WORKLOADS.is_prime(call)
    assert.deepEqual(pingala.isPrimeList(numbers(call), given(call)), call.results.map(result => result > 0n), call.line)
  },
  next_prime: neighbour(pingala.nextPrime),
  previous_prime: neighbour(pingala.previousPrime),
  * jacobi (call) {
    yield numbers(call).map((a, at) => answer(() => BigInt(pingala.jacobi(a, call.moduli[call.elements[at].place].value))))
  },
  jacobi_list (call) {
    return WORKLOADS.jacobi(call)
  }
}

test('every call of the file', () => {
  const [counts, others] = [{}, new Set()]
  for (const call of readCalls('vectors/prime_calls.txt')) {
    const { workload } = call
    if (workload in NOT_OFFERED) {
      others.add(workload)
      continue
    }
    assert.ok(workload in WORKLOADS, `no form of ${workload}`)
    // A cap on numbers, which JavaScript has no setting for, changes nothing but the calls that go beyond it.
    if (call.results.includes('too_long')) continue
    for (const results of WORKLOADS[workload](call)) assert.deepEqual(results, call.results, call.line)
    counts[workload] = (counts[workload] ?? 0) + 1
  }
  assert.deepEqual([...others].sort(), Object.keys(NOT_OFFERED).sort())
  const least = { is_prime: 40, is_prime_list: 40, next_prime: 40, previous_prime: 40, jacobi: 60, jacobi_list: 60 }
  for (const [workload, count] of Object.entries(least)) assert.ok(counts[workload] >= count, JSON.stringify(counts))
})

test('what is not offered does not exist', () => {
  const names = [...Object.keys(pingala), ...Object.getOwnPropertyNames(pingala.Modulus.prototype)]
  assert.deepEqual(names.filter(name => /between|sqrt|root|prove|accumul|witness/i.test(name)), [])
})
