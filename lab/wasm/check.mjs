// Compares every kernel that WebAssembly has, forced, with BigInt: `node check.mjs [CASES [SEED]]`, 20 ms a case. Moduli and
// operands are at edges (all ones, powers of two and their neighbours, digits of 13 and 29 bits at their ends) or random, of every length in bits up to
// 2,600, some up to 33,000; exponents public, and secret where the kernel takes them. A failed case prints what repeats it.
import { readFileSync } from 'node:fs';
import { load } from './host.mjs';

const [cases, seed] = [Number(process.argv[2] ?? 3_000), Number(process.argv[3] ?? Date.now() % 2 ** 31)];
const { text, power } = load();
const prices = readFileSync(new URL('../../crates/pingala-core/src/engine/plan/prices/wasm32.txt', import.meta.url), 'utf8');
const names = ['', ...new Set(prices.match(/^\w+(?= (?:-|\w+) \d)/gm))];
const kernels = names.map((name) => ({ name, at: text(name), powers: 0, secret: 0 }));

// xorshift64*, so that a seed repeats a run.
let state = BigInt(seed) * 2n + 1n;
const roll = () => {
  state ^= state >> 12n;
  state = BigInt.asUintN(64, state ^ (state << 25n));
  state ^= state >> 27n;
  return BigInt.asUintN(64, state * 0x2545f4914f6cdd1dn);
};
const below = (count) => Number(roll() % BigInt(count));
const random = (bits) => {
  let value = 0n;
  for (let have = 0; have < bits; have += 64) value = (value << 64n) | roll();
  return BigInt.asUintN(bits, value);
};
/** Digits of some bits that are all near their ends. */
const ends = (bits, digit) => {
  let value = 0n;
  for (let have = 0; have < bits; have += digit) {
    const half = 1n << BigInt(digit - 1);
    value = (value << BigInt(digit)) | [0n, half - 1n, half, half + 1n, 2n * half - 1n, 1n][below(6)];
  }
  return BigInt.asUintN(bits, value);
};
const number = (bits) => [
  () => random(bits), () => (1n << BigInt(bits)) - 1n, () => (1n << BigInt(bits)) - 1n - random(Math.min(bits, 8)), () => ends(bits, 13), () => ends(bits, 29),
  () => random(bits) & random(bits) & random(bits), () => random(bits) | random(bits) | random(bits),
][below(7)]();

const loop = (base, exponent, modulus) => {
  let power = 1n % modulus;
  base %= modulus;
  for (; exponent > 0n; exponent >>= 1n, base = (base * base) % modulus) if (exponent & 1n) power = (power * base) % modulus;
  return power;
};

const longest = 33_000;
for (let round = 0; round < cases; round += 1) {
  const bits = round % 200 === 0 ? 2_600 + below(longest - 2_600) : 1 + below(2_600);
  const n = Math.ceil(bits / 64);
  let modulus = number(bits) | (1n << BigInt(bits - 1));
  if (below(4) > 0) modulus |= 1n;
  else if (below(3) === 0) modulus = 1n << BigInt(bits - 1);
  const base = [() => number(bits) % modulus, () => modulus - 1n, () => 0n, () => number(64 * n)][below(4)]();
  const exponent = random(1 + below(bits > 2_600 ? 20 : 100));
  const want = loop(base, exponent, modulus);
  for (const kernel of kernels) {
    for (const secret of bits > 2_600 ? [0] : [0, 1]) {
      if (exponent >> BigInt(64 * n)) continue;
      const value = power(base, exponent, modulus, n, kernel.at, secret);
      if (value === null) {
        // A kernel may not take the modulus, or no secret exponent; some kernel does.
        if (kernel.name === '') throw new Error(`no power, secret ${secret}, case ${round} of seed ${seed}: ${base} ^ ${exponent} mod ${modulus}`);
        continue;
      }
      if (value !== want) {
        console.log(`WRONG: ${kernel.name || 'planned'}, secret ${secret}, case ${round} of seed ${seed}: ${base} ^ ${exponent} mod ${modulus} is not ${value}`);
        process.exit(1);
      }
      kernel[secret ? 'secret' : 'powers'] += 1;
    }
  }
}
const lacks = kernels.filter(({ powers }) => powers === 0);
if (lacks.length > 0) throw new Error(`no power by ${lacks.map(({ name }) => name)}`);
const counts = kernels.map(({ name, powers, secret }) => `${name || 'planned'} ${powers} and ${secret} secret`);
console.log(`WebAssembly: powers as BigInt has them, seed ${seed}: ${counts.join(', ')}`);
