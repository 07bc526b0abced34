// What is published, and in which order: the addons before the package that names them.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { inOrder, publishAll } from '../publish.mjs'
import { PREBUILT } from '../src/prebuilt.js'

const NAMES = PREBUILT.map(platform => `@pingala/${platform}`)
const WHOLE = { name: 'pingala', version: '1.2.3', optionalDependencies: Object.fromEntries(NAMES.map(name => [name, '1.2.3'])) }

/** A packed package with this description, as `npm pack` lays it out. */
function pack (description, file) {
  const folder = mkdtempSync(join(tmpdir(), 'pingala-'))
  mkdirSync(join(folder, 'package'))
  writeFileSync(join(folder, 'package/LICENSE-MIT'), 'x'.repeat(700))
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify(description))
  execFileSync('tar', ['-czf', file, '-C', folder, 'package'])
  rmSync(folder, { recursive: true })
}

/** A folder with these packages, and what `use` makes of it. */
function within (descriptions, use) {
  const folder = mkdtempSync(join(tmpdir(), 'pingala-'))
  try {
    descriptions.forEach((description, index) => pack(description, join(folder, `${index}.tgz`)))
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const release = (change = one => one) => [WHOLE, ...NAMES.toReversed().map(name => ({ name, version: '1.2.3' }))].map(change).filter(one => one !== null)

test('the package comes last, after the addon of every platform', () => {
  within(release(), folder => {
    assert.deepEqual(inOrder(folder).map(({ name, version }) => `${name} ${version}`), [...NAMES, 'pingala'].map(name => `${name} 1.2.3`))
  })
})

test('an incomplete or mixed release is refused', () => {
  const refused = (descriptions, message) => within(descriptions, folder => assert.throws(() => inOrder(folder), { message }))
  for (const name of [...NAMES, 'pingala']) refused(release(one => one.name === name ? null : one), new RegExp(`has no package ${name}$`))
  refused([...release(), { name: '@pingala/plan9-mips', version: '1.2.3' }], /unknown or there twice: @pingala\/plan9-mips/)
  refused([...release(), WHOLE], /there twice: pingala/)
  refused(release(one => one.name === NAMES[2] ? { ...one, version: '1.2.2' } : one), new RegExp(`pingala is 1.2.3, but ${NAMES[2]} 1.2.2`))
  refused(release(one => one.name === 'pingala' ? { ...one, optionalDependencies: { [NAMES[0]]: '1.2.3' } } : one), /are not its addons/)
  refused(release(one => one.name === 'pingala' ? { name: 'pingala', version: '1.2.3' } : one), /are not its addons: none/)
})

test('what the registry has is left out, and another file of the same version refused', () => {
  within(release(), folder => {
    const packages = inOrder(folder)
    const integrity = file => `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
    const published = ask => {
      const files = []
      publishAll(packages, { ask, publish: file => files.push(file) })
      return files
    }
    const files = packages.map(({ file }) => file)
    assert.deepEqual(published(() => null), files)
    const first = name => name === NAMES[0] ? integrity(files[0]) : null
    assert.deepEqual(published(first), files.slice(1))
    const started = []
    const another = { ask: name => name === 'pingala' ? integrity(files[0]) : null, publish: file => started.push(file) }
    assert.throws(() => publishAll(packages, another), /pingala 1.2.3 is published, and is not/)
    assert.deepEqual(started, [])
  })
})
