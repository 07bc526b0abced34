// The calls of vectors/prime_calls.txt, which drive every binding; crates/pingala-proofs/tests/calls/file.rs has the format.

import assert from 'node:assert/strict'
import test from 'node:test'
import { fromBytes, pingala, toBytes } from './common.mjs'
import { answer, makeCalls } from './generated.mjs'

// What JavaScript has no form of, with the reason.
const NOT_OFFERED = {
  accumulate: 'accumulators are for Rust and Python',
  witnesses: 'as accumulate',
  update_witnesses: 'as accumulate',
  failing_witnesses: 'as accumulate'
}
const PROOF = 'wesolowski-v1:0x'
const PRIMALITIES = ['composite', 'probable', 'proved']

/** The cap of a call is that of all numbers, moduli of results included. */
const capped = call => ({ threads: call.threads, ...call.timed, ...(call.cap === 0 ? {} : { maxModulusBits: call.cap }) })
const moduli = call => call.moduli.length === 1 ? call.moduli[0].value : call.elements.map(({ place }) => call.moduli[place].value)

/** The results of a list of which the first error is that of the call: it stands in its place. */
function whole (call, make) {
  const results = answer(make)
  if (typeof results !== 'string') return results.map(BigInt)
  if (call.tolerated.includes(results)) return call.results
  const at = call.results.findIndex(result => typeof result === 'string')
  if (at < 0) return [results]
  return call.results.map((result, place) => place === at ? results : result)
}

const numbers = call => call.elements.map(element => element.bases[0])

/** The number of rounds is the same in all elements; 0 stands for the default. */
function given (call) {
  const rounds = Number(call.elements[0]?.exponents[0] ?? 0n)
  return { ...capped(call), ...(rounds === 0 ? {} : { rounds }) }
}

function neighbour (find) {
  return function * (call) {
    const [n] = numbers(call)
    yield [answer(() => find(n, capped(call)))]
    if (n >= 0n) {
      const found = answer(() => find(toBytes(n, 1), capped(call)))
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
    yield whole(call, () => pingala.isPrimeList(numbers(call), given(call)).map((found, at) => found ? call.results[at] || 3n : 0n))
  },
  next_prime: neighbour(pingala.nextPrime),
  previous_prime: neighbour(pingala.previousPrime),
  * jacobi (call) {
    yield numbers(call).map((a, at) => answer(() => BigInt(pingala.jacobi(a, call.moduli[call.elements[at].place].value, capped(call)))))
  },
  * jacobi_list (call) {
    yield * WORKLOADS.jacobi(call)
    if (call.elements.length > 0) yield whole(call, () => pingala.jacobiList(numbers(call), moduli(call), capped(call)))
  },
  * primes_between (call) {
    const [{ bases: [a], exponents: [b] }] = call.elements
    yield whole(call, () => [...pingala.primesBetween(a, b, capped(call)), 0n])
  },
  * kronecker (call) {
    const [{ bases: [a], exponents: [n] }] = call.elements
    yield [answer(() => BigInt(pingala.kronecker(a, n, capped(call))))]
  },
  * sqrt_mod_all (call) {
    const [{ bases: [a], exponents: [most] }] = call.elements
    const { value, factors } = call.moduli[0]
    const p = factors.length === 0 ? value : new pingala.Modulus(value, factors)
    const roots = answer(() => pingala.sqrtModAll(a, p, Number(most), capped(call)))
    // An error stands for all roots, however many there are.
    if (typeof roots === 'string') return yield call.tolerated.includes(roots) ? call.results : [roots]
    yield [...roots, 0n]
    const one = answer(() => pingala.sqrtMod(a, p, capped(call)))
    assert.ok(call.tolerated.includes(one) || (roots.length > 0 ? roots.includes(one) : one === 'bad_argument'), `${one}\n${call.line}`)
  },
  * estimate_prime (call) {
    const [{ bases: [bits, r, topBits, safe], exponents: [secret, q, rounds, uniform] }] = call.elements
    const { timeout, ...given } = capped(call)
    yield [answer(() => {
      const { tests, seconds } = pingala.estimateRandomPrime(Number(bits), {
        safe: safe === 1n,
        uniform: uniform === 1n,
        topBits: Number(topBits),
        secret: secret === 1n,
        ...(q === 0n ? {} : { residue: [r, q] }),
        ...(rounds === 0n ? {} : { rounds: Number(rounds) }),
        ...given
      })
      return BigInt(tests >= 1 && seconds >= 0)
    })]
  },
  * sqrt_mod (call) {
    yield numbers(call).map((a, at) => answer(() => pingala.sqrtMod(a, call.moduli[call.elements[at].place].value, capped(call))))
  },
  * sqrt_mod_list (call) {
    yield * WORKLOADS.sqrt_mod(call)
    const roots = pingala.sqrtModList(numbers(call), moduli(call), { errors: 'return', ...capped(call) })
    yield roots.map(root => root instanceof Error ? root.code : root)
  },
  * prove_squaring (call) {
    const [{ bases: [base], exponents: [squarings] }] = call.elements
    for (const memory of [undefined, 1000]) {
      yield whole(call, () => {
        const modulus = new pingala.Modulus(call.moduli[0].value)
        const { result, proof } = modulus.proveSquare(base, Number(squarings), { threads: call.threads, memory, ...call.timed })
        assert.ok(proof.startsWith(PROOF))
        assert.equal(modulus.verifySquare(base, Number(squarings), result, proof), call.moduli[0].value >> 1023n > 0n, call.line)
        return [result, BigInt(proof.slice(PROOF.length - 2))]
      })
    }
  },
  * verify_squaring (call) {
    const [{ bases: [base, result], exponents: [squarings, proof] }] = call.elements
    const modulus = new pingala.Modulus(call.moduli[0].value)
    const [text, options] = [PROOF + proof.toString(16), { threads: call.threads, ...call.timed }]
    yield [BigInt(modulus.verifySquare(base, Number(squarings), result, text, options))]
    const each = modulus.verifySquareList([base, base], Number(squarings), [result, -1n], [text, text], options)
    assert.equal(each[1], false, call.line)
    yield [BigInt(each[0])]
    assert.throws(() => modulus.verifySquareList([base], Number(squarings), [result], [5n]), { name: 'TypeError' })
  }
}

test('every call of the file', () => {
  const others = new Set()
  const counts = makeCalls('prime_calls.txt', workload => {
    if (workload in NOT_OFFERED) others.add(workload)
    else assert.ok(workload in WORKLOADS, `no form of ${workload}`)
    return WORKLOADS[workload]
  })
  assert.deepEqual([...others].sort(), Object.keys(NOT_OFFERED).sort())
  assert.ok(Object.values(counts).every(count => count >= 60), JSON.stringify(counts))
})

test('what is not offered does not exist', () => {
  const names = [...Object.keys(pingala), ...Object.getOwnPropertyNames(pingala.Modulus.prototype)]
  assert.deepEqual(names.filter(name => /accumul|witness/i.test(name)), [])
})
