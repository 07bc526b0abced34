// Runs the tests on each backend, and says at last what passed, failed and was skipped, as tools/tally.py reads it.
//
//     node tests/run.mjs [native|wasm]...

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ADDON, HERE, PACKAGE } from './paths.mjs'

const wanted = process.argv.slice(2)
const files = readdirSync(HERE).filter(name => name.endsWith('.test.mjs')).map(name => join(HERE, name))
// How Node chooses is tested once, with the addon.
const filesOf = backend => files.filter(file => backend === 'native' || !file.endsWith('node.test.mjs'))
const total = { passed: 0, failed: 0, skipped: [] }

for (const backend of wanted.length > 0 ? wanted : ['native', 'wasm']) {
  const needed = backend === 'native' ? ADDON : join(PACKAGE, 'dist/pingala.wasm')
  if (!existsSync(needed)) {
    const how = backend === 'wasm' ? 'rustup target add wasm32-unknown-unknown' : 'make js'
    total.skipped.push(`JavaScript on ${backend}: ${needed} is not built (${how})`)
    continue
  }
  const { stdout, status } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...filesOf(backend)], {
    encoding: 'utf8', env: { ...process.env, PINGALA_BACKEND: backend }, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit']
  })
  const count = name => Number(stdout.match(new RegExp(`^# ${name} (\\d+)$`, 'm'))?.[1] ?? 0)
  total.passed += count('pass')
  total.failed += count('fail') + count('cancelled')
  if (status !== 0) {
    console.log(stdout)
    if (count('fail') + count('cancelled') === 0) total.failed += 1
  }
  for (const [, name, why] of stdout.matchAll(/^\s*ok \d+ - (.*) # SKIP ?(.*)$/gm)) total.skipped.push(`${name}: ${why}`)
}

for (const name of total.skipped) console.log(`SKIPPED: ${name}`)
console.log(`javascript: ${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`)
process.exit(total.failed > 0 ? 1 : 0)
