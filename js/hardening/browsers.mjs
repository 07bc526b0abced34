// All calls in chromium and firefox, through a page on loopback with a strict policy. The installed browsers are driven. pages.mjs has the demo and the site.
//
//     node hardening/browsers.mjs [chromium|firefox]...

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'
import { HERE, PACKAGE } from '../tests/paths.mjs'
import { serve } from '../tests/serve.mjs'
import { BROWSERS, installed } from './installed.mjs'

/** Longest task that a page may have on its main thread, in milliseconds. */
const LONGEST_TASK_MS = 50

const wanted = process.argv.slice(2)
const counts = { passed: 0, failed: 0, skipped: 0 }

const folder = mkdtempSync(join(tmpdir(), 'pingala-page-'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>page</title><script type="module" src="/hardening/page.js"></script>')
const server = await serve(folder, { package: PACKAGE, hardening: join(HERE, '../hardening') })

async function tried (name, run) {
  try {
    console.log(`${name}: ${await run() ?? 'passed'}`)
    counts.passed += 1
  } catch (error) {
    console.log(`${name}: FAILED: ${error.message}`)
    counts.failed += 1
  }
}

for (const browser of wanted.length > 0 ? wanted : BROWSERS) {
  const executablePath = installed(browser)
  if (executablePath === undefined) {
    console.log(`SKIPPED: ${browser} is not installed`)
    counts.skipped += 1
    continue
  }
  const driver = await puppeteer.launch({ browser: browser === 'firefox' ? 'firefox' : 'chrome', executablePath, args: browser === 'firefox' ? [] : ['--no-sandbox'] })
  await tried(`${browser}: the calls`, async () => {
    const page = await driver.newPage()
    await page.goto(`${server.address}/index.html`)
    await page.waitForFunction(() => globalThis.outcome !== undefined, { timeout: 180_000 })
    const outcome = await page.evaluate(() => globalThis.outcome)
    if (outcome.error !== undefined) throw new Error(outcome.error)
    if (outcome.longTasks.some(task => task > LONGEST_TASK_MS)) throw new Error(`tasks of ${outcome.longTasks} ms`)
    return JSON.stringify(outcome)
  })
  await driver.close()
}

server.close()
console.log(`browsers: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(counts.failed > 0 ? 1 : 0)
