// Loads the module that `make -C lab wasm` builds.
import fs from 'node:fs';

const file = new URL('target/wasm32-unknown-unknown/release/pingala_lab_wasm.wasm', import.meta.url);

/** The module's exports, and functions that bring texts and numbers to it. */
export function load() {
  let printed = '';
  const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at, length);
  const host = {
    now: () => performance.now(),
    prices: (at, length) => { printed = new TextDecoder().decode(bytes(at, length)); },
  };
  const module = new WebAssembly.Module(fs.readFileSync(file));
  const { exports } = new WebAssembly.Instance(module, { host });
  const text = (value) => {
    const utf8 = new TextEncoder().encode(value);
    const at = exports.room(Math.ceil(utf8.length / 8) + 1);
    bytes(at, utf8.length).set(utf8);
    return [at, utf8.length];
  };
  const limbs = (at, length) => new BigUint64Array(exports.memory.buffer, at, length);
  let [room, longest] = [0, 0];
  /** base^exponent mod modulus, numbers of n limbs, by the kernel or plan of a text; null for an error. */
  const power = (base, exponent, modulus, n, name, secret) => {
    if (n > longest) [room, longest] = [exports.room(4 * n), n];
    const view = limbs(room, 4 * n);
    [base, exponent, modulus].forEach((value, index) => {
      for (let i = 0; i < n; i += 1, value >>= 64n) view[n * index + i] = value;
    });
    if (exports.power(room + 24 * n, room, n, ...name, secret ? 1 : 0) !== 0) return null;
    const result = limbs(room + 24 * n, n);
    let value = 0n;
    for (let i = n - 1; i >= 0; i -= 1) value = (value << 64n) | result[i];
    return value;
  };
  return { exports, text, power, printed: () => printed };
}
