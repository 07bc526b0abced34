// What powers by BigInt take beside those by the module for WebAssembly, for js/src/engine-prices.js: `node bigint.mjs [BITS,...]` in each engine, or as
// a module in a page (js/bench/engines.mjs). Microseconds, least of interleaved samples: of a product by BigInt, of one by the module, and of a call
// of the module besides.
import { power, products } from '../../js/src/bigint.js';

export const LENGTHS = [32, 64, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096, 16384, 32768, 65536, 131072, 262144];

const random = (bits) => {
  let text = '1';
  while (text.length < bits) text += Math.floor(Math.random() * 2 ** 30).toString(2).padStart(30, '0');
  return BigInt(`0b${text.slice(0, bits)}`);
};

/** Lets the module compute every power: the package asks for its engine once, at the first power, and hands none to BigInt where it knows none. */
export function moduleAlone(modPow) {
  const hidden = ['process', 'navigator'].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const [name] of hidden) Object.defineProperty(globalThis, name, { value: undefined, configurable: true });
  try {
    modPow(3n, 5n, 7n);
  } finally {
    for (const [name, own] of hidden) {
      delete globalThis[name];
      if (own !== undefined) Object.defineProperty(globalThis, name, own);
    }
  }
}

/** A row for each length: bits, BigInt's product, the module's product, a call of the module. `modPow` is that of the package by WebAssembly. */
export function measured(modPow, lengths, budget = 1500) {
  return lengths.map((bits) => {
    const modulus = random(bits) | 1n;
    // Two exponents tell what each product costs from what each call costs.
    const exponents = bits > 20_000 ? [random(8), random(32)] : bits > 3_000 ? [random(16), random(256)] : [random(20), random(512)];
    const contenders = exponents.flatMap((exponent) => [(base) => power(base, exponent, modulus), (base) => modPow(base, exponent, modulus)]);
    const least = contenders.map(() => Infinity);
    const base = random(bits) % modulus;
    const once = contenders.map((run) => {
      const start = performance.now();
      let calls = 0;
      do { run(base); calls += 1; } while (performance.now() - start < budget / 4);
      return Math.max(1, Math.ceil(calls * 160 / budget));
    });
    const until = performance.now() + budget;
    let turn = 0;
    do {
      contenders.forEach((run, at) => {
        const start = performance.now();
        for (let call = 0; call < once[at]; call += 1) run(base - BigInt(call & 7));
        least[at] = Math.min(least[at], (performance.now() - start) * 1000 / once[at]);
      });
      turn += 1;
    } while (turn < 5 || performance.now() < until);
    const [few, many] = exponents.map((exponent) => products(exponent.toString(2).length));
    const slope = (at) => Math.max(0, (least[at + 2] - least[at]) / (many - few));
    return [bits, ...[least[2] / many, slope(1), Math.max(0, least[1] - few * slope(1))].map((price) => Number(price.toPrecision(3)))];
  });
}

if (globalThis.process?.versions?.node !== undefined) {
  const { createRequire } = await import('node:module');
  process.env.PINGALA_BACKEND = 'wasm';
  const { modPow, backend } = createRequire(import.meta.url)(process.env.PINGALA_TESTED ?? new URL('../../target/js/package/dist/index.cjs', import.meta.url).pathname);
  const lengths = process.argv[2]?.split(',').map(Number) ?? LENGTHS;
  backend();
  moduleAlone(modPow);
  console.log(`Node ${process.version}, V8 ${process.versions.v8}, ${backend()}`);
  for (const bits of lengths) console.log(JSON.stringify(measured(modPow, [bits])[0]));
}
