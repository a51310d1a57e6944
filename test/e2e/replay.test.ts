/** A visit that the real SDK records, from the recording to the player; and recordings that want to do harm. */

import type { Browser, BrowserContext, FrameLocator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, type Provisioned, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import { postEnvelope } from './post-envelope.ts'
import { postRecording } from './post-recording.ts'
import { readPage, type Shop, startShop, visitShop } from './record-visit.ts'

let hydrant: Hydrant
let shop: Shop
let browser: Browser
let context: BrowserContext
let page: Page
let made: Provisioned
let visit: Awaited<ReturnType<typeof visitShop>>
/** Requests of Hydrant's pages to anybody else. */
const strangers: string[] = []

beforeAll(async () => {
  ;[hydrant, shop, browser] = await Promise.all([borrowHydrant(), startShop(), openBrowser()])
  made = await hydrant.init('--org', 'acme', '--project', 'shop', ...asAda)
  visit = await visitShop(browser, shop, made.dsn)
  await postHostile()
  await hydrant.drained()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  page = await context.newPage()
  context.on('request', request => void (isOwn(request.url()) || strangers.push(request.url())))
  await signIn(page, hydrant.url)
  shop.hits.length = 0
})

afterAll(async () => {
  await browser?.close()
  await shop?.stop()
  await hydrant?.stop()
})

const isOwn = (url: string): boolean => url.startsWith(hydrant.url) || url.startsWith('data:')
const open = async (path: string) => {
  await page.goto(hydrant.url + path)
  await hydrated(page)
}
const player = (): FrameLocator => page.frameLocator('iframe[title="Recorded page"]')
const recorded = (): FrameLocator => player().frameLocator('iframe')
/** Opens the replay unless it is open. */
const show = async (path: string) => {
  if (new URL(page.url()).pathname !== path) await open(path)
  await isReady()
}
const isReady = () => page.locator('iframe[title="Recorded page"][data-state="ready"]').waitFor()
const shown = (): Promise<string> =>
  recorded()
    .locator('body')
    .evaluate(readPage as never)

test('the list shows who it was and what went wrong, and finds it by what they did', async () => {
  await open('/acme/replays')
  const row = page.getByRole('row', { name: /ada@shop\.example/ }).first()
  await row.waitFor()
  expect(await row.textContent()).toMatch(/shop@2/)
  const raging = await page.getByRole('link', { name: 'Rage clicks' }).getAttribute('href')
  const enraged = await (await page.request.get(hydrant.url + raging)).text()
  expect([enraged.includes(visit.secondReplayId), enraged.includes(visit.replayId)]).toEqual([true, false])
  const search = page.getByRole('combobox', { name: 'Search replays' })
  await search.fill('click:button#pay errors:>0')
  await search.press('Enter')
  await page.waitForURL(/click/)
  const found = page.getByRole('link', { name: /ada@shop\.example/ })
  await until(async () => (await found.count()) === 1) // without the second tab
  await found.click()
  await page.waitForURL(`**/replays/${visit.replayId}`)
})

/** Seeks to before the second mug was in the cart. */
async function seekToClick(): Promise<void> {
  await page
    .getByRole('button', { name: /Click button#add/ })
    .first()
    .click()
  await until(async () => (await recorded().getByText('Mug 2').count()) === 0)
  await recorded().getByText('Cart:').waitFor()
}

test('a link with a time opens there, a key reaches the frame of the error, and the last frame is the recorded page', async () => {
  const asked: string[] = []
  const note = (request: Request) => void (request.url().endsWith('/recording') && asked.push(request.url()))
  page.on('request', note)
  await open(`/acme/replays/${visit.replayId}?t=9999`)
  await isReady()
  page.off('request', note)
  expect(asked).toHaveLength(1) // what the document has asked for is what the player reads
  await recorded().getByText('Paying').waitFor()
  await seekToClick()
  await page.keyboard.press('n')
  // The second mug was in the cart when the error happened.
  await recorded().getByText('Mug 2').waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'no carrier for express' })
    .locator('[aria-current=step]')
    .waitFor()
  await page.getByRole('slider', { name: 'Position' }).press('End')
  await recorded().getByText('Paying').waitFor()
  expect(await shown()).toBe(visit.page)
  expect(
    await recorded()
      .locator('h1')
      .evaluate(title => getComputedStyle(title).color),
  ).toBe('rgb(0, 90, 90)')
})

longTest('a row seeks, and playing moves on', async () => {
  await show(`/acme/replays/${visit.replayId}`)
  await seekToClick()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await recorded().getByText('Paying').waitFor()
  await page.getByRole('tab', { name: /Console/ }).click()
  await page.getByRole('button', { name: /no carrier/ }).waitFor()
})

longTest('log lines, memory and loaded files follow the picture too, and a click seeks', async () => {
  await show(`/acme/replays/${visit.replayId}`)
  await page.getByRole('tab', { name: /Logs/ }).click()
  await page.getByRole('button', { name: /paying without a carrier/ }).click()
  await page.waitForURL(/\?t=/)
  await recorded().getByText('Mug 2').waitFor()
  await page.getByRole('tab', { name: /Network/ }).click()
  await page.getByRole('button', { name: /script.*\/sdk\.js/ }).waitFor()
  await page.getByRole('tab', { name: /Memory/ }).click()
  await page.getByRole('button', { name: /\d MB/ }).first().waitFor()
})

test('the document that plays has a policy of its own, and the recorded page a sandbox without scripts', async () => {
  const response = await page.request.get(`${hydrant.url}/hydrant-player.html`)
  const policy = response.headers()['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("connect-src 'none'")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy).toMatch(/img-src data:;/)
  await show(`/acme/replays/${visit.replayId}`)
  expect(await player().locator('iframe').getAttribute('sandbox')).toBe('allow-same-origin')
})

longTest('the tabs of a visitor are one journey, each a click away', async () => {
  await show(`/acme/replays/${visit.replayId}`)
  const journey = page.getByRole('navigation', { name: 'Journey of this visitor' })
  expect(await journey.getByRole('link').count()).toBe(2)
  expect(await journey.locator('[aria-current=page]').getAttribute('href')).toContain(visit.replayId)
  await journey.getByRole('link').last().click()
  await page.waitForURL(`**/replays/${visit.secondReplayId}`)
  await isReady()
  await page
    .getByRole('listitem')
    .filter({ hasText: /Rage click.*#help.*5 times/ })
    .waitFor()
})

longTest('a recording that begins with an error opens at its first picture, and shows none before', async () => {
  const startedAt = Date.now() - 100_000
  const at = startedAt + 62_000
  const text = { type: 3, id: 5, textContent: 'light' }
  const html = { type: 2, id: 2, tagName: 'html', attributes: {}, childNodes: [{ ...bodyNode, childNodes: [text] }] }
  const node = { type: 0, id: 1, childNodes: [html] }
  await postRecording(made.dsn, {
    replayId: bufferedId,
    startedAt,
    endedAt: startedAt + 88_000,
    urls: ['https://shop.example/'],
    events: [
      { type: 4, timestamp: at, data: { href: 'https://shop.example/', width: 600, height: 400 } },
      { type: 2, timestamp: at, data: { node, initialOffset: { top: 0, left: 0 } } },
      {
        type: 3,
        timestamp: at + 20_000,
        data: { source: 0, texts: [{ id: 5, value: 'dark' }], removes: [], attributes: [], adds: [] },
      },
    ],
  })
  await hydrant.drained()
  await open(`/acme/replays/${bufferedId}`)
  await isReady()
  await recorded().getByText('light').waitFor()
  const position = page.getByRole('slider', { name: 'Position' })
  expect(await position.inputValue()).toBe('62000')
  const before = page.getByText('The recording begins at 1:02.')
  expect(await before.count()).toBe(0)
  await position.fill('6000')
  await before.waitFor()
  await position.fill('85000')
  await recorded().getByText('dark').waitFor()
  expect(await before.count()).toBe(0)
})

test('nothing of a hostile recording runs, loads or leads elsewhere', async () => {
  const dialogs: string[] = []
  page.on('dialog', dialog => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await open(`/acme/replays/${hostileId}`)
  await isReady()
  await recorded().getByText('Harmless words').waitFor()
  await page.getByRole('slider', { name: 'Position' }).press('End')
  await recorded().getByText('Added later').waitFor()
  for (const frame of page.frames())
    expect(await frame.evaluate(() => (window as { hacked?: unknown }).hacked ?? 'no')).toBe('no')
  expect(await recorded().locator('script, object, embed, base, meta, [onerror], [onclick], [srcdoc]').count()).toBe(0)
  expect(dialogs).toEqual([])
  // The message is text, whatever it holds.
  await page.getByRole('tab', { name: /Console/ }).click()
  await page.getByText('<img src=x onerror=hacked=1>').waitFor()
  expect(page.url()).toContain(hydrant.url)
  expect(strangers).toEqual([])
  expect(shop.hits).toEqual([])
})

longTest('a deleted replay is gone', async () => {
  await show(`/acme/replays/${hostileId}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete replay' }).click()
  await page.waitForURL('**/acme/replays')
  expect((await page.request.get(`${hydrant.url}/acme/replays/${hostileId}/recording`)).status()).toBe(404)
})

longTest('images of the site are loaded when the viewer asks', async () => {
  await open(`/acme/replays/${visit.replayId}`)
  await isReady()
  await page.getByRole('button', { name: 'Load' }).click()
  await until(async () => shop.hits.includes('/logo.png'))
  expect(shop.hits.filter(path => path !== '/logo.png' && path !== '/paper.png')).toEqual([])
})

longTest('axe finds nothing on the list and the player', async () => {
  await open('/acme/replays')
  await page
    .getByRole('row', { name: /ada@shop\.example/ })
    .first()
    .waitFor()
  await expectNoBarriersWhenLong(page)
  await open(`/acme/replays/${visit.replayId}`)
  await isReady()
  await expectNoBarriersWhenLong(page)
})

/** Of the first issue that a search finds. */
async function idOfIssue(search: string): Promise<string> {
  const list = await page.request.get(`${hydrant.url}/acme/issues?q=${encodeURIComponent(search)}`)
  return /href="\/acme\/issues\/(\d+)/.exec(await list.text())?.[1] ?? ''
}

longTest('an issue plays the seconds around its error, and says what the user did', async () => {
  const issueId = await idOfIssue('carrier')
  await open(`/acme/issues/${issueId}`)
  const lines = page.getByRole('listitem').filter({ hasText: 'Click button#pay' })
  await lines.first().waitFor()
  await page.getByRole('button', { name: 'Play the clip' }).click()
  await isReady()
  await recorded().getByText('Paying').waitFor()
  const { token } = JSON.parse(
    await hydrant.cli('token', 'add', '--org', 'acme', '--name', 'agent', '--scopes', 'org:read,event:read', '--json'),
  )
  const headers = { authorization: `Bearer ${token}` }
  const read = (path: string) => page.request.get(`${hydrant.url}/api/0/${path}`, { headers })
  const event = await (await read(`organizations/acme/issues/${issueId}/events/latest/`)).json()
  expect(event.contexts.replay).toMatchObject({ replay_id: visit.replayId })
  expect(event.contexts.replay.what_the_user_did.join('\n')).toMatch(
    /Click button#pay[\s\S]*Error TypeError: no carrier/,
  )
  const list = await (await read('organizations/acme/replays/?query=click:button%23pay')).json()
  expect(list.data).toMatchObject([{ id: visit.replayId, count_errors: 1 }])
  const recording = await (
    await read(`projects/acme/shop/replays/${visit.replayId}/recording-segments/?download=true`)
  ).json()
  expect(recording.flat().some((each: { type: number }) => each.type === 2)).toBe(true)
})

longTest('a hydration error compares the page before and after it, from the recording', async () => {
  await postEnvelope(made.dsn, {
    platform: 'javascript',
    timestamp: visit.paidAt / 1_000,
    tags: { replayId: visit.replayId },
    exception: { values: [{ type: 'Error', value: 'Minified React error #418; visit https://react.dev/errors/418' }] },
  })
  await hydrant.drained()
  await open(`/acme/issues/${await idOfIssue('"rendered different content"')}`)
  await page.getByRole('button', { name: /Compare the page before and after/ }).click()
  const line = (pane: string, text: string) => page.getByLabel(`The page ${pane} the error`).getByText(text)
  await line('before', '<button id="pay">Pay</button>').waitFor()
  await line('after', '<button id="pay">Paying</button>').waitFor()
})

const hostileId = 'bad0'.repeat(8)
const bufferedId = 'b0ff'.repeat(8)
const bodyNode = { type: 2, id: 4, tagName: 'body', attributes: {} }

/** Everything at once that a recording could try, with the shop as the place where it would be seen. */
async function postHostile(): Promise<void> {
  const now = Date.now() - 10_000
  const run = 'window.hacked=1;window.top.hacked=1'
  let id = 1
  const element = (tagName: string, attributes: object = {}, ...childNodes: unknown[]) => ({
    type: 2,
    id: id++,
    tagName,
    attributes,
    childNodes,
  })
  const text = (textContent: string) => ({ type: 3, id: id++, textContent })
  const bodyId = 900
  const body = {
    ...element(
      'body',
      { onload: run, background: `${shop.url}/background` },
      element('p', { style: `background:url(${shop.url}/style)` }, text('Harmless words')),
      element('script', {}, text(run)),
      element('script', { src: `${shop.url}/script` }),
      element('img', { src: `${shop.url}/image`, onerror: run, srcset: `${shop.url}/srcset 2x` }),
      element('a', { href: `javascript:${run}`, onclick: run }, text('pay')),
      element('iframe', { srcdoc: `<script>${run}</script>`, src: `${shop.url}/frame` }),
      element('object', { data: `${shop.url}/object` }),
      element('embed', { src: `${shop.url}/embed` }),
      element('video', { src: `${shop.url}/video`, poster: `${shop.url}/poster`, autoplay: '' }),
      element('style', {}, text(`@import url(${shop.url}/import);p{background:url(${shop.url}/css)}`)),
      element('link', { rel: 'stylesheet', href: `${shop.url}/link` }),
      element('form', { action: `${shop.url}/form` }, element('button', { formaction: `javascript:${run}` })),
    ),
    id: bodyId,
  }
  const head = element(
    'head',
    {},
    element('base', { href: shop.url }),
    element('meta', { 'http-equiv': 'refresh', content: `0;url=${shop.url}/refresh` }),
  )
  const events = [
    { type: 4, timestamp: now, data: { href: `javascript:${run}`, width: 600, height: 400 } },
    {
      type: 2,
      timestamp: now,
      data: {
        node: { type: 0, id: 901, childNodes: [element('html', {}, head, body)] },
        initialOffset: { top: 0, left: 0 },
      },
    },
    {
      type: 3,
      timestamp: now + 2_000,
      data: {
        source: 0,
        texts: [],
        removes: [],
        attributes: [{ id: bodyId, attributes: { onclick: run, style: { background: `url(${shop.url}/later)` } } }],
        adds: [
          { parentId: bodyId, nextId: null, node: { ...element('script'), id: 951 } },
          { parentId: 951, nextId: null, node: text(run) },
          { parentId: bodyId, nextId: null, node: element('svg', {}, element('script', {}, text(run))) },
          { parentId: bodyId, nextId: null, node: { ...element('p'), id: 950 } },
          { parentId: 950, nextId: null, node: text('Added later') },
        ],
      },
    },
    { type: 3, timestamp: now + 2_500, data: { source: 8, id: 1, adds: [{ rule: `@import url(${shop.url}/rule)` }] } },
    {
      type: 5,
      timestamp: now + 2_600,
      data: {
        tag: 'breadcrumb',
        payload: {
          timestamp: (now + 2_600) / 1_000,
          category: 'console',
          level: 'error',
          message: '<img src=x onerror=hacked=1>',
        },
      },
    },
  ]
  await postRecording(made.dsn, {
    replayId: hostileId,
    startedAt: now,
    endedAt: now + 3_000,
    urls: [`javascript:${run}`],
    events,
  })
}
