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
  return { exports, text, limbs, printed: () => printed };
}
