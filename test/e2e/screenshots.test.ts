/** Pictures that apps attach: the one of the real feedback widget is shown, and a file that only claims to be one is not. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { type SdkPage, serveSdkPage } from '../clients/serve-sdk-page.ts'
import { isLong, longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import type { Hydrant } from '../start-hydrant.ts'
import { openAcme } from './ada.ts'
import { hydrated } from './hydrated.ts'

let hydrant: Hydrant
let browser: Browser
let page: Page
let shop: SdkPage
let dsn = ''
let token = ''

const script = (to: string): string => `
  import * as Sentry from '@sentry/browser'
  Sentry.init({ dsn: ${JSON.stringify(to)}, release: 'shop@1.0.0',
    integrations: [Sentry.feedbackIntegration({ colorScheme: 'light', enableScreenshot: true })] })
  window.Sentry = Sentry
  window.isReady = true
`
declare const window: { isReady?: boolean; Sentry: { flush(ms: number): Promise<boolean> } }

beforeAll(async () => {
  hydrant = await borrowHydrant()
  // Only the browser that people use can capture a tab; it takes this one without asking.
  browser = await openBrowser({
    isFull: isLong,
    flags: [
      '--auto-accept-this-tab-capture',
      '--use-fake-ui-for-media-stream',
      '--auto-select-desktop-capture-source=Shop',
    ],
  })
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  ;({ dsn } = await openAcme(hydrant, page))
  const added = await hydrant.cli(
    'token',
    'add',
    '--org',
    'acme',
    '--name',
    'reader',
    '--scopes',
    'event:read',
    '--json',
  )
  token = JSON.parse(added).token
  if (isLong) shop = await serveSdkPage(script(dsn))
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
  await hydrant?.stop()
})

longTest(
  'the screenshot of the feedback widget is shown on the page of the message, and the API says what it is',
  async () => {
    const visit = await (await browser.newContext({ viewport: { width: 1000, height: 700 } })).newPage()
    await visit.goto(shop.url)
    await visit.waitForFunction(() => window.isReady)
    await visit.getByText('Report a Bug').click()
    const widget = visit.locator('#sentry-feedback')
    await widget.locator('input[name=name]').fill('Elin')
    await widget.locator('textarea[name=message]').fill('The mug is upside down')
    await widget.getByText('Add a screenshot').click()
    await widget.getByText('Remove Screenshot', { exact: false }).waitFor()
    const sent = visit.waitForRequest(request => request.method() === 'POST' && request.url().includes('/envelope/'))
    await widget.locator('button[type=submit]').click()
    const envelope = (await sent).postDataBuffer()?.toString('latin1') ?? ''
    // Checks the name and type that the widget really sends. If they change, we may be able to simplify the code.
    expect(envelope).toContain('"filename":"screenshot.png","content_type":"application/png"')
    await visit.evaluate(() => window.Sentry.flush(5_000))
    await visit.context().close()
    await hydrant.drained()

    await page.goto(`${hydrant.url}/acme/feedback`)
    await hydrated(page)
    await page.getByRole('list', { name: 'Feedback' }).getByRole('link').filter({ hasText: 'upside down' }).click()
    const picture = page.getByRole('article').getByRole('img', { name: 'What the user saw' })
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(500)
    await page.getByRole('article').getByRole('heading', { name: 'Screenshot' }).waitFor()
    const [, issueId, eventId] =
      /issues\/(\d+)\/events\/([0-9a-f]{32})\/pictures/.exec((await picture.getAttribute('src')) ?? '') ?? []
    expect(await attachmentsOf(issueId, eventId)).toMatchObject([
      { name: 'screenshot.png', mimetype: 'image/png', headers: { 'Content-Type': 'image/png' } },
    ])
  },
)

type File = { filename: string; content_type: string; bytes: Buffer; isShown: boolean; mimetype: string }

test('files of an error are pictures by their own bytes, whatever they are called', async () => {
  const draw = (type: string): Promise<Buffer> =>
    page
      .evaluate(async wanted => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 90, height: 40 })
        canvas.getContext('2d')?.fillRect(5, 5, 30, 30)
        const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, wanted))
        return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))]
      }, type)
      .then(bytes => Buffer.from(bytes))
  const [png, jpeg, webp] = [await draw('image/png'), await draw('image/jpeg'), await draw('image/webp')]
  const huge = Buffer.from(png)
  huge.writeUInt32BE(100_000, 16)
  huge.writeUInt32BE(100_000, 20)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked = true"/>')
  const page_ = Buffer.from('<!doctype html><script>window.hacked = true</script>')
  const none = 'application/octet-stream'
  const files: File[] = [
    { filename: '01.png', content_type: 'application/png', bytes: png, isShown: true, mimetype: 'image/png' },
    { filename: '02.bin', content_type: '', bytes: jpeg, isShown: true, mimetype: 'image/jpeg' },
    { filename: '03.txt', content_type: 'text/html', bytes: webp, isShown: true, mimetype: 'image/webp' },
    { filename: '04.svg', content_type: 'image/svg+xml', bytes: svg, isShown: false, mimetype: 'image/svg+xml' },
    { filename: '05.png', content_type: 'image/png', bytes: page_, isShown: false, mimetype: none },
    {
      filename: '06.png',
      content_type: 'image/png',
      bytes: Buffer.concat([png, page_]),
      isShown: false,
      mimetype: none,
    },
    { filename: '07.png', content_type: 'image/png', bytes: png.subarray(0, 60), isShown: false, mimetype: none },
    { filename: '08.png', content_type: 'image/png', bytes: huge, isShown: false, mimetype: 'image/png' },
    {
      filename: '09.json',
      content_type: 'application/json',
      bytes: Buffer.from('{}'),
      isShown: false,
      mimetype: 'application/json',
    },
  ]
  const eventId = 'c'.repeat(32)
  const event = { event_id: eventId, exception: { values: [{ type: 'PictureError', value: 'with files' }] } }
  const parts: Buffer[] = [
    Buffer.from(`${JSON.stringify({ event_id: eventId })}\n{"type":"event"}\n${JSON.stringify(event)}\n`),
  ]
  for (const { filename, content_type, bytes } of files) {
    const attachment_type = filename === '09.json' ? 'event.view_hierarchy' : undefined
    const head = {
      type: 'attachment',
      length: bytes.length,
      filename,
      ...(content_type && { content_type }),
      attachment_type,
    }
    parts.push(Buffer.from(`${JSON.stringify(head)}\n`), bytes, Buffer.from('\n'))
  }
  const { origin, username, pathname } = new URL(dsn)
  const url = `${origin}/api${pathname}/envelope/?sentry_key=${username}`
  expect((await fetch(url, { method: 'POST', body: new Uint8Array(Buffer.concat(parts)) })).status).toBe(200)
  await hydrant.drained()

  await page.goto(`${hydrant.url}/acme/issues`)
  await page
    .getByRole('link', { name: /PictureError/ })
    .first()
    .click()
  await page.waitForURL(/issues\/\d+/)
  const issueId = /issues\/(\d+)/.exec(page.url())?.[1]
  await page.goto(`${hydrant.url}/acme/issues/${issueId}/events/${eventId}`)
  await hydrated(page)
  const items = page.getByRole('listitem').filter({ has: page.locator('a[href*="/attachments/"]') })
  await expect.poll(() => items.count()).toBe(files.length)
  for (const { filename, isShown } of files) {
    const item = items.filter({ hasText: filename })
    await item.scrollIntoViewIfNeeded()
    if (isShown)
      await expect.poll(() => item.getByRole('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(90)
    else await expect.poll(() => item.getByRole('img').count()).toBe(0)
    const file = await page.request.get(hydrant.url + (await item.getByRole('link').getAttribute('href')))
    expect([filename, file.status(), file.headers()['content-type']]).toEqual([filename, 200, none])
    expect(file.headers()['content-disposition']).toMatch(/^attachment/)
  }
  await items.filter({ hasText: '08.png' }).getByText('can’t be shown').waitFor()
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  const listed = await attachmentsOf(issueId, eventId)
  expect(listed.map(({ name, mimetype }) => [name, mimetype])).toEqual(
    files.map(file => [file.filename, file.mimetype]),
  )
  expect(listed.at(-1)?.type).toBe('event.view_hierarchy')
})

type Listed = { name: string; mimetype: string; type: string; headers: Record<string, string> }

async function attachmentsOf(issueId: string | undefined, eventId: string | undefined): Promise<Listed[]> {
  expect(issueId).toBeTruthy()
  const response = await fetch(`${hydrant.url}/api/0/projects/acme/web/events/${eventId}/attachments/`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
  return response.json() as Promise<Listed[]>
}
