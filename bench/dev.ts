/**
 * `npm run dev`: from the edit of a file until a page in a real browser shows it, and until a response comes from the new code. The limit
 * of pages is Next's own dev server with the smallest app, the limit of server processes is the time that Node takes to load main's code.
 *   npm run bench -- dev [--rounds 3]
 */
import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { copySources } from '../test/copy-sources.ts'
import { hydrated } from '../test/e2e/hydrated.ts'
import { openBrowser } from '../test/open-browser.ts'
import { startDev } from '../test/start-dev.ts'
import { until } from '../test/start-hydrant.ts'
import { readNumber } from './lib/options.ts'
import { median } from './lib/percentile.ts'
import { type Figure, report } from './lib/report.ts'
import { startBareDev } from './lib/start-bare-dev.ts'

const rounds = readNumber('rounds', 3)
const patienceMs = 60_000
const shownWithin = { of: 'value', is: 'at most', bound: 1 } as const
const restartedWithin = { of: 'value', is: 'at most', bound: 2 } as const

const settings = 'src/app/(app)/[org]/settings'
const refusals = 'src/ingest/refusal.ts'
const unknownKey = 'event submission rejected with_reason: ProjectId'

const say = (line: string) => void process.stderr.write(`  ${line}\n`)

say('starting both dev servers')
const sources = copySources()
const bare = await startBareDev()
const dev = await startDev(sources)
const browser = await openBrowser({ isFull: true })
const seconds = new Map<string, number[]>()

try {
  say('compiling a page of each')
  const editBare = (gap: string) => bare.edit('app/edited/page.module.css', 'column-gap: 1px', `column-gap: ${gap}`)
  const editOwn = (gap: string) =>
    sources.edit(`${settings}/appearance-form.module.css`, 'gap: var(--s-3) var(--s-5)', `gap: 3px ${gap}`)
  const page = await open(`${dev.url}/demo/settings`)
  await untilLive(page, editOwn)
  const barePage = await open(`${bare.url}/edited`)
  await untilLive(barePage, editBare)
  // The first round compiles what the others find compiled.
  for (let round = -1; round < rounds; round++) {
    const gap = `${round + 20}px`
    const word = `Edited ${round + 1} times`
    await barePage.bringToFront() // a page behind another draws no frames
    await measurePage('bare style', barePage, round, { gap }, () => editBare(gap))
    await measurePage('bare client component', barePage, round, { text: `${word} c` }, () =>
      bare.edit('app/edited/word.jsx', 'Client component', `${word} c`),
    )
    await measurePage('bare server component', barePage, round, { text: `${word} s` }, () =>
      bare.edit('app/edited/page.jsx', 'Server component', `${word} s`),
    )
    await page.bringToFront()
    await measurePage('style', page, round, { gap }, () => editOwn(gap))
    await measurePage('client component', page, round, { text: `${word} c` }, () =>
      sources.edit('src/app/(app)/[org]/bell.tsx', '<span>Notifications</span>', `<span>${word} c</span>`),
    )
    await measurePage('server component', page, round, { text: `${word} s` }, () =>
      sources.edit(`${settings}/page.tsx`, 'API access for builds and scripts', `${word} s`),
    )
    await measure('loading main', round, loadMain)
    await measure('main', round, async () => {
      sources.edit(refusals, unknownKey, `${word} m`)
      await responds('POST', `/api/1/envelope/?sentry_key=${'0'.repeat(32)}`, `${word} m`)
    })
    await measure('web', round, async () => {
      sources.edit('src/web/sentry-addresses.ts', 'is not valid percent-encoding', `${word} w`)
      await responds('GET', '/api/0/%ff', `${word} w`)
    })
    // Web was started again, so Next reloads the page, and may do so in the middle of this.
    await until(() => page.reload().then(Boolean, () => false), patienceMs)
    await hydrated(page)
    await untilLive(page, editOwn)
  }
  print()
} finally {
  await browser.close()
  await dev.stop()
  await bare.stop()
  sources.remove()
}

async function open(url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(patienceMs)
  page.setDefaultNavigationTimeout(patienceMs)
  await page.goto(url)
  await hydrated(page)
  return page
}

/**
 * Next does not show what is edited before the page has subscribed to hot reload. On a busy machine that takes seconds, and the edit is
 * never shown, so it is repeated.
 */
async function untilLive(page: Page, edit: (gap: string) => void): Promise<void> {
  await page.bringToFront()
  let gap = 200
  await until(async () => {
    edit(`${++gap}px`)
    await page.waitForTimeout(1_000)
    return (await page.evaluate(readGap)) === `${gap}px`
  }, patienceMs)
}

/** Runs in the page. */
function readGap(): string {
  const shown = document.querySelector('form[aria-label=Theme]')?.parentElement ?? document.querySelector('main')
  return shown === null ? '' : getComputedStyle(shown).columnGap
}

async function measure(name: string, round: number, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  await work()
  note(name, round, performance.now() - begun)
}

type Shown = { text?: string; gap?: string }

/** Until the first animation frame in which the page has it, by the clock that this process and the page share. */
async function measurePage(name: string, page: Page, round: number, shown: Shown, edit: () => void): Promise<void> {
  const shows = page.waitForFunction(
    ({ text, gap }: Shown) => {
      const main = document.querySelector('form[aria-label=Theme]')?.parentElement ?? document.querySelector('main')
      const hasText = text === undefined || document.body.textContent.includes(text)
      const hasGap = gap === undefined || (main !== null && getComputedStyle(main).columnGap === gap)
      return hasText && hasGap ? performance.timeOrigin + performance.now() : false
    },
    shown,
    { polling: 'raf' },
  )
  const begun = performance.timeOrigin + performance.now()
  edit()
  const at = (await (await shows).jsonValue()) as number
  note(name, round, at - begun)
}

/** Prints each figure immediately, so that a bench that is stopped has shown some. */
function note(name: string, round: number, ms: number): void {
  process.stderr.write(`  ${round < 0 ? 'first compile' : `round ${round + 1}`}: ${name} ${(ms / 1e3).toFixed(2)} s\n`)
  if (round < 0) return
  seconds.set(name, [...(seconds.get(name) ?? []), ms / 1e3])
}

/** A new main does this before it begins. Here a separate process does it. */
function loadMain(): Promise<unknown> {
  const code = `await import(${JSON.stringify(join(sources.folder, 'src/supervisor/serve.ts'))}); process.exit(0)`
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module']
  return promisify(execFile)(process.execPath, [...flags, '--eval', code])
}

async function responds(method: string, path: string, wanted: string): Promise<void> {
  await until(async () => (await read(method, path)).includes(wanted), patienceMs)
}

/** Over a new connection; empty if the port refuses it. */
function read(method: string, path: string): Promise<string> {
  return new Promise(resolve => {
    const sending = request(dev.url + path, { method, agent: false }, response => resolve(readAll(response)))
    sending.on('error', () => resolve(''))
    sending.end(method === 'POST' ? '{}' : undefined)
  })
}

function print(): void {
  const figure = (name: string, limit: string, promise: Figure['promise']) => {
    const values = seconds.get(name) ?? []
    report({
      name: `${name} edited`,
      value: median(values),
      unit: 's',
      limit: { name: limit, value: median(seconds.get(limit) ?? []) },
      promise,
      note: `median of ${values.length}; slowest ${Math.max(...values).toFixed(2)} s`,
    })
  }
  for (const name of ['style', 'client component', 'server component']) figure(name, `bare ${name}`, shownWithin)
  for (const name of ['main', 'web']) figure(name, 'loading main', restartedWithin)
}
