/** Stacks become readable: maps from the shop's own build and from sentry-cli, before an error and after it. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildUploadedShop } from '../clients/prepare-shop.ts'
import { startShop } from '../clients/start-shop.ts'
import { openBrowser } from '../open-browser.ts'
import { builtCartFolder, thrownFrames } from '../read-built-cart.ts'
import { type Hydrant, type Provisioned, root, startHydrant, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { findBarriers } from './find-barriers.ts'
import { postEnvelope } from './post-envelope.ts'

const run = promisify(execFile)
const flushMs = 2_000
const folder = mkdtempSync(join(tmpdir(), 'hydrant-cart-'))
// The tools keep what they learn of a server in the home folder, and two test runs would share it.
process.env.SENTRY_CONFIG_DIR = join(folder, 'tools')

let hydrant: Hydrant
let made: Provisioned
let browser: Browser
let page: Page

beforeAll(async () => {
  hydrant = await startHydrant()
  made = await hydrant.init('--org', 'acme', '--project', 'shop', ...asAda)
  browser = await openBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await signIn(page, hydrant.url)
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
  rmSync(folder, { recursive: true })
})

/** Opens the issue that the list shows under this title. On a busy machine a panel may give up on its store, and is asked again. */
async function openIssue(title: string): Promise<void> {
  await page.goto(`${hydrant.url}/acme/issues?query=`)
  const link = page.getByRole('link', { name: new RegExp(title) }).first()
  const address = `${hydrant.url}${await link.getAttribute('href')}`
  await until(async () => {
    await page.goto(address)
    return (await page.locator('#stack').count()) > 0
  }, 120_000)
}

const frameTexts = async (): Promise<string[]> => page.locator('.stack .frame .fh').allTextContents()

describe('the shop, built by Next with an upload', () => {
  beforeAll(async () => {
    const { url, ...rest } = { url: hydrant.url, token: made.token, organization: 'acme', project: 'shop' }
    const built = await buildUploadedShop({ url, ...rest, release: 'shop@1.0.0' })
    const shop = await startShop({ shopDir: built.shopDir, hydrantUrl: url, dsn: made.dsn, env: built.env })
    const visitor = await browser.newPage()
    try {
      await visitor.goto(`${shop.url}/client-error`)
      await visitor.getByRole('button', { name: 'Throw', exact: true }).click()
      await wait(flushMs)
      await visitor.goto(`${shop.url}/boom`)
      await visitor.getByRole('heading', { name: 'Something went wrong' }).waitFor()
      await wait(flushMs)
    } finally {
      await visitor.close()
      await shop.stop()
    }
    await hydrant.drained()
  }, 300_000)

  test('a browser error shows the file, line, function and code that were written', async () => {
    await openIssue('The basket has no total')
    const [first = ''] = await frameTexts()
    expect(first).toMatch(/throwInHandler\s*app\/client-error\/error-buttons\.tsx:\d+/)
    const here = await page.locator('.src .l.at').first().textContent()
    expect(here).toContain("throw new TypeError('The basket has no total')")
    expect(await page.locator('.stack .frame').first().locator('.src .l').count()).toBe(11)
  })

  test('a server error does too', async () => {
    await openIssue('The winter shelf could not be loaded')
    const frames = (await frameTexts()).join('\n')
    expect(frames).toMatch(/loadShelf\s*app\/boom\/page\.tsx:\d+/)
    expect(frames).toMatch(/BoomPage\s*app\/boom\/page\.tsx:\d+/)
    expect(await page.locator('.src .l.at').first().textContent()).toContain('shelf could not be loaded')
  })

  test('what was sent is still there, and React’s number is explained', async () => {
    await openIssue('The basket has no total')
    await page.goto(`${page.url().replace(/\?.*/, '')}/events/latest?stack=raw`)
    expect(await page.locator('.rawstack').textContent()).toMatch(/_next\/static\/chunks\//)
    const value =
      'Minified React error #31; visit https://react.dev/errors/31?args[]=object%20with%20keys%20%7Bid%7D&args[]='
    await postEnvelope(made.dsn, { platform: 'javascript', exception: { values: [{ type: 'Error', value }] } })
    await hydrant.drained()
    await openIssue('Minified React error #31')
    await page.getByRole('heading', { name: 'React error 31' }).waitFor()
    expect(await page.locator('#react-error').textContent()).toContain('object with keys {id}')
  })
})

describe('maps that come after their errors, by sentry-cli', () => {
  const cart = join(folder, 'cart')
  const file = 'https://shop.example/cart.min.js'
  const cli = (...args: string[]) =>
    run(join(root, 'node_modules/.bin/sentry-cli'), args, {
      env: { ...process.env, SENTRY_URL: hydrant.url, SENTRY_AUTH_TOKEN: made.token, SENTRY_ORG: 'acme' },
    })
  const send = () => {
    const script = readFileSync(join(cart, 'cart.js'), 'utf8')
    const debug_id = /\/\/# debugId=([0-9a-f-]+)/.exec(script)?.[1] ?? ''
    return postEnvelope(made.dsn, {
      platform: 'javascript',
      release: 'cart@1',
      transaction: '/cart',
      debug_meta: { images: [{ type: 'sourcemap', code_file: file, debug_id }] },
      exception: {
        values: [
          {
            type: 'TypeError',
            value: "Cannot read properties of undefined (reading 'amount')",
            stacktrace: { frames: thrownFrames(script, file) },
          },
        ],
      },
    })
  }

  test('the page says what is missing, reads the stack once it is there, and the next event joins the same issue', async () => {
    cpSync(join(builtCartFolder, 'webpack'), cart, { recursive: true })
    await cli('sourcemaps', 'inject', cart)
    await send()
    await hydrant.drained()
    await openIssue("reading 'amount'")
    const address = page.url()
    const advice = page.locator('.advice').first()
    expect(await advice.textContent()).toMatch(/No upload holds the debug id .*nothing was uploaded for release cart@1/)
    expect(await findBarriers(page, { within: '#stack' })).toEqual([])
    await cli('sourcemaps', 'upload', '--project', 'shop', '--release', 'cart@1', '--wait', cart)
    await page.reload()
    expect((await frameTexts())[0]).toMatch(/priceOf\s*src\/price\.js:3/)
    expect(await page.locator('.advice').count()).toBe(0)
    // Late maps are looked for every ten seconds.
    await until(
      async () => /read a source map that came late/.test(await (await page.request.get(address)).text()),
      60_000,
    )
    await send()
    await hydrant.drained()
    await page.goto(address)
    expect(await page.locator('.lede, .ihdr').first().isVisible()).toBe(true)
    expect((await (await page.request.get(`${address}`)).text()).includes('priceOf')).toBe(true)
    await page.goto(`${hydrant.url}/acme/issues?query=`)
    expect(await page.getByRole('link', { name: /reading 'amount'/ }).count()).toBe(1)
  }, 180_000)
})
