// Publishes the packed packages of a folder to npm: first the addon of every platform, then the package, whose optionalDependencies name them.
//
//     node publish.mjs FOLDER [OPTION...]
//
// The options go to `npm publish`: --provenance where the workflow runs, --dry-run to look. Nothing is published unless all packages are there,
// of one version. A package that the registry has already is left out, so that a publication which broke off can be repeated; another file of
// the same version is an error.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PREBUILT } from './src/prebuilt.js'

const WINDOWS = process.platform === 'win32'

/**
 * The packages of a release in the order in which they are published: `file`, `name` and `version` of each.
 *
 * Error: one is missing, there twice or unknown, versions differ, or the package does not name exactly the addons of its version.
 */
export function inOrder (folder) {
  const packages = readdirSync(folder).filter(name => name.endsWith('.tgz')).map(name => {
    // npm takes a path such as dist/name for a repository of GitHub.
    const file = resolve(folder, name)
    return { file, ...JSON.parse(execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' })) }
  })
  const names = [...PREBUILT.map(platform => `@pingala/${platform}`), 'pingala']
  const found = packages.map(({ name }) => name)
  const missing = names.filter(name => !found.includes(name))
  const others = found.filter((name, index) => !names.includes(name) || found.indexOf(name) !== index)
  if (missing.length > 0) throw new Error(`${folder} has no package ${missing.join(', ')}`)
  if (others.length > 0) throw new Error(`${folder} has packages that are unknown or there twice: ${others.join(', ')}`)
  const ordered = names.map(name => packages.find(one => one.name === name))
  const { version, optionalDependencies = {} } = ordered.at(-1)
  const another = ordered.filter(one => one.version !== version).map(one => `${one.name} ${one.version}`)
  if (another.length > 0) throw new Error(`pingala is ${version}, but ${another.join(', ')}`)
  const named = Object.entries(optionalDependencies).map(pair => pair.join(' ')).sort()
  const needed = names.slice(0, -1).map(name => `${name} ${version}`).sort()
  if (named.join() !== needed.join()) throw new Error(`optionalDependencies of pingala are not its addons: ${named.join(', ') || 'none'}`)
  return ordered.map(({ file, name, version }) => ({ file, name, version }))
}

function npm (words, settings) {
  return execFileSync(WINDOWS ? 'npm.cmd' : 'npm', words, { encoding: 'utf8', shell: WINDOWS, ...settings })
}

/** The integrity of a version as the registry has it; none if the registry has no such version. Error: the registry cannot be asked. */
function published (name, version) {
  try {
    return JSON.parse(npm(['view', `${name}@${version}`, 'dist.integrity', '--json'], { stdio: ['ignore', 'pipe', 'pipe'] }) || 'null')
  } catch (error) {
    if (/E404/.test(error.stdout + error.stderr)) return null
    throw error
  }
}

/**
 * Publishes, in this order, what the registry does not have. `ask` says the integrity that it has of a name and a version, `publish` takes a file.
 *
 * Error: the registry has another file of the same name and version. Then nothing is published.
 */
export function publishAll (packages, { ask = published, publish }) {
  const wanted = packages.filter(({ file, name, version }) => {
    const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
    const theirs = ask(name, version)
    if (theirs !== null && theirs !== integrity) throw new Error(`${name} ${version} is published, and is not ${file}`)
    if (theirs !== null) console.log(`${name} ${version} is published already`)
    return theirs === null
  })
  for (const { file } of wanted) publish(file)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, ...options] = process.argv.slice(2)
  if (folder === undefined) {
    console.error('usage: node publish.mjs FOLDER [OPTION...]')
    process.exit(2)
  }
  publishAll(inOrder(folder), { publish: file => npm(['publish', file, '--access', 'public', ...options], { stdio: 'inherit' }) })
}
