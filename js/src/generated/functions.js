// Written by `make border` from border/ and crates/pingala-js/src/calls/mod.rs; do not edit.

import { FUNCTIONS } from '../rows.js'

export const {
  modPowProduct, modPowProductAsync,
  modInvList, modInvListAsync,
  nextPrime, nextPrimeAsync,
  previousPrime, previousPrimeAsync,
  primesBetween, primesBetweenAsync,
  certify, certifyAsync,
  checkCertificate, checkCertificateAsync,
  jacobi, jacobiAsync,
  jacobiList, jacobiListAsync,
  kronecker, kroneckerAsync,
  sqrtMod, sqrtModAsync,
  sqrtModAll, sqrtModAllAsync,
  sqrtModList, sqrtModListAsync
} = FUNCTIONS
