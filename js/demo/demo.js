// The page: reads numbers, has a worker compute a power and the times of both ways, and runs a list on the workers of the package.

import { backend, init, kernelName, modPowListAsync } from '../dist/browser.mjs'
import { count, read } from './numbers.js'

/** Most powers of a list, and how many are given to the workers at once: this thread draws and copies their bases. */
const MOST_POWERS = 100_000
const AT_ONCE_BYTES = 1 << 18

const at = id => document.getElementById(id)

/** Random bytes, by calls of at most 64 KiB, which is what browsers draw at once. */
function randomBytes (length) {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536))
  return bytes
}

/** A random odd number of this length. */
function random (bits) {
  const bytes = randomBytes(bits / 8)
  bytes[0] |= 128
  bytes[bytes.length - 1] |= 1
  return BigInt('0x' + Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(''))
}

function toBytes (value) {
  const digits = value.toString(16)
  return Uint8Array.from((digits.length % 2 === 1 ? '0' + digits : digits).match(/../g), pair => parseInt(pair, 16))
}

/** Marks a field as wrong, with the sentence below it; without a sentence it is right again. */
function mark (id, sentence) {
  at(id).setAttribute('aria-invalid', String(sentence !== ''))
  at(`${id}-wrong`).textContent = sentence
}

/** Reads fields by their readers; null, and marks, if one is wrong. The first wrong one gets the cursor. */
function readFields (readers) {
  const values = {}
  const wrong = []
  for (const [id, reader] of Object.entries(readers)) {
    mark(id, '')
    try {
      values[id] = reader(at(id).value)
    } catch (error) {
      mark(id, `${at(id).labels[0].textContent}: ${error.message}.`)
      wrong.push(id)
    }
  }
  if (wrong.length > 0) at(wrong[0]).focus()
  return wrong.length > 0 ? null : values
}

/** The readers of the numbers that both parts of the page need. */
const EXPONENT = read
const MODULUS = text => {
  const value = read(text)
  if (value < 1n) throw new RangeError('a modulus is at least 1')
  return value
}

function shown (ms) {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`
  return ms >= 1 ? `${ms.toFixed(2)} ms` : `${(ms * 1000).toFixed(1)} µs`
}

const SVG = 'http://www.w3.org/2000/svg'

function bar (name, kind, ms, longest) {
  const row = document.createElement('div')
  row.className = `bar ${kind}`
  const [label, value] = [document.createElement('span'), document.createElement('span')]
  label.textContent = name
  value.textContent = shown(ms)
  value.className = 'time'
  const picture = document.createElementNS(SVG, 'svg')
  const rect = document.createElementNS(SVG, 'rect')
  rect.setAttribute('width', `${Math.max(0.5, 100 * ms / longest)}%`)
  rect.setAttribute('height', '100%')
  rect.setAttribute('rx', '3')
  picture.append(rect)
  row.append(label, picture, value)
  return row
}

function show (id, text, wrong = false) {
  at(id).textContent = text
  at(id).classList.toggle('wrong', wrong)
}

function compared ({ ours, theirs, same }) {
  if (!same) return show('ratio', 'The results differ. Please report this.', true)
  const longest = Math.max(ours, theirs)
  at('bars').replaceChildren(bar('Pingala', 'ours', ours, longest), bar('BigInt', 'theirs', theirs, longest))
  at('bars').setAttribute('aria-label', `Pingala ${shown(ours)}, BigInt ${shown(theirs)}`)
  const ratio = theirs / ours
  const times = ratio >= 1 ? `${ratio.toFixed(1)} times faster` : `${(1 / ratio).toFixed(1)} times slower`
  show('ratio', `${times} than a loop over BigInt, with the same result.`)
}

/** The worker that computes powers; null until one is needed, and after one was stopped. */
let worker = null
/** Stops the power that is computed, and says why. */
let halt = null

/** Computes the power of the fields. */
function compute () {
  halt?.('')
  const numbers = readFields({ base: read, exponent: EXPONENT, modulus: MODULUS })
  if (numbers === null) return
  at('answers').hidden = false
  for (const id of ['result', 'ratio', 'plan', 'explanation']) show(id, '')
  at('bars').replaceChildren()
  const started = performance.now()
  let task = 'Computing the power'
  const tick = () => show('ratio', `${task} … ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const ticks = setInterval(tick, 500)
  const end = () => {
    clearInterval(ticks)
    halt = null
    at('halt').disabled = true
  }
  halt = sentence => {
    // A worker that is ended says nothing more.
    worker.terminate()
    worker = null
    end()
    show('ratio', sentence)
  }
  tick()
  at('halt').disabled = false
  worker ??= new Worker(new URL('./power.js', import.meta.url), { type: 'module' })
  worker.onerror = event => halt?.(`The worker of this page failed: ${event.message ?? 'is power.js beside the page?'}`)
  worker.onmessage = ({ data }) => {
    if (data.step === 'result') {
      show('result', data.text)
      task = 'Planning'
    } else if (data.step === 'plan') {
      show('plan', data.text.split('\n')[0])
      show('explanation', data.text)
      task = 'Timing Pingala'
    } else if (data.step === 'ours') {
      at('bars').replaceChildren(bar('Pingala', 'ours', data.ours, data.ours))
      task = 'Timing the loop over BigInt'
    } else {
      end()
      LAST[data.step](data)
    }
  }
  worker.postMessage(numbers)
}

/** What is shown at the last message of the worker. */
const LAST = {
  both: compared,
  negative: () => show('ratio', 'Times are shown for exponents that are not negative.'),
  error ({ text, code }) {
    show('ratio', '')
    show('result', text, true)
    if (code === 'not_invertible') mark('base', 'Base: it has no inverse modulo the modulus, and a negative exponent needs one.')
  }
}

let stop = null

async function runList () {
  const state = text => { at('state').textContent = text }
  const numbers = readFields({ exponent: EXPONENT, modulus: MODULUS, count: text => count(text, MOST_POWERS) })
  if (numbers === null) return state('Not started: a field is wrong.')
  const modulus = toBytes(numbers.modulus)
  const length = Math.max(8, modulus.length)
  const most = Math.ceil(AT_ONCE_BYTES / length)
  stop = new AbortController()
  at('start').disabled = true
  at('stop').disabled = false
  at('progress').value = 0
  const started = performance.now()
  let done = 0
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1)
  const all = numbers.count.toLocaleString('en')
  const report = finished => {
    done = finished
    at('progress').value = finished / numbers.count
    state(`${finished.toLocaleString('en')} of ${all} in ${seconds()} s`)
  }
  report(0)
  try {
    for (let before = 0; before < numbers.count; before += most) {
      const some = Math.min(most, numbers.count - before)
      const drawn = randomBytes(some * length)
      const bases = Array.from({ length: some }, (_, index) => drawn.subarray(index * length, (index + 1) * length))
      await modPowListAsync(bases, numbers.exponent, modulus, { signal: stop.signal, onProgress: finished => report(before + finished) })
    }
    state(`${all} powers in ${seconds()} s`)
  } catch (error) {
    state(error.name === 'AbortError' ? `Stopped after ${done.toLocaleString('en')} powers and ${seconds()} s.` : error.message)
  } finally {
    at('start').disabled = false
    at('stop').disabled = true
  }
}

function fill (bits) {
  for (const id of ['base', 'exponent', 'modulus']) at(id).value = String(random(bits))
}

/** The theme that a reader chose on the site, whose demo this may be. */
function theme () {
  try {
    const chosen = localStorage.getItem('theme')
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
  } catch {
    // A browser may keep nothing for pages.
  }
}

clearTimeout(window.lateNotice)
at('engine').classList.remove('wrong')
theme()
fill(1024)
for (const button of document.querySelectorAll('[data-bits]')) button.onclick = () => { fill(Number(button.dataset.bits)); compute() }
at('power').onsubmit = event => { event.preventDefault(); compute() }
at('halt').onclick = () => halt?.('Stopped.')
at('start').onclick = runList
at('stop').onclick = () => stop?.abort()

try {
  await init()
  at('engine').textContent = `Running: ${backend() === 'wasm' ? 'WebAssembly' : 'the native addon'}, kernel ${kernelName()}.`
  compute()
} catch (error) {
  at('engine').textContent = `The module cannot be loaded: ${error.message}`
}
