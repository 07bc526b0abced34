// What is published, and in which order: the addons before the package that names them.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { inOrder, publishAll } from '../publish.mjs'
import { PREBUILT } from '../src/prebuilt.js'

const NAMES = PREBUILT.map(platform => `@pingala/${platform}`)
const WHOLE = { name: 'pingala', version: '1.2.3', optionalDependencies: Object.fromEntries(NAMES.map(name => [name, '1.2.3'])) }

/** A packed package with this description, behind another file, as `npm pack` writes it. */
function packed (description) {
  const entry = (name, text) => {
    const header = Buffer.alloc(512)
    header.write(`package/${name}`)
    header.write(Buffer.byteLength(text).toString(8).padStart(11, '0'), 124)
    return Buffer.concat([header, Buffer.from(text), Buffer.alloc((512 - Buffer.byteLength(text) % 512) % 512)])
  }
  return gzipSync(Buffer.concat([entry('LICENSE-MIT', 'x'.repeat(700)), entry('package.json', JSON.stringify(description)), Buffer.alloc(1024)]))
}

/** A folder with these packages, and what `use` makes of it. */
function within (descriptions, use) {
  const folder = mkdtempSync(join(tmpdir(), 'pingala-'))
  try {
    descriptions.forEach((description, index) => writeFileSync(join(folder, `${index}.tgz`), packed(description)))
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
