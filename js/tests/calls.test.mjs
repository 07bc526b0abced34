// The calls of vectors/calls.txt, which drive every binding; crates/pingala-core/tests/suite/calls/file.rs has the format.

import assert from 'node:assert/strict'
import test from 'node:test'
import { fromBytes, pingala, toBytes } from './common.mjs'
import { answer, makeCalls } from './generated.mjs'

const { FixedBase, Modulus } = pingala
const TABLE_BYTES = 1 << 16
// Made by the forms of another workload. Checkpoints are files, which stay with the other bindings.
const AS = { squaring_resumed: 'squaring', words: 'rows', modexp: 'powmod' }
// What JavaScript has no form of, with the reason.
const NOT_OFFERED = {
  mul_words: 'columns of words are for Python and jobs',
  residue_chain: 'BigInts have one form'
}

const base = call => call.elements[0]?.bases[0] ?? 3n
const bases = call => call.elements.map(element => element.bases[0])
const exponents = call => call.elements.map(element => element.exponents[0])
const limit = call => call.cap === 0 ? {} : { maxExponentBits: call.cap }
const one = call => ({ ...limit(call), ...call.forced, ...call.timed })
const many = call => ({ threads: call.threads, ...one(call) })
const products = call => ({ threads: call.threads, ...call.forced, ...call.timed })
const inverses = call => ({ threads: call.threads })
const bitLength = value => value === 0n ? 0 : (value < 0n ? -value : value).toString(2).length

function handle ({ value, factors, secret }, asBytes = false) {
  const given = asBytes ? toBytes(value) : value
  if (factors.length === 0) return new Modulus(given)
  if (!secret) return new Modulus(given, factors)
  return new Modulus(given, factors.map(([factor, power]) => [toBytes(factor), Number(power)]), { secret: true })
}

const codes = elements => elements.map((element, at) => {
  if (!(element instanceof Error)) return element instanceof Uint8Array ? fromBytes(element) : element
  assert.equal(element.index, at)
  return element.code
})

/** Both policies for the errors of a list. */
function * ofList (call, make, given = many(call)) {
  yield codes(make({ errors: 'return', ...given }))
  const bad = call.results.findIndex(result => typeof result === 'string')
  if (bad < 0) yield codes(make(given))
  else assert.throws(() => make(given), ({ code, index }) => call.tolerated.includes(code) || (code === call.results[bad] && index === bad))
}

function table (call, secret = false) {
  const longest = Math.max(1, ...exponents(call).map(bitLength)) + (secret ? 2 : 0)
  return new FixedBase(base(call), handle(call.moduli[0]), {
    exponentBits: Math.max(1, Math.min(longest, call.cap || longest)),
    memoryBytes: TABLE_BYTES,
    uses: 100,
    lists: call.threads > 1,
    secret,
    threads: call.threads
  })
}

/** A base as bytes, which have no sign. */
function secretBase (value, modulus) {
  return toBytes(value < 0n ? (value % modulus + modulus) % modulus : value, 1)
}

const declared = (call, exponent) => Math.max(1, bitLength(exponent) + call.wider)
const secretly = call => ({ blinding: call.blinding, ...limit(call), ...call.forced })

/** The power by the line of its plan; a power without work has none. */
function byItsLine (call, modulus, exponent) {
  const text = modulus.explain(base(call), exponent, { ...limit(call), ...call.forced })
  const plan = text.match(/^plan +(.*)$/m)?.[1]
  return modulus.pow(base(call), exponent, { ...(plan === undefined ? {} : { plan }), ...limit(call) })
}

const WORKLOADS = {
  * power (call) {
    const [modulus, [{ exponents: [exponent] }]] = [handle(call.moduli[0]), call.elements]
    yield [answer(() => modulus.pow(base(call), exponent, one(call)))]
    if (call.byItsLine) yield [answer(() => byItsLine(call, modulus, exponent))]
    if (base(call) >= 0n && exponent >= 0n) {
      const inBytes = handle(call.moduli[0], true)
      const result = answer(() => inBytes.pow(toBytes(base(call), 1), toBytes(exponent, 2), one(call)))
      yield [typeof result === 'string' ? result : fromBytes(result)]
    }
  },
  * powmod (call) {
    const [[{ exponents: [exponent] }], [{ value }]] = [call.elements, call.moduli]
    yield codes([pingala.modPowList([base(call)], exponent, value, { errors: 'return', ...one(call) })[0]])
    if (call.cap === 0 && value !== 0n) {
      yield [value === 1n ? call.results[0] : answer(() => pingala.modPow(base(call), exponent, value, undefined, { ...call.forced, ...call.timed }))]
    }
  },
  * list (call) {
    const values = call.elements.map(({ place }) => call.moduli[place].value)
    yield * ofList(call, given => pingala.modPowList(bases(call), exponents(call), values, given))
    if (call.moduli.length === 1) {
      const modulus = answer(() => handle(call.moduli[0]))
      if (typeof modulus !== 'string') {
        yield * ofList(call, given => modulus.powList(bases(call), exponents(call), given))
        yield * ofList(call, given => pingala.modPowList(bases(call), exponents(call), modulus, given))
      }
    }
    if ([...bases(call), ...exponents(call)].every(value => value >= 0n)) {
      const inBytes = [bases(call), exponents(call), values].map(list => list.map(value => toBytes(value, 1)))
      yield * ofList(call, given => pingala.modPowList(...inBytes, given))
    }
  },
  rows (call) {
    return WORKLOADS.list(call)
  },
  * base_list (call) {
    const [modulus, exponent] = [handle(call.moduli[0]), call.elements[0]?.exponents[0] ?? 3n]
    yield * ofList(call, given => modulus.powList(bases(call), exponent, given))
    yield * ofList(call, given => pingala.modPowList(bases(call), exponent, call.moduli[0].value, given))
  },
  * exponent_list (call) {
    const modulus = handle(call.moduli[0])
    yield * ofList(call, given => pingala.modPowExpList(base(call), exponents(call), modulus, { ...given, ...call.shared }))
    yield * ofList(call, given => modulus.powList(base(call), exponents(call), given))
    yield * ofList(call, given => pingala.modPowExpList(base(call), exponents(call), call.moduli[0].value, given))
  },
  * product (call) {
    const [{ bases, exponents }] = call.elements
    const modulus = handle(call.moduli[0])
    yield [answer(() => modulus.powProduct(bases, exponents, { ...many(call), ...call.shared }))]
    yield [answer(() => pingala.modPowProduct(bases, exponents, call.moduli[0].value, { ...many(call), ...call.shared }))]
  },
  * product_list (call) {
    // A call for each modulus.
    const results = call.results.slice()
    for (const place of new Set(call.elements.map(element => element.place))) {
      const its = call.elements.map((element, at) => at).filter(at => call.elements[at].place === place)
      const [bases, exponents] = ['bases', 'exponents'].map(name => its.map(at => call.elements[at][name]))
      const modulus = answer(() => handle(call.moduli[place]))
      if (typeof modulus === 'string') continue
      const found = modulus.powProductList(bases, exponents, { errors: 'return', ...many(call), ...call.shared })
      its.forEach((at, index) => { results[at] = found[index] instanceof Error ? found[index].code : found[index] })
    }
    yield results
    yield call.elements.map(({ place, bases, exponents }) => answer(() => handle(call.moduli[place]).powProduct(bases, exponents, { ...many(call), ...call.shared })))
  },
  * mul_list (call) {
    const modulus = handle(call.moduli[0])
    const [a, b] = [bases(call), exponents(call)].map(list => list.length > 1 && list.every(value => value === list[0]) ? list[0] : list)
    if (Array.isArray(a) || Array.isArray(b)) yield modulus.mulList(a, b, products(call))
    if (!bases(call).concat(exponents(call)).some(value => value < 0n)) {
      const inBytes = handle(call.moduli[0], true)
      yield inBytes.mulList(bases(call).map(value => toBytes(value, 1)), exponents(call), products(call)).map(fromBytes)
    }
  },
  * mul_rows (call) {
    yield call.elements.map(({ place, bases, exponents }) => answer(() => handle(call.moduli[place]).mulList(bases, exponents, products(call))[0]))
  },
  * square_list (call) {
    yield handle(call.moduli[0]).squareList(bases(call), products(call))
  },
  * value_product (call) {
    yield [handle(call.moduli[0]).product(call.elements[0].bases, products(call))]
  },
  * running_product (call) {
    yield handle(call.moduli[0]).runningProduct(bases(call), products(call))
  },
  * fixed_base (call) {
    const fixed = table(call)
    yield exponents(call).map(exponent => answer(() => fixed.pow(exponent)))
  },
  * fixed_base_list (call) {
    const fixed = table(call)
    yield * ofList(call, given => fixed.powList(exponents(call), given), inverses(call))
  },
  * fixed_base_file (call) {
    const fixed = table(call)
    const loaded = FixedBase.fromBytes(fixed.toBytes(), { modulus: fixed.modulus, base: fixed.base, verify: true })
    yield * ofList(call, given => loaded.powList(exponents(call), given), inverses(call))
  },
  * squaring (call) {
    const [modulus, [{ exponents: [exponent] }]] = [handle(call.moduli[0]), call.elements]
    yield [answer(() => modulus.square(base(call), bitLength(exponent) - 1, products(call)))]
  },
  * invert (call) {
    const modulus = handle(call.moduli[0])
    yield [answer(() => modulus.inv(base(call)))]
  },
  * invert_list (call) {
    const modulus = handle(call.moduli[0])
    yield * ofList(call, given => modulus.invList(bases(call), given), inverses(call))
    const [{ value }] = call.moduli
    yield * ofList(call, given => pingala.modInvList(bases(call), value, given), { ...inverses(call), maxModulusBits: bitLength(value) })
    assert.throws(() => pingala.modInvList([1n], 2n * value, { maxModulusBits: bitLength(value) }), { code: 'too_long' })
  },
  * secret_power (call) {
    const [modulus, [{ exponents: [exponent] }], { value }] = [handle(call.moduli[0]), call.elements, call.moduli[0]]
    const given = { exponentBits: declared(call, exponent), ...secretly(call) }
    const result = answer(() => modulus.powSec(secretBase(base(call), value), toBytes(exponent, 1), given))
    yield [typeof result === 'string' ? result : fromBytes(result)]
  },
  secret_bytes (call) {
    return WORKLOADS.secret_power(call)
  },
  * secret_list (call) {
    const [modulus, { value }] = [handle(call.moduli[0]), call.moduli[0]]
    const good = call.results.map((result, at) => at).filter(at => typeof call.results[at] === 'bigint')
    const [b, e] = [good.map(at => secretBase(bases(call)[at], value)), good.map(at => toBytes(exponents(call)[at], 1))]
    const exponentBits = Math.max(1, ...good.map(at => declared(call, exponents(call)[at])))
    const done = good.length === 0 ? [] : modulus.powSecList(b, e, { exponentBits, threads: call.threads, ...secretly(call) })
    yield call.results.map((result, at) => good.includes(at) ? fromBytes(done[good.indexOf(at)]) : result)
    const single = call.elements.map((_, at) => answer(() => fromBytes(modulus.powSec(
      secretBase(bases(call)[at], value), toBytes(exponents(call)[at], 1), { exponentBits: declared(call, exponents(call)[at]), ...secretly(call) }))))
    yield single
  },
  * secret_fixed_base (call) {
    const fixed = table(call, true)
    yield exponents(call).map(exponent =>
      answer(() => fromBytes(fixed.powSec(toBytes(exponent, 1), { exponentBits: declared(call, exponent) }))))
  },
  secret_fixed_base_list (call) {
    return WORKLOADS.secret_fixed_base(call)
  }
}

test('every call of the file', () => {
  const others = new Set()
  const counts = makeCalls('calls.txt', workload => {
    const make = WORKLOADS[workload] ?? WORKLOADS[AS[workload]]
    if (workload in NOT_OFFERED) others.add(workload)
    else assert.ok(make, `no form of ${workload}`)
    return make
  })
  assert.deepEqual([...others].sort(), Object.keys(NOT_OFFERED).sort())
  assert.ok(Object.values(counts).every(count => count >= 60), JSON.stringify(counts))
})
