/** The real shop in Chromium with both routers, and the pages about its routes. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareShop } from '../clients/prepare-shop.ts'
import { type RunningShop, startShop } from '../clients/start-shop.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, startHydrant } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'

const idleMs = 1_500 // the SDK ends a page load one second after its last child
const flushMs = 6_000 // spans wait up to five seconds in the SDKs

let hydrant: Hydrant
let shop: RunningShop
let browser: Browser
let reader: Page

beforeAll(async () => {
  hydrant = await startHydrant()
  const { dsn } = await hydrant.init('--org', 'acme', '--project', 'shop', ...asAda)
  shop = await startShop({ shopDir: await prepareShop(), hydrantUrl: hydrant.url, dsn })
  browser = await openBrowser()
  await walk(await browser.newPage())
  await wait(flushMs)
  await hydrant.drained()
  reader = await browser.newPage()
  await signIn(reader, hydrant.url)
})

afterAll(async () => {
  await browser?.close()
  await shop?.stop()
  await hydrant?.stop()
})

async function walk(page: Page): Promise<void> {
  const follow = async (link: string, heading: RegExp) => {
    await page.getByRole('link', { name: link }).click()
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.waitForTimeout(idleMs)
  }
  await page.goto(`${shop.url}/gallery`)
  await page.waitForTimeout(idleMs)
  await follow('Fern', /fern over the gallery/)
  await page.goBack()
  await page.waitForTimeout(idleMs)
  await follow('Shelf, fetched ahead', /^Shelf$/)
  await page.goBack()
  await page.waitForTimeout(idleMs)
  await follow('Top shelf, fetched at the click', /top \/ left/)
  await page.evaluate(async () => {
    await fetch('/api/account')
    await fetch('/api/account?as=guest')
  })
  await page.goto(`${shop.url}/legacy/old-pots`)
  await page.waitForTimeout(idleMs)
  await follow('New pots', /Legacy: new-pots/)
  await page.getByRole('link', { name: 'Slow pots' }).click()
  await page.waitForTimeout(400)
  await page.getByRole('link', { name: 'Old pots' }).click() // before the slow one is there
  await page.getByRole('heading', { name: 'Legacy: old-pots' }).waitFor()
  await page.waitForTimeout(idleMs)
  await follow('Slow pots', /Legacy: slow/)
  await page.goto('about:blank')
}

async function read(route: string): Promise<string> {
  const answer = await reader.goto(`${hydrant.url}/acme/routes/${route}`)
  expect(answer?.status()).toBe(200)
  return (await reader.locator('#content').textContent()) ?? ''
}

test('each route of the shop is one row, named after its file', async () => {
  await reader.goto(`${hydrant.url}/acme/routes`)
  const routes = await reader.locator('.rtable tbody .rname').allTextContents()
  expect(new Set(routes).size).toBe(routes.length)
  expect(routes).toEqual(
    expect.arrayContaining(['/gallery', '/gallery/photo/[id]', '/shelf/[[...path]]', '/api/account', '/legacy/[slug]']),
  )
  expect(routes.filter(route => /[:@(]/.test(route))).toEqual([])
})

test('an intercepted photo is a navigation to the photo’s own route', async () => {
  expect(await read('gallery/photo/%5Bid%5D')).toContain('0 page loads, 1 navigation')
})

test('a prefetched page is distinguished from one that was fetched on click', async () => {
  const text = await read('shelf/%5B%5B...path%5D%5D')
  expect(text).toContain('2 navigations')
  const count = (way: RegExp) => reader.getByRole('row', { name: way }).getByRole('cell').nth(1).textContent()
  expect([await count(/^Prefetched/), await count(/^Cold/)]).toEqual(['1', '1'])
})

test('Back is served from the router cache', async () => {
  await read('gallery')
  expect(
    await reader
      .getByRole('row', { name: /^Router cache/ })
      .getByRole('cell')
      .nth(1)
      .textContent(),
  ).toBe('2')
})

test('401 and 403 are counted separately', async () => {
  const text = await read('api/account')
  expect(text).toContain('1 401')
  expect(text).toContain('1 403')
})

test('slow loads and canceled navigations of the Pages Router are counted', async () => {
  const text = await read('legacy/%5Bslug%5D')
  expect(text).toContain('1 page load, 4 navigations')
  const fact = (name: string) => reader.locator('.rfacts > div').filter({ hasText: name }).locator('dd').textContent()
  expect(await fact('Page loads over 3.8 s')).toBe('1')
  expect(await fact('Canceled')).toBe('1')
})

test('retried data requests of the Pages Router are counted', async () => {
  const retried = reader.locator('.rfacts > div').filter({ hasText: 'Retried requests' }).locator('dd')
  // If a busy machine hydrates the page too late, the SDK has already ended the page load and misses the requests.
  let found = 0
  for (const pot of ['fern', 'moss', 'ivy', 'sedge']) {
    await findPot(pot)
    expect(await read('flaky/%5Bslug%5D')).toMatch(/[1-4] page loads?/)
    found = Number(await retried.textContent())
    if (found >= 2) break
  }
  expect(found).toBeGreaterThanOrEqual(2)
})

async function findPot(pot: string): Promise<void> {
  const page = await browser.newPage()
  await page.goto(`${shop.url}/flaky/${pot}`)
  await page.getByRole('heading', { name: `Found: ${pot}` }).waitFor()
  await page.waitForTimeout(idleMs)
  await page.goto('about:blank')
  await wait(flushMs)
  await page.close()
  await hydrant.drained()
}
