// Powers in WebAssembly beside the loop of bigint-mod-arith, one after the other in one process, answers compared, conversions included:
// `node bench.mjs [BITS,...] [KERNEL or PLAN] [secret]`. Prints the median of each in milliseconds, and their ratio.
import { modPow } from 'bigint-mod-arith';
import { load } from './host.mjs';

const [lengths = '512,1024,2048,4096', kernel = '', secret = ''] = process.argv.slice(2);
const { text, power } = load();
const name = text(kernel);

const random = (bits) => {
  let value = 0n;
  for (let i = 0; i < bits; i += 32) value = (value << 32n) | BigInt(Math.floor(Math.random() * 2 ** 32));
  return BigInt.asUintN(bits, value) | (1n << BigInt(bits - 1));
};

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

for (const bits of lengths.split(',').map(Number)) {
  const n = Math.ceil(bits / 64);
  const [modulus, exponent] = [random(bits) | 1n, random(bits)];
  const rounds = Math.max(7, Math.round(2e10 / bits ** 3));
  const times = [[], []];
  for (let round = -Math.ceil(rounds / 4); round < rounds; round += 1) {
    const base = random(bits) % modulus;
    const start = performance.now();
    const ours = power(base, exponent, modulus, n, name, secret);
    const middle = performance.now();
    const theirs = modPow(base, exponent, modulus);
    const end = performance.now();
    if (ours === null) throw new Error(`no power by ${kernel}`);
    if (ours !== theirs) throw new Error(`wrong: ${base} ${exponent} ${modulus}`);
    if (round >= 0) [middle - start, end - middle].forEach((time, index) => times[index].push(time));
  }
  const [ours, theirs] = times.map(median);
  console.log(`${bits} bits: ${ours.toFixed(3)} ms, loop ${theirs.toFixed(3)} ms, ratio ${(ours / theirs).toFixed(3)}`);
}
