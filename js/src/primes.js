// Primes.

import { OPTIONS } from './generated/calls.js'
import * as op from './generated/operations.js'
import { flag, forms, readOptions, settings } from './call.js'
import { badArgument } from './errors.js'
import { integer, integers, setting } from './number.js'

// The library says which lengths are too long.
const MOST_BITS = Number.MAX_SAFE_INTEGER
const ANSWERS = ['composite', 'probable', 'proved']

function rounds (read) {
  return setting(read.rounds, 'rounds', 1, 1e6)
}

/** The test of a list; `finish` gets 0, 1 or 2 for each number. */
function test (finish, one) {
  return (extra, n, given) => {
    const { read, later } = readOptions(given, [...OPTIONS.is_prime, 'rounds'], extra)
    const numbers = one ? [integer(n, 'number')] : integers(n, 'numbers')
    const request = { operation: op.IS_PRIME, numbers: [numbers], settings: settings(read, rounds(read)) }
    return { request, later, finish, split: one ? undefined : { count: numbers.length } }
  }
}

/** Whether a number is prime: surely if it is below 2^64, otherwise by the tests of Baillie and PSW, and of Miller and Rabin. */
export const [isPrime, isPrimeAsync] = forms(test(([answer]) => answer > 0, true))

/** `composite`, `probable` or `proved`. */
export const [primality, primalityAsync] = forms(test(([answer]) => ANSWERS[answer], true))

/** The same of a list, whose numbers are tested together. */
export const [isPrimeList, isPrimeListAsync] = forms(test(answers => answers.map(answer => answer > 0), false))

function random (operation, name, ...known) {
  return (extra, bits, given) => {
    const { read, later } = readOptions(given, [...OPTIONS[name], 'safe', 'topBits', 'uniform', 'rounds', 'residue', ...known], extra)
    const residue = read.residue === undefined ? [] : integers(read.residue, 'residue')
    if (residue.length !== 0 && residue.length !== 2) throw badArgument('residue is a pair: r and q, for primes of r modulo q')
    const length = setting(bits, 'bits', 2, MOST_BITS, undefined)
    if (length === undefined) throw badArgument('the length in bits is missing')
    const request = {
      operation,
      numbers: [residue],
      settings: settings(
        read,
        length,
        flag(read.safe, 'safe') ? 1 : 0,
        setting(read.topBits, 'topBits', 1, 2, 1) - 1,
        flag(read.uniform, 'uniform') ? 1 : 0,
        rounds(read),
        ...known.map(name => flag(read[name], name) ? 1 : 0))
    }
    return { request, later }
  }
}

/** A random prime of this length. */
export const [randomPrime, randomPrimeAsync] = forms(random(op.RANDOM_PRIME, 'random_prime'))

/** A random prime of this length that nobody may learn: its tests run in constant time, and it is a Uint8Array. */
export const [randomSecretPrime, randomSecretPrimeAsync] = forms(random(op.RANDOM_SECRET_PRIME, 'random_prime'))

/** A random prime of this length and a certificate that it is prime. */
const proved = random(op.RANDOM_PROVED_PRIME, 'random_prime')
export const [randomProvedPrime, randomProvedPrimeAsync] = forms((...all) => ({
  ...proved(...all),
  finish (answer) {
    const end = answer.indexOf(' ')
    return { prime: BigInt(answer.slice(0, end)), certificate: answer.slice(end + 1) }
  }
}))

const estimate = random(op.ESTIMATE_PRIME, 'estimate_random_prime', 'secret')

/** How many numbers the search for a random prime is expected to test, and in how many seconds. */
export const [estimateRandomPrime, estimateRandomPrimeAsync] = forms((...all) => ({
  ...estimate(...all),
  finish (answer) {
    const [tests, seconds] = answer.split(' ').map(Number)
    return { tests, seconds }
  }
}))

const KINDS = ['rsa', 'paillier', 'safe']

/** Two secret primes whose product has this length, as Uint8Arrays: of RSA, of Paillier's scheme, or safe primes. */
export const [primePair, primePairAsync] = forms((extra, modulusBits, kind, given) => {
  const { read, later } = readOptions(given, [...OPTIONS.prime_pair, 'publicExponent', 'rounds'], extra)
  const place = KINDS.indexOf(kind) + 1
  if (place === 0) throw badArgument(`the kind is ${JSON.stringify(kind)}, and not one of ${KINDS.join(', ')}`)
  if (place !== 1 && read.publicExponent !== undefined) throw badArgument('only primes for RSA have a public exponent')
  const exponent = place === 1 ? [integer(read.publicExponent ?? 65537n, 'publicExponent')] : []
  const length = setting(modulusBits, 'modulusBits', 4, MOST_BITS, undefined)
  if (length === undefined) throw badArgument('the length in bits is missing')
  const request = { operation: op.PRIME_PAIR, numbers: [exponent], settings: settings(read, length, place, rounds(read)) }
  return { request, later, finish: ([p, q]) => ({ p, q }) }
})
