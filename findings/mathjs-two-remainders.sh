#!/usr/bin/env bash
# mathjs 15.2.0: `mod` has another sign for bigint than for number, and `gcd` of bigints is no bigint.
# Guess: `mod(7n, -3n)` is -2n, since `mod(7, -3)` is -2.
# What happens: 1n. `gcd(4n, 6n)` is the number 2, so that for longer bigints it throws.
# For our users: docs/javascript.md; results here are never negative.
. "$(dirname "$0")/lib.sh"
node mathjs@15.2.0 <<'PROGRAM'
const assert = require('node:assert')
const math = require('mathjs')
console.log('mathjs', math.version, math.mod(7, -3), math.mod(7n, -3n), math.gcd(4n, 6n))
assert.equal(math.mod(7, -3), -2)
assert.equal(math.mod(7n, -3n), 1n)
assert.equal(math.mod(-7, 3), 2)
assert.equal(math.mod(-7n, 3n), 2n)
assert.equal(typeof math.gcd(4n, 6n), 'number')
assert.throws(() => math.gcd(2n ** 70n, 2n ** 69n))
PROGRAM
