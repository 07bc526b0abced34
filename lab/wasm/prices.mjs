// Measures the prices of all kernels, or of those named, in this Node: `node prices.mjs [KERNEL...] > FILE`.
import os from 'node:os';
import { load } from './host.mjs';

const { exports, text, printed } = load();
const cpu = `${os.cpus()[0].model}, Node ${process.version}`;
exports.tune(...text(process.argv.slice(2).join(' ')), ...text(cpu), Math.floor(Date.now() / 86_400_000));
process.stdout.write(printed());
