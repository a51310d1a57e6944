/** Stacks are symbolicated after sentry-cli uploaded source maps, also for earlier errors. */

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { builtCartFolder, thrownFrames } from '../read-built-cart.ts'
import { type Hydrant, type Provisioned, root, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { postEnvelope } from './post-envelope.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'hydrant-cart-'))

let hydrant: Hydrant
let made: Provisioned
let browser: Browser
let page: Page

beforeAll(async () => {
  hydrant = await borrowHydrant()
  made = await hydrant.init('--org', 'acme', '--project', 'shop', ...asAda)
  browser = await openBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await signIn(page, hydrant.url)
})
afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
  rmSync(folder, { recursive: true })
})

/** Opens the issue with this title. On a busy machine a panel may time out, so it retries. */
async function openIssue(title: string): Promise<void> {
  await page.goto(`${hydrant.url}/acme/issues?query=`)
  const link = page.getByRole('link', { name: new RegExp(title) }).first()
  const address = `${hydrant.url}${await link.getAttribute('href')}`
  await until(async () => {
    await page.goto(address)
    return (await page.locator('#stack').count()) > 0
  })
}

const frameTexts = async (): Promise<string[]> => page.locator('.stack .frame .fh').allTextContents()

describe('source maps that sentry-cli uploads after the errors', () => {
  const cart = join(folder, 'cart')
  const file = 'https://shop.example/cart.min.js'
  const cli = (...args: string[]) =>
    run(join(root, 'node_modules/.bin/sentry-cli'), args, {
      env: {
        ...process.env,
        SENTRY_URL: hydrant.url,
        SENTRY_AUTH_TOKEN: made.token,
        SENTRY_ORG: 'acme',
        SENTRY_CONFIG_DIR: join(folder, 'tools'), // else in the home folder, which two test runs would share
      },
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

  longTest(
    'the page first says what is missing, then shows the mapped stack, and the next event joins the same issue',
    async () => {
      cpSync(join(builtCartFolder, 'webpack'), cart, { recursive: true })
      await cli('sourcemaps', 'inject', cart)
      await send()
      await hydrant.drained()
      await openIssue("reading 'amount'")
      const address = page.url()
      const advice = page.locator('.advice').first()
      expect(await advice.textContent()).toMatch(
        /No upload holds the debug id .*nothing was uploaded for release cart@1/,
      )
      await expectNoBarriersWhenLong(page, { within: '#stack' })
      await cli('sourcemaps', 'upload', '--project', 'shop', '--release', 'cart@1', '--wait', cart)
      await page.reload()
      expect((await frameTexts())[0]).toMatch(/priceOf\s*src\/price\.js:3/)
      expect(await page.locator('.advice').count()).toBe(0)
      // Late source maps are applied every ten seconds.
      await until(async () => /after a source map was uploaded/.test(await (await page.request.get(address)).text()))
      await send()
      await hydrant.drained()
      await page.goto(address)
      expect(await page.locator('.lede, .ihdr').first().isVisible()).toBe(true)
      expect((await (await page.request.get(`${address}`)).text()).includes('priceOf')).toBe(true)
      await page.goto(`${hydrant.url}/acme/issues?query=`)
      expect(await page.getByRole('link', { name: /reading 'amount'/ }).count()).toBe(1)
    },
  )
})
