// All that the package offers, on every platform.

export { PingalaError } from './errors.js'
export { backend, init, kernelName, version } from './engine.js'
export { closeWorkers, configure } from './later.js'
export {
  explain, explainAsync, modInv, modInvAsync, modPow, modPowAsync, modPowExpList, modPowExpListAsync, modPowList, modPowListAsync
} from './powers.js'
export { Modulus, powSec, powSecAsync } from './modulus.js'
export { FixedBase } from './fixed-base.js'
export {
  estimateRandomPrime, estimateRandomPrimeAsync, isPrime, isPrimeAsync, isPrimeList, isPrimeListAsync, primality, primalityAsync, primePair,
  primePairAsync, randomPrime, randomPrimeAsync, randomProvedPrime, randomProvedPrimeAsync, randomSecretPrime, randomSecretPrimeAsync
} from './primes.js'
export * from './generated/functions.js'
export { PublicKey, verify, verifyAsync } from './verify.js'
