/** A small shop page with the real SDK and its replay integration, bundled once and visited with a browser. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import webpack from 'webpack'
import { root } from '../start-hydrant.ts'

const entry = `
import * as Sentry from '@sentry/browser'
Sentry.init({
  dsn: new URLSearchParams(location.search).get('dsn'),
  release: 'shop@2',
  enableLogs: true,
  integrations: [Sentry.replayIntegration({
    minReplayDuration: 0, maskAllText: false, maskAllInputs: false, blockAllMedia: false,
    beforeAddRecordingEvent: event => { (window.recorded ??= []).push(event.data?.payload?.category); return event },
  })],
  replaysSessionSampleRate: 1,
  replaysOnErrorSampleRate: 0,
})
Sentry.setUser({ id: 'u7', email: 'ada@shop.example' })
window.Sentry = Sentry
`

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<style>body{font:16px sans-serif;margin:24px} .cart{background:url(/paper.png)} button{padding:8px}</style>
<link rel="stylesheet" href="/shop.css"></head>
<body><h1 class="title">Shop</h1><img src="/logo.png" alt="Logo" width="40" height="40">
<p>Cart: <b id="count">0</b></p><ul class="cart"></ul>
<button id="add" class="primary">Add to cart</button> <button id="pay">Pay</button>
<button id="help">Help</button> <label>Note <input id="note"></label> <a href="/terms">Terms</a>
<script>
  let count = 0
  add.onclick = () => { document.getElementById('count').textContent = ++count; const row = document.createElement('li'); row.textContent = 'Mug ' + count; row.className = 'item'; document.querySelector('.cart').append(row) }
  pay.onclick = () => { window.paidAt = Date.now(); console.warn('no carrier'); Sentry.logger.error('paying without a carrier'); pay.textContent = 'Paying'; throw new TypeError('no carrier for express') }
</script><script src="/sdk.js"></script></body></html>`

export type Shop = { url: string; hits: string[]; stop(): Promise<void> }

export async function startShop(): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), 'shop-'))
  await writeFile(join(folder, 'entry.js'), entry)
  await bundle(folder)
  const sdk = await readFile(join(folder, 'sdk.js'))
  const hits: string[] = []
  const server: Server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    hits.push(path)
    if (path === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    else if (path === '/sdk.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(sdk)
    else if (path === '/shop.css')
      response.writeHead(200, { 'content-type': 'text/css' }).end('.title{color:rgb(0, 90, 90)}')
    else response.writeHead(404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits,
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const bundle = (folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    webpack(
      {
        mode: 'none',
        context: root,
        entry: join(folder, 'entry.js'),
        output: { path: folder, filename: 'sdk.js' },
        resolve: { modules: [join(root, 'node_modules')] },
        devtool: false,
      },
      (error, stats) => (error || stats?.hasErrors() ? reject(error ?? new Error(stats?.toString())) : resolve()),
    )
  })

/** What a page shows below its body: tags, ids, classes and texts. */
export function readPage(body: Element): string {
  const lines: string[] = []
  const visit = (node: Node, depth: number): void => {
    if (node.nodeType === 3) {
      const text = (node.textContent ?? '').trim()
      if (text !== '') lines.push(`${' '.repeat(depth)}${text}`)
    } else if (node.nodeType === 1) {
      const element = node as Element
      if (/^(SCRIPT|NOSCRIPT|STYLE|LINK|TEMPLATE)$/.test(element.tagName)) return
      // The player marks what the pointer is over.
      const classes = [...element.classList].filter(name => !name.startsWith(':'))
      lines.push(`${' '.repeat(depth)}<${element.tagName.toLowerCase()} ${element.id} ${classes.join('.')}>`)
      for (const child of element.childNodes) visit(child, depth + 1)
    }
  }
  visit(body, 0)
  return lines.join('\n')
}

/**
 * Adds two things to the cart, pays, meets the error; and in a second tab asks for help, again and again, where nothing happens. Gives the
 * page as it was at the end.
 */
export async function visitShop(
  browser: Browser,
  shop: Shop,
  dsn: string,
): Promise<{ page: string; replayId: string; secondReplayId: string; paidAt: number }> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } })
  const tab: Page = await context.newPage()
  await tab.goto(`${shop.url}/?dsn=${encodeURIComponent(dsn)}`)
  await tab.click('#add')
  await tab.click('#add')
  await tab.fill('#note', 'by noon')
  await tab.click('#pay')
  const replayId = await tab.evaluate(sendReplay)
  const page = await tab.evaluate(readPage as never, await tab.$('body'))
  const paidAt = await tab.evaluate(() => (window as unknown as { paidAt: number }).paidAt)
  const second = await context.newPage()
  await second.goto(`${shop.url}/?page=2&dsn=${encodeURIComponent(dsn)}`)
  await second.click('#add')
  await second.click('#help', { clickCount: 5 })
  // The SDK waits some seconds for a click to change something.
  await second.waitForFunction(
    () => (window as unknown as { recorded: unknown[] }).recorded.includes('ui.slowClickDetected'),
    undefined,
    { timeout: 60_000 },
  )
  const secondReplayId = await second.evaluate(sendReplay)
  await context.close()
  return { page: page as string, replayId, secondReplayId, paidAt }
}

/** Runs in the page: sends what the SDK has collected and gives the id of the replay. */
async function sendReplay(): Promise<string> {
  type Sdk = { flush(): Promise<boolean>; getReplay(): { getReplayId(): string; flush(): Promise<void> } }
  const { Sentry } = window as unknown as { Sentry: Sdk }
  await Sentry.flush()
  await Sentry.getReplay().flush()
  return Sentry.getReplay().getReplayId()
}
