// The demo and the site in chromium and firefox, as readers see them: widths of a phone and of a screen, both themes, buttons, search.
//
//     node hardening/pages.mjs [chromium|firefox]... [--pictures FOLDER]
//
// The site is tested if `make docs` has built it; FOLDER gets pictures of the pages, to be looked at.

import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import puppeteer from 'puppeteer-core'
import { PACKAGE, ROOT } from '../tests/paths.mjs'
import { serve } from '../tests/serve.mjs'
import { BROWSERS, installed } from './installed.mjs'

/** Most links of the site's sidebar. */
const MOST_LINKS = 40
/** Longest task of the demo's own thread while a list runs, in milliseconds, on a busy machine too: bases are drawn there. */
const LONGEST_TASK_MS = 500
const WIDTHS = [1280, 390]
const THEMES = ['light', 'dark']

const { values: { pictures }, positionals } = parseArgs({ options: { pictures: { type: 'string' } }, allowPositionals: true })
const SITE = join(PACKAGE, '../../docs/html')
const counts = { passed: 0, failed: 0, skipped: 0 }
if (pictures !== undefined) mkdirSync(pictures, { recursive: true })

function skipped (what) {
  counts.skipped += 1
  console.log(`SKIPPED: ${what}`)
}

function check (holds, sentence) {
  if (!holds) throw new Error(sentence)
}

const textOf = (page, id) => page.$eval(`#${id}`, element => element.textContent)
const says = (page, id, pattern, timeout = 60_000) => page.waitForFunction(
  (id, source) => new RegExp(source).test(document.getElementById(id).textContent), { timeout }, id, pattern.source)

async function fill (page, values) {
  for (const [id, value] of Object.entries(values)) await page.$eval(`#${id}`, (field, value) => { field.value = value }, value)
}

/** A page in all widths and themes: it never scrolls sideways. */
async function fits (driver, address, name, ready) {
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      const page = await driver.newPage()
      await page.setViewport({ width, height: 900 })
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
      await page.goto(address)
      await ready?.(page)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      check(wide <= 0, `${name} is ${wide} pixels too wide at ${width}`)
      const [ground, text] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color])
      const light = colour => colour.match(/[\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) > 3 * 128
      check(light(ground) === (theme === 'light') && light(text) === (theme === 'dark'), `${name} is ${text} on ${ground} in ${theme}`)
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}-${width}-${theme}.png`), fullPage: true })
      await page.close()
    }
  }
}

const READY = page => says(page, 'ratio', /with the same result/)

const DEMO = {
  'computes, and fits a phone': (driver, address) => fits(driver, `${address}/index.html`, 'demo', READY),

  async 'marks the field that is wrong' (driver, address) {
    const page = await driver.newPage()
    await page.goto(`${address}/index.html`)
    await READY(page)
    await fill(page, { base: '3', exponent: '2^10', modulus: '1,00' })
    await page.click('#compute')
    check(await page.$eval('#modulus', field => field.getAttribute('aria-invalid') === 'true' && document.activeElement === field), 'the modulus is not marked')
    check(/^Modulus: '1,00' is no number/.test(await textOf(page, 'modulus-wrong')), await textOf(page, 'modulus-wrong'))
    await fill(page, { modulus: '2^61-1' })
    await page.click('#compute')
    await says(page, 'result', /^\d+$/)
    check(await textOf(page, 'result') === String(3n ** 1024n % (2n ** 61n - 1n)), 'the result is wrong')
    check(await textOf(page, 'modulus-wrong') === '', 'the mark stays')
    await fill(page, { base: '6', exponent: '-1', modulus: '9' })
    await page.click('#compute')
    await says(page, 'base-wrong', /^Base: it has no inverse/)
    await fill(page, { count: '999999' })
    await page.click('#start')
    check(/not between 1 and 100,000/.test(await textOf(page, 'count-wrong')), await textOf(page, 'count-wrong'))
    check(/^Not started/.test(await textOf(page, 'state')), await textOf(page, 'state'))
    await page.close()
  },

  async 'stays free during a long power, which Stop ends' (driver, address) {
    const page = await driver.newPage()
    await page.goto(`${address}/index.html`)
    await READY(page)
    await fill(page, { base: '3', exponent: '2^100000-1', modulus: '2^100000+1' })
    await page.click('#compute')
    await says(page, 'ratio', / … [1-9]\d* s$/)
    await page.click('#halt')
    check(await textOf(page, 'ratio') === 'Stopped.', await textOf(page, 'ratio'))
    check(await page.$eval('#halt', button => button.disabled), 'Stop can be pressed again')
    // The next power has a new worker; one that runs is replaced.
    await page.click('[data-bits="4096"]')
    await page.click('[data-bits="512"]')
    await READY(page)
    await page.close()
  },

  async 'runs a list, which Stop ends' (driver, address) {
    const page = await driver.newPage()
    await page.goto(`${address}/index.html`)
    await READY(page)
    await page.evaluate(() => {
      globalThis.tasks = []
      if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
        new PerformanceObserver(list => globalThis.tasks.push(...list.getEntries().map(entry => entry.duration))).observe({ type: 'longtask' })
      }
    })
    await fill(page, { count: '100,000' })
    await page.click('#start')
    await says(page, 'state', /^[1-9][\d,]* of/)
    await page.click('#stop')
    await says(page, 'state', /^Stopped after/, 10_000)
    const longest = await page.evaluate(() => Math.max(0, ...globalThis.tasks))
    check(longest < LONGEST_TASK_MS, `a task of ${longest} ms`)
    await page.close()
  },

  async 'says what it lacks when it is opened as a file' (driver) {
    const page = await driver.newPage()
    await page.goto(pathToFileURL(join(ROOT, 'js/demo/index.html')).href)
    await says(page, 'engine', /opened as a file.*make js/, 10_000)
    await page.close()
  },

  async 'says what it lacks without the package' (driver) {
    const server = await serve(join(ROOT, 'js/demo'))
    const page = await driver.newPage()
    await page.goto(`${server.address}/index.html`)
    await says(page, 'engine', /have not loaded.*make js/, 10_000)
    await page.close()
    server.close()
  }
}

/** The titles of what the search of the site finds, in order. */
async function found (driver, address, words) {
  const page = await driver.newPage()
  await page.goto(`${address}/search.html?q=${encodeURIComponent(words)}`)
  await page.waitForFunction(() => /found|did not match/.test(document.querySelector('#search-results p.search-summary')?.textContent ?? ''), { timeout: 60_000 })
  const pages = await page.$$eval('#search-results ul.search li > a', links => links.map(link => new URL(link.href).pathname.slice(1)))
  await page.close()
  return pages
}

/** What docs/site/scorer.js puts last. */
const LATE = /^(records\/|papers\/|(changelog|counting|arm-counts|windows)\.html)/

const SITE_TESTS = {
  async 'pages fit phones and screens, in both themes' (driver, address) {
    for (const name of ['index', 'javascript', 'reference/javascript', 'performance', 'pictures']) await fits(driver, `${address}/${name}.html`, `site-${name.replace('/', '-')}`)
  },

  async 'the sidebar is short, and has languages and references before guides' (driver, address) {
    const page = await driver.newPage()
    for (const name of ['index', 'records/wasm', 'recipes/paillier']) {
      await page.goto(`${address}/${name}.html`)
      const [links, captions] = await page.$eval('.sidebar-tree', tree => [
        tree.querySelectorAll('a').length, [...tree.querySelectorAll('.caption')].map(caption => caption.textContent.trim())])
      check(links > 20 && links <= MOST_LINKS, `${name} has ${links} links in its sidebar`)
      check(captions.slice(1, 4).join() === 'Languages,Reference,Guides', captions.join())
    }
    await page.close()
  },

  async 'search has guides before records, and finds what users ask for' (driver, address) {
    for (const words of ['modulus', 'list', 'webassembly', 'zen', 'gmpy2']) {
      const pages = await found(driver, address, words)
      const first = pages.findIndex(page => LATE.test(page))
      check(pages.length > 3 && !pages.slice(Math.max(first, 0)).some(page => first >= 0 && !LATE.test(page)), `${words}: ${pages.join(' ')}`)
    }
    for (const words of ['typescript', 'AbortSignal', 'docker', 'esbuild']) {
      const pages = await found(driver, address, words)
      check(pages.slice(0, 3).some(page => page.includes('javascript')), `${words}: ${pages.join(' ')}`)
    }
    check((await found(driver, address, 'modPowListAsync')).includes('reference/javascript.html'), 'modPowListAsync is not found')
    check((await found(driver, address, 'changelog'))[0] === 'changelog.html', 'the changelog is not found first')
  },

  async 'the front page has tabs, the version, and charts that name their CPU' (driver, address) {
    const page = await driver.newPage()
    await page.goto(`${address}/index.html`)
    const tabs = await page.$$eval('.sd-tab-set > label', labels => labels.map(label => label.textContent.trim()))
    check(tabs.join() === 'Python,JavaScript,Rust,Go,Java,C,Tcl,Shell', tabs.join())
    check(/Version \d+\.\d+\.\d+/.test(await page.$eval('article', article => article.textContent)), 'there is no version')
    const charts = await page.$$eval('article img.chart', images => images.map(image => [image.naturalWidth, image.src]))
    check(charts.length === 2 && charts.every(([width]) => width > 0), 'a chart is not loaded')
    for (const [, source] of charts) check(/Zen 5/.test(await page.evaluate(async source => (await fetch(source)).text(), source)), `${source} names no CPU`)
    check(await page.$('link[rel~=icon]') !== null && await page.$('meta[name=description]') !== null, 'there is no icon, or no description')
    await page.close()
  },

  async 'a button copies an example' (driver, address) {
    const page = await driver.newPage()
    await page.goto(`${address}/index.html`)
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: async text => { globalThis.copied = text } } }))
    await page.$eval('article button.copy', button => button.click())
    await page.waitForFunction(() => globalThis.copied !== undefined)
    const copied = await page.evaluate(() => globalThis.copied)
    check(copied.startsWith('import pingala\npingala.powmod(') && !copied.includes('>>>') && !copied.includes('453125'), copied)
    await page.close()
  },

  async 'the demo and the site link to each other' (driver, address) {
    if (!existsSync(join(SITE, 'demo/index.html'))) return 'the site was built without the demo'
    const page = await driver.newPage()
    await page.goto(`${address}/index.html`)
    await page.$eval('a[href="demo/index.html"]', link => link.click())
    await READY(page)
    await page.$eval('nav a', link => link.click())
    await page.waitForFunction(() => location.pathname === '/javascript.html', { timeout: 30_000 })
    await page.close()
  }
}

async function run (tests, title, driver, address) {
  for (const [name, test] of Object.entries(tests)) {
    try {
      const why = await test(driver, address)
      if (typeof why === 'string') {
        skipped(`${title} ${name}: ${why}`)
        continue
      }
      counts.passed += 1
      console.log(`${title} ${name}: passed`)
    } catch (error) {
      counts.failed += 1
      console.log(`${title} ${name}: FAILED: ${error.message}`)
    }
  }
}

for (const browser of positionals.length > 0 ? positionals : BROWSERS) {
  const executablePath = installed(browser)
  if (executablePath === undefined) {
    skipped(`${browser} is not installed`)
    continue
  }
  const driver = await puppeteer.launch({ browser: browser === 'firefox' ? 'firefox' : 'chrome', executablePath, args: browser === 'firefox' ? [] : ['--no-sandbox'], protocolTimeout: 300_000 })
  if (existsSync(join(PACKAGE, 'demo/index.html'))) {
    const server = await serve(PACKAGE)
    await run(DEMO, `${browser}: the demo`, driver, `${server.address}/demo`)
    server.close()
  } else {
    skipped(`${browser}: the demo: make js`)
  }
  if (existsSync(join(SITE, 'index.html'))) {
    // The site is Sphinx's, whose scripts and styles stand in its pages.
    const server = await serve(SITE, {}, {})
    await run(SITE_TESTS, `${browser}: the site`, driver, server.address)
    server.close()
  } else {
    skipped(`${browser}: the site: make docs`)
  }
  await driver.close()
}

console.log(`pages: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(counts.failed > 0 ? 1 : 0)
