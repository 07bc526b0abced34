// The page: reads numbers, shows the plan, times both ways of computing, runs a list on workers.

import { backend, explain, init, kernelName, modPow, modPowListAsync } from '../dist/browser.mjs'

const at = id => document.getElementById(id)
const nextFrame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))

/** The loop that programs have without a library: that of bigint-mod-arith, from the right. */
function loop (base, exponent, modulus) {
  let [result, square] = [1n % modulus, ((base % modulus) + modulus) % modulus]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = result * square % modulus
    square = square * square % modulus
  }
  return result
}

function random (bits) {
  const bytes = crypto.getRandomValues(new Uint8Array(bits / 8))
  bytes[0] |= 128
  bytes[bytes.length - 1] |= 1
  return BigInt('0x' + Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(''))
}

function read (id) {
  const text = at(id).value.replace(/[\s_]/g, '')
  if (!/^-?(\d+|0x[\da-f]+)$/i.test(text)) throw new RangeError(`The ${id} is not a number.`)
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
}

/** The least time of some runs, in milliseconds: at least one, for a fifth of a second. */
function time (run) {
  let least = Infinity
  const end = performance.now() + 200
  do {
    // A short run is repeated until the clock, which is coarse in browsers, sees it.
    const start = performance.now()
    let [count, now] = [0, start]
    do {
      run()
      count += 1
      now = performance.now()
    } while (now - start < 5)
    least = Math.min(least, (now - start) / count)
  } while (performance.now() < end)
  return least
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

async function compute () {
  at('answers').hidden = false
  const show = (id, text, wrong = false) => {
    at(id).textContent = text
    at(id).classList.toggle('wrong', wrong)
  }
  for (const id of ['ratio', 'plan', 'explanation']) show(id, '')
  at('bars').replaceChildren()
  try {
    const [base, exponent, modulus] = ['base', 'exponent', 'modulus'].map(read)
    const power = modPow(base, exponent, modulus)
    show('result', String(power))
    const text = explain(base, exponent, modulus)
    show('plan', text.split('\n')[0])
    show('explanation', text)
    show('ratio', 'Timing both …')
    await nextFrame()
    if (exponent < 0n) return show('ratio', 'Times are shown for exponents that are not negative.')
    if (loop(base, exponent, modulus) !== power) return show('ratio', 'The results differ. Please report this.', true)
    const [ours, theirs] = [time(() => modPow(base, exponent, modulus)), time(() => loop(base, exponent, modulus))]
    const longest = Math.max(ours, theirs)
    at('bars').replaceChildren(bar('Pingala', 'ours', ours, longest), bar('BigInt', 'theirs', theirs, longest))
    at('bars').setAttribute('aria-label', `Pingala ${shown(ours)}, BigInt ${shown(theirs)}`)
    const ratio = theirs / ours
    show('ratio', ratio >= 1 ? `${ratio.toFixed(1)} times faster than a loop over BigInt, with the same result.` : `${(1 / ratio).toFixed(1)} times slower than a loop over BigInt, with the same result.`)
  } catch (error) {
    show('result', error.message, true)
  }
}

let stop = null

async function runList () {
  const state = text => { at('state').textContent = text }
  stop = new AbortController()
  at('start').disabled = true
  at('stop').disabled = false
  const started = performance.now()
  let done = 0
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1)
  try {
    const [exponent, modulus] = [read('exponent'), read('modulus')]
    const count = Math.min(100000, Math.max(1, Math.floor(Number(at('count').value)) || 1))
    const bits = Math.max(64, Math.ceil(modulus.toString(16).length * 4 / 8) * 8)
    const bases = Array.from({ length: count }, () => random(bits))
    await modPowListAsync(bases, exponent, modulus, {
      signal: stop.signal,
      onProgress: (finished, total) => {
        done = finished
        at('progress').value = finished / total
        state(`${finished.toLocaleString('en')} of ${total.toLocaleString('en')} in ${seconds()} s`)
      }
    })
    state(`${count.toLocaleString('en')} powers in ${seconds()} s`)
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

fill(1024)
for (const button of document.querySelectorAll('[data-bits]')) button.onclick = () => { fill(Number(button.dataset.bits)); compute() }
at('power').onsubmit = event => { event.preventDefault(); compute() }
at('start').onclick = runList
at('stop').onclick = () => stop?.abort()

try {
  await init()
  at('engine').textContent = `Running: ${backend() === 'wasm' ? 'WebAssembly' : 'the native addon'}, kernel ${kernelName()}.`
  await compute()
} catch (error) {
  at('engine').textContent = `The module cannot be loaded: ${error.message}`
}
