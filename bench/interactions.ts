/**
 * How long a person waits in a real browser: from a key or a click until the frame that shows the new content, over a seeded month,
 * as a ratio to a client-side navigation of a bare Next app in the same rounds.
 *   npm run bench -- interactions [--scale 0.2] [--rounds 20] [--keep folder]
 */
import type { Browser, Page } from 'playwright-core'
import { hydrated } from '../test/e2e/hydrated.ts'
import { openBrowser } from '../test/open-browser.ts'
import { readNumber, readText } from './lib/options.ts'
import { percentile } from './lib/percentile.ts'
import { report } from './lib/report.ts'
import { account, startSeededHydrant } from './lib/seeded-hydrant.ts'
import { startBareNext } from './lib/start-bare-next.ts'
import { type Interaction, type TimedInteraction, timeInteraction } from './lib/time-interaction.ts'

const scale = readNumber('scale', 0.2)
const rounds = readNumber('rounds', 20)
const boundMs = 150
const boundRouteMs = 400
const boundShift = 0
const size = { events: Math.round(1e6 * scale), spans: Math.round(1e7 * scale) }
const list = `/${account.org}/issues?range=30d`

/** In the page: the list of the address is there, with rows or with the reason why it has none; the peek has a part of another issue. */
declare function isListOf(wanted: string): number | false
declare function isPeekOf(not: string, part: string): number | false
const defineChecks = `window.isPeekOf = (not, part) => {
  const peek = document.querySelector('aside.peek')
  return peek && peek.getAttribute('aria-label') !== not && peek.querySelector(part) ? performance.now() : false
}
window.isListOf = wanted =>
  location.search.includes(wanted) && document.querySelector('.ilist, .blank')
    ? performance.now()
    : false
window.shifted = 0
new PerformanceObserver(list => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value
}).observe({ type: 'layout-shift', buffered: true })`

const bareNext = await startBareNext()
const hydrant = await startSeededHydrant(size, readText('keep'))
const browser = await openBrowser({ isFull: true })
const timed = new Map<string, TimedInteraction[]>()

try {
  await hydrant.settled()
  const bare = await openPage(browser, bareNext.url)
  const page = await openPage(browser, `${hydrant.url}/login`)
  await signIn(page)
  // The first round compiles the pages.
  for (let round = -1; round < rounds; round++) {
    await visitBare(bare, round)
    await triage(page, round)
    await narrow(page, round)
    await visitRoute(page, round)
  }
  printTimes()
} finally {
  await browser.close()
  await hydrant.end()
  await bareNext.stop()
}

async function openPage(from: Browser, url: string): Promise<Page> {
  const page = await from.newPage({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript(defineChecks)
  await page.goto(url)
  return page
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/acme/)
}

async function measure(name: string, page: Page, round: number, interaction: Interaction): Promise<void> {
  await page.bringToFront() // a page behind another draws no frames
  const result = await timeInteraction(page, interaction)
  if (round >= 0) timed.set(name, [...(timed.get(name) ?? []), result])
}

async function visitBare(page: Page, round: number): Promise<void> {
  await page.goto(bareNext.url)
  await hydrated(page)
  await measure('bare Next navigation', page, round, {
    act: at => at.getByRole('link', { name: 'Elsewhere' }).click(),
    done: () => (document.querySelector('h1')?.textContent === 'Elsewhere' ? performance.now() : false),
    wanted: '',
  })
}

/** From the list into the peek and on to the next issues, each round from another row. */
async function triage(page: Page, round: number): Promise<void> {
  await page.goto(hydrant.url + list)
  await hydrated(page)
  const links = page.locator('.ilist [data-issue] a.ititle')
  // Never the last row, which has no next one.
  const first = (Math.max(0, round) * 2) % ((await links.count()) - 1)
  await measure('list to peek', page, round, {
    act: () => links.nth(first).click(),
    done: not => isPeekOf(not, '.ihdr'),
    whole: not => isPeekOf(not, '.lede ~ section'),
    wanted: '',
  })
  const before = (await page.locator('aside.peek').getAttribute('aria-label')) ?? ''
  await page.waitForTimeout(300)
  await measure('J in the peek', page, round, {
    act: at => at.keyboard.press('j'),
    done: not => isPeekOf(not, '.ihdr'),
    whole: not => isPeekOf(not, '.lede ~ section'),
    wanted: before,
  })
}

/** Tab, range and search of the list. */
async function narrow(page: Page, round: number): Promise<void> {
  await page.goto(hydrant.url + list)
  await hydrated(page)
  await measure('tab', page, round, {
    act: at => at.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Escalating' }).click(),
    done: wanted => isListOf(wanted),
    wanted: 'q=is%3Aescalating',
  })
  await page.goto(hydrant.url + list)
  await hydrated(page)
  await page.locator('.pickers summary', { hasText: 'Last 30 d' }).click()
  await measure('range', page, round, {
    act: at => at.getByRole('link', { name: 'Last 7 d' }).click(),
    done: wanted => isListOf(wanted),
    wanted: 'range=7d',
  })
  const search = page.getByRole('combobox', { name: 'Search issues' })
  const words = ['browser.name:Firefox', '!plan:business', 'cart.currency:SEK'][Math.max(0, round) % 3] ?? ''
  await search.fill(`is:unresolved ${words}`)
  await measure('search', page, round, {
    act: () => search.press('Enter'),
    done: wanted => isListOf(wanted),
    wanted: new URLSearchParams({ q: `is:unresolved ${words}` }).toString(),
  })
}

/** From the start of the navigation until vitals are drawn; all of it when what is sent after the first screen is shown too. */
async function visitRoute(page: Page, round: number): Promise<void> {
  const range = ['1h', '24h', '7d', '30d'][Math.max(0, round) % 4]
  const address = `${hydrant.url}/${account.org}/routes/items/${encodeURIComponent('[id]')}?range=${range}`
  await page.goto(address, { waitUntil: 'commit' })
  const [ms = 0, wholeMs = 0] = await Promise.all(
    // Data that was kept for hours has nothing in the last one.
    ['.vital, .void', '#failures, .void'].map(async part => {
      const shown = await page.waitForFunction(
        selector => {
          const found = document.querySelector(selector)
          return found && !found.closest('[hidden]') ? performance.now() : false
        },
        part,
        { polling: 'raf', timeout: 30_000 },
      )
      return (await shown.jsonValue()) as number
    }),
  )
  const shift = await page.evaluate(() => (window as unknown as { shifted: number }).shifted)
  if (round >= 0)
    timed.set('route page, first load', [...(timed.get('route page, first load') ?? []), { ms, wholeMs, shift }])
}

function printTimes(): void {
  const bareMs = (timed.get('bare Next navigation') ?? []).map(({ ms }) => ms)
  for (const [name, results] of timed) {
    const times = results.map(({ ms }) => ms)
    const whole = results.map(({ wholeMs }) => wholeMs)
    const shift = Math.max(...results.map(each => each.shift))
    report({
      name,
      value: percentile(times, 0.5),
      unit: 'ms',
      limit: { name: 'bare Next navigation', value: percentile(bareMs, 0.5) },
      promise: name.startsWith('bare')
        ? null
        : { of: 'value', is: 'at most', bound: name.startsWith('route') ? boundRouteMs : boundMs },
      note: `median of ${times.length}; p95 ${percentile(times, 0.95).toFixed(0)} ms; ${wholeNote(times, whole)}most layout shift ${shift.toFixed(3)}`,
    })
  }
  report({
    name: 'layout shift of any interaction',
    value: Math.max(...[...timed.values()].flat().map(({ shift }) => shift)),
    unit: '',
    promise: { of: 'value', is: 'at most', bound: boundShift },
  })
}

/** For interactions whose parts arrive one after the other. */
function wholeNote(times: number[], whole: number[]): string {
  if (whole.every((ms, index) => ms - (times[index] ?? 0) < 1)) return ''
  return `all of it ${percentile(whole, 0.5).toFixed(0)} ms, p95 ${percentile(whole, 0.95).toFixed(0)} ms; `
}
