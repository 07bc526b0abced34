// The prices of BigInt and of the module for WebAssembly in chromium and firefox: what lab/wasm/bigint.mjs prints in Node, for js/src/engine-prices.js.
//
//     node hardening/engines.mjs [chromium|firefox]... [BITS,...]

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'
import { HERE, PACKAGE } from '../tests/paths.mjs'
import { serve } from '../tests/serve.mjs'
import { BROWSERS, installed } from './installed.mjs'

const wanted = process.argv.slice(2).filter(word => BROWSERS.includes(word))
const lengths = process.argv.slice(2).find(word => /^\d/.test(word))?.split(',').map(Number)
const folder = mkdtempSync(join(tmpdir(), 'pingala-page-'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>page</title><script type="module" src="/folder/page.js"></script>')
writeFileSync(join(folder, 'page.js'), `import { modPow } from '/package/dist/browser.mjs'
import { LENGTHS, measured, moduleAlone } from '/lab/wasm/bigint.mjs'
moduleAlone(modPow)
Object.assign(globalThis, { LENGTHS, row: bits => measured(modPow, [bits])[0] })
`)
const server = await serve(folder, { package: PACKAGE, folder, lab: join(HERE, '../../lab'), js: join(HERE, '..') })

for (const browser of wanted.length > 0 ? wanted : BROWSERS) {
  const executablePath = installed(browser)
  if (executablePath === undefined) {
    console.log(`SKIPPED: ${browser} is not installed`)
    continue
  }
  const driver = await puppeteer.launch({
    browser: browser === 'firefox' ? 'firefox' : 'chrome', executablePath, protocolTimeout: 600_000, args: browser === 'firefox' ? [] : ['--no-sandbox']
  })
  console.log(await driver.version())
  const page = await driver.newPage()
  await page.goto(`${server.address}/index.html`)
  await page.waitForFunction(() => globalThis.row !== undefined, { timeout: 60_000 })
  for (const bits of lengths ?? await page.evaluate(() => globalThis.LENGTHS)) {
    console.log(JSON.stringify(await page.evaluate(bits => globalThis.row(bits), bits)))
  }
  await driver.close()
}
server.close()
