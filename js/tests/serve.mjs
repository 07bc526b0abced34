// A server on loopback for the pages of the tests, with a strict policy.

import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.json': 'application/json', '.txt': 'text/plain' }
export const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src data:; connect-src 'self'"

/** Serves a folder; resolves to its address and `close()`. `others` are further folders by their first path component. */
export async function serve (folder, others = {}, headers = { 'Content-Security-Policy': POLICY }) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname))
    const [, first, ...rest] = path.split('/')
    const file = first in others ? join(others[first], ...rest) : join(folder, path)
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers })
    createReadStream(file).pipe(response)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

if (process.argv[1] === import.meta.filename) console.log((await serve(process.argv[2])).address)
