import { workerLoop } from './worker-loop.js'

const take = workerLoop((message, transfer) => self.postMessage(message, transfer))
self.onmessage = ({ data }) => take(data)
