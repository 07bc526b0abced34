#!/usr/bin/env bash
# bn.js 5.2.5 makes a Montgomery context of an even modulus and computes wrong powers in it.
# Guess: `BN.mont` refuses a modulus that has no Montgomery form.
# What happens: 3^5 mod 10 is 2 there and 3 by `BN.red`.
# For our users: docs/javascript.md; Pingala takes even moduli.
. "$(dirname "$0")/lib.sh"
node bn.js@5.2.5 <<'PROGRAM'
const assert = require('node:assert')
const BN = require('bn.js')
const power = ring => new BN(3).toRed(ring(new BN(10))).redPow(new BN(5)).fromRed().toNumber()
console.log('bn.js', require('bn.js/package.json').version, power(BN.mont), power(BN.red))
assert.equal(power(BN.red), 3)
assert.equal(power(BN.mont), 2)
PROGRAM
