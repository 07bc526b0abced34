// The scripts of the demo and of the site that need no browser. js/hardening/browsers.mjs and site.mjs drive the pages.

import assert from 'node:assert/strict'
import test from 'node:test'
import { runInNewContext } from 'node:vm'
import { MOST_BITS, count, read } from '../demo/numbers.js'
import { text } from './common.mjs'

test('the fields of the demo take digits, hexadecimal digits, and sums and products of powers', () => {
  const given = {
    12: 12n,
    '1,000': 1000n,
    ' 1 000_000\n': 1000000n,
    '0xfF': 255n,
    '-5': -5n,
    '+7': 7n,
    '2^521-1': 2n ** 521n - 1n,
    '2**127 - 1': 2n ** 127n - 1n,
    '-2^3': -8n,
    '2^3^2': 512n,
    '3*2^10+1': 3073n,
    '0^0': 1n,
    '1^99999999999999': 1n
  }
  for (const [field, value] of Object.entries(given)) assert.equal(read(field), value, field)
  for (const field of ['', '  ', 'x', '1,00', '1.5', '1e9', '2^', '2^-1', '5--3', '12a', '0x', '2^99999999999', '2^2^99', '9'.repeat(MOST_BITS), `2^${MOST_BITS}*2`]) {
    assert.throws(() => read(field), error => error instanceof RangeError && /^('|a )/.test(error.message), field.slice(0, 30))
  }
  assert.equal(read(`2^${MOST_BITS - 4}-1`), (1n << BigInt(MOST_BITS - 4)) - 1n)
  assert.equal(count('1,000', 100000), 1000)
  for (const field of ['0', '-1', '999999', '1.5', '']) assert.throws(() => count(field, 100000), RangeError, field)
})

/** The score that the site's search gives to a page. */
function score (page, title, asked, found = 5) {
  const context = { URLSearchParams, location: { search: `?q=${encodeURIComponent(asked)}` } }
  runInNewContext(text('docs/site/scorer.js'), context)
  return context.Scorer.score([page, title, '', null, found, `${page}.html`])
}

test('the search of the site ranks guides before pages of contributors, and those before records', () => {
  const guide = score('javascript', 'Pingala in JavaScript', 'abort', 2)
  const contributing = score('contributing/index', 'Contributing', 'abort', 90)
  const late = ['records/javascript', 'papers/001', 'changelog', 'records/index'].map(page => score(page, 'A page', 'abort', 90))
  assert.ok(guide > contributing)
  for (const one of late) assert.ok(contributing > one)
  // Who asks for the changelog gets it first.
  assert.ok(score('changelog', 'Changelog', 'changelog') > score('stability', 'Stability', 'changelog', 30))
})

test('an example is copied without prompts and answers', () => {
  const context = { document: { addEventListener () {} } }
  runInNewContext(text('docs/site/copy.js'), context)
  const copied = example => runInNewContext(`typed(${JSON.stringify(example)})`, context)
  assert.equal(copied('>>> import pingala\n>>> for x in (1,\n...           2):\n...     x\n1\n2\n>>>\n'), 'import pingala\nfor x in (1,\n          2):\n    x\n')
  assert.equal(copied('pingala pow 3 4 35\n'), 'pingala pow 3 4 35')
})
