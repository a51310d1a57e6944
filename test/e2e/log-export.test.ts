/** Exports of logs as browsers and curl take them, whole and broken, and lines of any length in a browser. */
import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { childIsBack, killChild, livesOf } from '../faults/children.ts'
import { isLong, longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import type { Hydrant } from '../start-hydrant.ts'
import { openAcme } from './ada.ts'
import { hydrated } from './hydrated.ts'
import { type Line, sendLines } from './send-lines.ts'

let hydrant: Hydrant
let browser: Browser
let page: Page
let dsn = ''
const beganAt = Date.now() - 60_000

beforeAll(async () => {
  hydrant = await borrowHydrant()
  browser = await openBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  ;({ dsn } = await openAcme(hydrant, page))
})
afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

/** A thousand at a time, as SDKs and log drains do at most. */
async function sendMany(count: number, line: (index: number) => Line): Promise<void> {
  for (let from = 0; from < count; from += 1_000)
    await sendLines(
      dsn,
      Array.from({ length: Math.min(1_000, count - from) }, (_, index) => line(from + index)),
    )
  await hydrant.drained()
}

const cookie = async (): Promise<string> =>
  (await page.context().cookies(hydrant.url)).map(({ name, value }) => `${name}=${value}`).join('; ')

const exportUrl = (format: string, search: string): string =>
  `${hydrant.url}/acme/logs/export?format=${format}&q=${encodeURIComponent(search)}`

const many = 4_001
/** More than what is on its way when the first lines arrive. */
const wide = 8_000

test('an export has all lines of several pages, in a browser and with curl', async () => {
  await sendMany(many, index => ({ body: `line ${index}`, at: beganAt - index, attributes: { kind: 'many' } }))
  const expected = Array.from({ length: many }, (_, index) => `line ${index}`)
  const path = `/acme/logs?q=${encodeURIComponent('kind:many')}`
  await page.goto(hydrant.url + path)
  await hydrated(page)
  for (const [label, read] of [
    [
      'NDJSON',
      (text: string) =>
        text
          .split('\n')
          .filter(Boolean)
          .map(line => JSON.parse(line).message),
    ],
    [
      'CSV',
      (text: string) =>
        text
          .split('\r\n')
          .slice(1)
          .filter(Boolean)
          .map(line => line.split(',')[3]),
    ],
  ] as const) {
    await page.getByText('Export', { exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: label }).click(),
    ])
    expect(await download.failure()).toBeNull()
    expect(read(await readFile(await download.path(), 'utf8'))).toEqual(expected)
    await page.keyboard.press('Escape')
  }
  const file = join(hydrant.dataDir, 'curl.ndjson')
  await promisify(execFile)('curl', [
    '-sS',
    '--fail',
    '-H',
    `cookie: ${await cookie()}`,
    exportUrl('ndjson', 'kind:many'),
    '-o',
    file,
  ])
  expect(
    (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).message),
  ).toEqual(expected)
  await rm(file)
})

test('an export with a parameter that it can’t read is refused', async () => {
  for (const wrong of ['range=14d', 'start=soon', 'env=a&env=b', 'after=0-0', 'sort=oldest', 'format=xml', 'q=%28'])
    expect(
      (await fetch(`${hydrant.url}/acme/logs/export?${wrong}`, { headers: { cookie: await cookie() } })).status,
      wrong,
    ).toBe(400)
})

test('an export that breaks off is cut, says so in its last line, and its error is in the log', async () => {
  const filler = 'x'.repeat(2_000)
  await sendMany(wide, index => ({ body: `${index} ${filler}`, at: beganAt - index, attributes: { kind: 'wide' } }))
  for (const format of isLong ? ['ndjson', 'csv'] : ['ndjson']) {
    const response = await fetch(exportUrl(format, 'kind:wide'), { headers: { cookie: await cookie() } })
    expect(response.status).toBe(200)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = (await reader?.read())?.value ?? ''
    const lives = livesOf(hydrant, 'engine').length
    await killChild(hydrant, 'engine')
    const outcome = await (async () => {
      for (;;) {
        const part = await reader?.read()
        if (part === undefined || part.done) return 'complete'
        text += part.value
      }
    })().catch(() => 'cut')
    expect(outcome).toBe('cut')
    expect(text.split('\n').length).toBeLessThan(wide)
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/This file is incomplete/)
    expect(hydrant.output()).toMatch(/"route":"\/\[org\]\/logs\/export","error":"[^"]+","msg":"page failed"/)
    await childIsBack(hydrant, 'engine', lives)
  }
})

longTest('a line of any length opens in its row and on its own page', async () => {
  const sizes = [1_000, 1_001, 1_999, 2_001, 10_000, 16_384, 16_385, 100_000, 1_000_000]
  // The words at its end are shown unless digest has cut it.
  const bodyOf = (size: number) => `size ${size} ${'語x '.repeat(size)}`.slice(0, size - 6) + ' end-it'.slice(0, 6)
  await sendMany(sizes.length, index => ({
    body: bodyOf(sizes[index] ?? 0),
    at: beganAt - 500_000 - index * 1_000,
    attributes: { kind: 'long', 'server.address': 'web-long' },
  }))
  await page.goto(`${hydrant.url}/acme/logs?q=${encodeURIComponent('kind:long')}`)
  await hydrated(page)
  const rows = page.getByRole('list', { name: 'Log lines' })
  for (const size of sizes) {
    const stored = bodyOf(size).slice(0, 16_384).trimEnd()
    const row = rows.getByRole('button', { name: new RegExp(`size ${size} `) })
    await row.click()
    const opened = page.getByRole('region', { name: 'Log line' })
    await opened.getByText(`size ${size} `).first().waitFor()
    expect((await opened.textContent())?.includes(stored), `${size}, opened`).toBe(true)
    const href = await opened
      .getByRole('link', { name: /context/i })
      .first()
      .getAttribute('href')
    await row.click()
    const whole = await page.request.get(`${hydrant.url}${href?.split('?')[0]}`)
    expect([size, whole.status()]).toEqual([size, 200])
    const text = await whole.text()
    expect(text.includes(stored), `${size}, own page`).toBe(true)
    expect(text).not.toContain('could not be loaded')
    // From its page to its neighbor and back.
    expect(text).toContain('Lines around this line')
  }
})
