/**
 * Replays: how many segments digest takes per second, how long a 10-minute replay needs to its first frame, and what a 60-minute one takes
 * in the memory of the browser's page.
 *   npm run bench -- replay [--replays 40]
 */
import { deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { asAda, signIn } from '../test/e2e/ada.ts'
import { openBrowser } from '../test/open-browser.ts'
import { startHydrant } from '../test/start-hydrant.ts'
import { envelopeTarget } from './lib/envelope-target.ts'
import { readNumber } from './lib/options.ts'
import { report } from './lib/report.ts'

const replays = readNumber('replays', 40)
const segmentMs = 5_000
let made = 0

const element = (id: number, tagName: string, childNodes: unknown[] = []) => ({
  type: 2,
  id,
  tagName,
  attributes: { class: `c${id % 50} block` },
  childNodes,
})

const hydrant = await startHydrant({ env: { HYDRANT_LOG_LEVEL: 'warn' } })
const browser = await openBrowser({ isFull: true })
try {
  const { dsn } = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  await new Promise(resolve => setTimeout(resolve, 1_000)) // the running server knows a new key within a second
  const { port, path } = envelopeTarget(dsn)
  const url = `http://127.0.0.1:${port}${path}`
  await measureDigest(url)
  const ten = await sendReplay(url, 10)
  const sixty = await sendReplay(url, 60)
  await hydrant.drained()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await signIn(page, hydrant.url)
  await measureFirstFrame(page, ten)
  await measureMemory(page, sixty)
} finally {
  await browser.close()
  await hydrant.stop()
}

async function measureDigest(url: string): Promise<void> {
  const begun = performance.now()
  for (let sent = 0; sent < replays; sent += 4)
    await Promise.all(Array.from({ length: Math.min(4, replays - sent) }, () => sendReplay(url, 2)))
  await hydrant.drained()
  const seconds = (performance.now() - begun) / 1_000
  const segments = replays * ((2 * 60_000) / segmentMs)
  report({
    name: 'segments digested',
    value: segments / seconds,
    unit: '/s',
    promise: null,
    note: `${segments} segments, sent by four clients that wait for each answer: at least this many`,
  })
}

/**
 * From the navigation to the picture, the median of seven after a warm-up. The page's own clock says when: waiting from outside polls every
 * half second, and would measure that.
 */
async function measureFirstFrame(page: Page, replayId: string): Promise<void> {
  await page.addInitScript(() => {
    const seen = window as unknown as { firstFrameAt?: number }
    new MutationObserver(() => {
      if (document.querySelector('iframe[data-state=ready]')) seen.firstFrameAt ??= performance.now()
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-state'] })
  })
  const times: number[] = []
  for (let round = 0; round < 8; round++) {
    await page.goto(`${hydrant.url}/acme/replays/${replayId}`)
    await page.locator('iframe[data-state=ready]').waitFor()
    times.push(await page.evaluate(() => (window as unknown as { firstFrameAt: number }).firstFrameAt))
  }
  const sorted = times.slice(1).sort((a, b) => a - b)
  report({
    name: 'first frame of a 10-minute replay',
    value: (sorted[3] ?? Number.NaN) / 1_000,
    unit: 's',
    promise: { of: 'value', is: 'at most', bound: 1.5 },
    note: `rounds ${sorted.map(ms => (ms / 1_000).toFixed(2)).join(', ')}`,
  })
}

async function measureMemory(page: Page, replayId: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await page.goto(`${hydrant.url}/acme/replays/${replayId}`)
  let peak = 0
  for (let round = 0; round < 60; round++) {
    const { metrics } = await session.send('Performance.getMetrics')
    peak = Math.max(peak, metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0)
    await page.waitForTimeout(100)
  }
  await page.getByRole('slider', { name: 'Position' }).press('End')
  await page.frameLocator('iframe[title="Recorded page"]').frameLocator('iframe').getByText('Row 35999').waitFor()
  const { metrics } = await session.send('Performance.getMetrics')
  peak = Math.max(peak, metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0)
  report({ name: 'heap of the page, 60-minute replay', value: peak / 1e6, unit: 'MB', promise: null })
}

/** A page with a thousand elements, ten changes and pointer positions in a second, as the SDK would send it. */
async function sendReplay(url: string, minutes: number): Promise<string> {
  made += 1
  const replayId = made.toString(16).padStart(32, 'a')
  const startedAt = Date.now() - minutes * 60_000 - 10_000
  const count = (minutes * 60_000) / segmentMs
  for (let segment = 0; segment < count; segment++) {
    const at = startedAt + segment * segmentMs
    const events = [...(segment === 0 ? firstEvents(at) : []), ...changes(at, segment)]
    const body = Buffer.from(deflateSync(JSON.stringify(events)))
    const recording = Buffer.concat([Buffer.from(`{"segment_id":${segment}}\n`), body])
    const about = {
      type: 'replay_event',
      replay_id: replayId,
      segment_id: segment,
      replay_start_timestamp: startedAt / 1_000,
      timestamp: (at + segmentMs) / 1_000,
      urls: [`https://shop.example/page/${segment % 7}`],
    }
    const response = await fetch(url, {
      method: 'POST',
      body: Buffer.concat([
        Buffer.from(`${JSON.stringify({ event_id: replayId })}\n{"type":"replay_event"}\n${JSON.stringify(about)}\n`),
        Buffer.from(`{"type":"replay_recording","length":${recording.length}}\n`),
        recording,
      ]),
    })
    if (response.status !== 200) throw new Error(`a segment was answered with ${response.status}`)
  }
  return replayId
}

function firstEvents(at: number): unknown[] {
  const rows = Array.from({ length: 1_000 }, (_, index) =>
    element(100 + index, 'div', [{ type: 3, id: 10_000 + index, textContent: `Text ${index}` }]),
  )
  const page = { type: 0, id: 1, childNodes: [element(2, 'html', [element(3, 'head'), element(4, 'body', rows)])] }
  return [
    { type: 4, timestamp: at, data: { href: 'https://shop.example/', width: 1_280, height: 800 } },
    { type: 2, timestamp: at, data: { node: page, initialOffset: { top: 0, left: 0 } } },
  ]
}

/** 50 changes of a text and 50 pointer positions in five seconds, and a click. */
function changes(at: number, segment: number): unknown[] {
  const moves = Array.from({ length: 50 }, (_, index) => {
    const timestamp = at + index * 100
    const number = segment * 50 + index
    return [
      {
        type: 3,
        timestamp,
        data: { source: 1, positions: [{ x: number % 1_200, y: number % 700, id: 4, timeOffset: 0 }] },
      },
      {
        type: 3,
        timestamp,
        data: { source: 0, texts: [{ id: 10_000, value: `Row ${number}` }], attributes: [], removes: [], adds: [] },
      },
    ]
  }).flat()
  const click = { timestamp: at / 1_000 + 1, category: 'ui.click', message: 'body > button.pay', data: { nodeId: 100 } }
  return [...moves, { type: 5, timestamp: at + 1_000, data: { tag: 'breadcrumb', payload: click } }]
}
