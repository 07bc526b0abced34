import { parentPort } from 'node:worker_threads'
import { workerLoop } from './worker-loop.js'

parentPort.on('message', workerLoop((message, transfer) => parentPort.postMessage(message, transfer)))
