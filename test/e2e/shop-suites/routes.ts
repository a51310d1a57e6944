/** The real shop in Chromium with both routers, and the pages about its routes. */

import type { Browser, Page, Response } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { RunningShop } from '../../clients/start-shop.ts'
import { tracingEnded } from '../../clients/tracing-ended.ts'
import { longTest } from '../../long.ts'
import { type Hydrant, until } from '../../start-hydrant.ts'
import { queryTelemetry } from '../query-telemetry.ts'
import type { ShopScene } from './shop-scene.ts'

export function testRoutes(scene: () => ShopScene): void {
  describe('routes', () => {
    let hydrant: Hydrant
    let shop: RunningShop
    let browser: Browser
    let reader: Page
    let projectId: number

    beforeAll(async () => {
      ;({ hydrant, shop, browser, reader, projectId } = scene())
      const visitor = await browser.newPage()
      await walk(visitor)
      await segmentsAreStored("op IN ('pageload', 'navigation')", 11)
      await segmentsAreStored("name = 'GET /api/account'", 2)
      await visitor.close()
    })

    /** The SDKs keep spans for up to five seconds before they send them. */
    async function segmentsAreStored(where: string, count: number): Promise<void> {
      const query = `SELECT count() AS segments FROM spans WHERE project_id = ${projectId} AND is_segment AND ${where}`
      const row = z.object({ segments: z.coerce.number() })
      await until(async () => ((await queryTelemetry(hydrant.dataDir, query, row))[0]?.segments ?? 0) >= count)
      await hydrant.drained()
    }

    async function walk(page: Page): Promise<void> {
      const follow = async (link: string, heading: RegExp) => {
        await page.getByRole('link', { name: link }).click()
        await page.getByRole('heading', { name: heading }).waitFor()
        await tracingEnded(page)
      }
      const goBack = async () => {
        await page.goBack()
        await page.getByRole('heading', { name: /^Gallery$/ }).waitFor()
        await tracingEnded(page)
      }
      const isShelf = (response: Response) => new URL(response.url()).pathname === '/shelf'
      const fetchedAhead = page.waitForResponse(isShelf)
      await page.goto(`${shop.url}/gallery`)
      await fetchedAhead
      await tracingEnded(page)
      await follow('Fern', /fern over the gallery/)
      await goBack()
      await follow('Shelf, fetched ahead', /^Shelf$/)
      await goBack()
      await follow('Top shelf, fetched at the click', /top \/ left/)
      await page.evaluate(async () => {
        await fetch('/api/account')
        await fetch('/api/account?as=guest')
      })
      await page.goto(`${shop.url}/legacy/old-pots`)
      await tracingEnded(page)
      await follow('New pots', /Legacy: new-pots/)
      const slow = page.waitForRequest(/legacy\/slow\.json/)
      await page.getByRole('link', { name: 'Slow pots' }).click()
      await slow
      await page.getByRole('link', { name: 'Old pots' }).click() // before the slow one is there
      await page.getByRole('heading', { name: 'Legacy: old-pots' }).waitFor()
      await tracingEnded(page)
      await follow('Slow pots', /Legacy: slow/)
      await page.goto('about:blank')
    }

    async function read(route: string): Promise<string> {
      const answer = await reader.goto(`${hydrant.url}/acme/routes/${route}`)
      expect(answer?.status()).toBe(200)
      await reader.getByRole('heading', { name: 'Failures' }).waitFor()
      // Parts that arrive late are moved to their places by a script, so they are read from the response.
      const html = (await answer?.text()) ?? ''
      return html.replaceAll(/<script.*?<\/script>|<!--.*?-->|<[^>]*>/gs, '')
    }

    test('each route of the shop is one row, named after its file', async () => {
      await reader.goto(`${hydrant.url}/acme/routes`)
      const routes = await reader.locator('.rtable tbody .rname').allTextContents()
      expect(new Set(routes).size).toBe(routes.length)
      expect(routes).toEqual(
        expect.arrayContaining([
          '/gallery',
          '/gallery/photo/[id]',
          '/shelf/[[...path]]',
          '/api/account',
          '/legacy/[slug]',
        ]),
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
      expect([await count(/^Prefetched/), await count(/^Fetched/)]).toEqual(['1', '1'])
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
      const fact = (name: string) =>
        reader.locator('.rfacts > div').filter({ hasText: name }).locator('dd').textContent()
      expect(await fact('Navigations over 3.8 s')).toBe('1')
      expect(await fact('Canceled')).toBe('1')
    })

    longTest('retried data requests of the Pages Router are counted', async () => {
      const retried = reader.locator('.rfacts > div').filter({ hasText: 'Retried requests' }).locator('dd')
      // If a busy machine hydrates the page too late, the SDK has already ended the page load and misses the requests.
      let found = 0
      for (const [index, pot] of ['fern', 'moss', 'ivy', 'sedge'].entries()) {
        await findPot(pot)
        await segmentsAreStored("op = 'pageload' AND segment_name LIKE '/flaky/%'", index + 1)
        expect(await read('flaky/%5Bslug%5D')).toMatch(/[1-4] page loads?/)
        found = Number(/(\d+) attempts/.exec((await retried.textContent()) ?? '')?.[1] ?? 0)
        if (found >= 3) break
      }
      expect(found).toBeGreaterThanOrEqual(3)
    })

    async function findPot(pot: string): Promise<void> {
      const page = await browser.newPage()
      await page.goto(`${shop.url}/flaky/${pot}`)
      await page.getByRole('heading', { name: `Found: ${pot}` }).waitFor()
      await tracingEnded(page)
      await page.goto('about:blank')
      await page.close()
    }

    test('requests of the shop’s server have a Node profile', async () => {
      await reader.goto(`${hydrant.url}/acme/profiles?q=${encodeURIComponent('route:/gallery op:http.server')}`)
      const table = reader.getByRole('region', { name: 'Profiles' }).getByRole('table')
      // The first one, which loads the page's code: others are shorter than the interval of the profiler.
      await table
        .getByRole('row', { name: /Node.*shop/ })
        .last()
        .getByRole('link')
        .first()
        .click()
      await reader.waitForURL('**/profile')
      await reader.getByText('Node profile, thread main').waitFor()
    })
  })
}
