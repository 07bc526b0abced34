// The worker of the page: one power, its plan, and the times of both ways of computing it. The page ends the worker to stop it.

import { explain, modPow } from '../dist/browser.mjs'

/** The loop that programs have without a library: that of bigint-mod-arith, from the right. */
function loop (base, exponent, modulus) {
  let [result, square] = [1n % modulus, ((base % modulus) + modulus) % modulus]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = result * square % modulus
    square = square * square % modulus
  }
  return result
}

/** The result of a run, and the least time of some runs in milliseconds: at least one, for a fifth of a second. */
function timed (run) {
  let [least, result] = [Infinity, undefined]
  const end = performance.now() + 200
  do {
    // A short run is repeated until the clock, which is coarse in browsers, sees it.
    const start = performance.now()
    let [count, now] = [0, start]
    do {
      result = run()
      count += 1
      now = performance.now()
    } while (now - start < 5)
    least = Math.min(least, (now - start) / count)
  } while (performance.now() < end)
  return { result, ms: least }
}

self.onmessage = ({ data: { base, exponent, modulus } }) => {
  try {
    const power = modPow(base, exponent, modulus)
    postMessage({ step: 'result', text: String(power) })
    postMessage({ step: 'plan', text: explain(base, exponent, modulus) })
    if (exponent < 0n) return postMessage({ step: 'negative' })
    const { ms: ours } = timed(() => modPow(base, exponent, modulus))
    postMessage({ step: 'ours', ours })
    const { result, ms: theirs } = timed(() => loop(base, exponent, modulus))
    postMessage({ step: 'both', ours, theirs, same: result === power })
  } catch (error) {
    postMessage({ step: 'error', text: error.message, code: error.code })
  }
}
