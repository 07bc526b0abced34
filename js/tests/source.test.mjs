// What is written in two places says the same in both.

import assert from 'node:assert/strict'
import test from 'node:test'
import * as operations from '../src/generated/operations.js'
import { PREBUILT } from '../src/prebuilt.js'
import { IN_SMALL } from '../src/wasm.js'
import { pingala, text } from './common.mjs'

test('operations have the numbers of the crate', () => {
  const crate = text('crates/pingala-js/src/calls/mod.rs')
  const numbers = lines => [...lines.matchAll(/^ {4}(\d+) => (\w+) /gm)]
  const listed = numbers(crate)
  assert.deepEqual(Object.fromEntries(listed.map(([, number, name]) => [name, Number(number)])), { ...operations })
  const inSmall = numbers(crate.slice(0, crate.indexOf('    and with all_operations:')))
  assert.deepEqual(inSmall.map(([, number]) => Number(number)), [...IN_SMALL])
})

test('hash functions have the places of the crate', () => {
  const [, list] = text('crates/pingala-js/src/calls/signature.rs').match(/HASHES: \[Hash; \d+\] = \[([^\]]*)\]/)
  const theirs = [...list.matchAll(/Hash::(\w+)/g)].map(([, name]) => name.toLowerCase().replaceAll('_', '-'))
  const [, ours] = text('js/src/verify.js').match(/HASHES = \[([^\]]*)\]/)
  assert.deepEqual([...ours.matchAll(/'([^']*)'/g)].map(([, name]) => name.replace(/^sha3-/, 'sha3-')), theirs.map(name => name.replace(/^sha3-/, 'sha3-')))
})

test('packages of addons are those of the platforms of a release', () => {
  const [, table] = text('tools/dist/addons.py').match(/^NAMES = \{([^}]*)\}/m)
  const names = Object.fromEntries([...table.matchAll(/"([^"]*)": "([^"]*)"/g)].map(([, ours, theirs]) => [ours, theirs]))
  const platforms = [...text('tools/dist/platforms.py').matchAll(/Platform\("([\w-]+)"/g)].map(([, name]) => names[name])
  assert.deepEqual([...PREBUILT].sort(), platforms.sort())
})

test('every export has types, and every type an export', () => {
  const types = [...text('js/index.d.ts').matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name)
  assert.deepEqual([...new Set(types)].sort(), Object.keys(pingala).sort())
})

test('the types of pingala/powers are of exports', () => {
  const types = text('js/powers.d.ts')
  const names = [...types.matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name)
  const [, others] = types.match(/^export \{ (.*) \} from/m)
  for (const name of [...names, ...others.split(', ')]) assert.ok(name in pingala, name)
  const methods = [...types.matchAll(/^  (\w+) \(/gm)].map(([, name]) => name).filter(name => name !== 'constructor')
  for (const name of methods) assert.equal(typeof pingala.Modulus.prototype[name], 'function', name)
})
