/** Failures of a server-rendered React app, produced by the real shop in Chromium, and how Hydrant shows them. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ShopCopy } from '../../clients/copy-shop.ts'
import type { RunningShop } from '../../clients/start-shop.ts'
import { isLong, longTest } from '../../long.ts'
import { type Hydrant, until } from '../../start-hydrant.ts'
import { expectNoBarriersWhenLong } from '../find-barriers.ts'
import { queryTelemetry } from '../query-telemetry.ts'
import type { ShopScene } from './shop-scene.ts'

export function testFailures(scene: () => ShopScene): void {
  describe('failures', () => {
    let hydrant: Hydrant
    let shop: RunningShop
    let copy: ShopCopy
    let visitor: Page
    let reader: Page
    let projectId: number

    beforeAll(async () => {
      const { browser, ...rest } = scene()
      ;({ hydrant, shop, copy, reader, projectId } = rest)
      visitor = await browser.newPage()
    })
    afterAll(() => visitor?.context().close())

    const group = z.object({
      title: z.string(),
      events: z.coerce.number(),
      reports: z.coerce.number(),
      hash: z.string(),
    })
    /** The shop's groups whose first title matches. A failure reported by server and browser is one event with two reports. */
    const groups = async (title: RegExp) =>
      (
        await queryTelemetry(
          hydrant.dataDir,
          `SELECT argMin(title, if(platform = 'javascript', 1, 0)) AS title, sum(weight) AS events, count() AS reports, group_hash AS hash
           FROM events WHERE project_id = ${projectId} GROUP BY group_hash LIMIT 1000`,
          group,
        )
      ).filter(each => title.test(each.title))

    async function openIssue(title: RegExp): Promise<void> {
      await until(async () => (await groups(title)).length > 0)
      const [found] = await groups(title)
      const control = new Database(join(hydrant.dataDir, 'control.db'), { readonly: true })
      const query = `SELECT issue_id, event_count FROM issue_hash WHERE project_id = ${projectId} AND group_hash = ?`
      const read = control.prepare<[string], { issue_id: number; event_count: number }>(query)
      // Rows are written before they are counted.
      await until(() => (read.get(found?.hash ?? '')?.event_count ?? 0) >= (found?.events ?? 0))
      const id = read.get(found?.hash ?? '')?.issue_id
      control.close()
      await reader.goto(`${hydrant.url}/acme/issues/${id}`)
      await reader.locator('.lede').waitFor()
    }
    const section = (id: string) => reader.locator(`#${id}`)
    const heading = (name: string) => visitor.getByRole('heading', { name }).waitFor()
    const expectNoBarrier = async () => await expectNoBarriersWhenLong(reader)

    test('a hydration mismatch caused by the clock shows both sides and the cause', async () => {
      await visitor.goto(`${shop.url}/mismatch/clock`)
      await heading('Mismatch')
      await openIssue(/^HydrationError: .*became/)
      await section('hydration').getByText('Server sent').waitFor()
      expect(await section('hydration').locator('mark').count()).toBe(2)
      expect(await section('hydration').locator('.dompath').textContent()).toMatch(/^body > main > p/)
      expect(await section('cause').textContent()).toContain('read the current time at different moments')
      await expectNoBarrier()
    })

    longTest('each route and cause of hydration mismatches is an issue of its own', async () => {
      await visitor.goto(`${shop.url}/mismatch/nesting`)
      await heading('Mismatch')
      await visitor.goto(`${shop.url}/hydration`)
      await heading('Hydration')
      await until(async () => (await groups(/^HydrationError/)).length === 3)
      await openIssue(/server.* became .*browser/)
      expect(await section('cause').textContent()).toContain('server and browser render different branches')
      const nesting = (await groups(/^HydrationError/)).map(({ title }) => title)
      expect(nesting.filter(title => /nesting|Three pots/.test(title))).toHaveLength(1)
    })

    test('a failed server component is one issue with the server’s stack and what the user saw', async () => {
      await visitor.goto(`${shop.url}/boom`)
      await heading('Something went wrong')
      await until(async () => (await groups(/winter shelf/))[0]?.reports === 2)
      expect(await groups(/winter shelf/)).toMatchObject([{ events: 1 }])
      expect(await groups(/ServerError|React error/)).toEqual([])
      await openIssue(/winter shelf/)
      await section('user-saw').getByText(`${shop.url}/boom`).waitFor()
      expect(await reader.locator('.main').textContent()).toContain('The winter shelf could not be loaded')
    })

    longTest('a failed server action is one issue', async () => {
      await visitor.goto(`${shop.url}/failures`)
      await visitor.getByLabel('Name of the basket').fill('')
      await visitor.getByRole('button', { name: 'Rename' }).click()
      await heading('Something went wrong')
      await until(async () => (await groups(/A basket needs a name/))[0]?.reports === 2)
      expect(await groups(/A basket needs a name/)).toMatchObject([{ events: 1 }])
    })

    longTest('filtered events are counted with examples, and a filter change has a preview', async () => {
      await visitor.goto(`${shop.url}/failures`)
      await heading('Failures')
      for (const name of ['Reported not-found', 'Aborted request', 'Resize loop', 'A fault of the shop'])
        await visitor.getByRole('button', { name }).click()
      await visitor.evaluate(() => {
        const script = document.createElement('script')
        script.textContent = `setTimeout(function injected() { throw new TypeError('panel is null') })
    //# sourceURL=chrome-extension://abcdefghijklmnop/content.js`
        document.head.append(script)
      })
      await until(async () => (await groups(/The gallery has no pictures/)).length === 1)
      const outcome = z.object({ reason: z.string() })
      const reasons = async () =>
        (
          await queryTelemetry(
            hydrant.dataDir,
            `SELECT DISTINCT reason FROM outcomes WHERE project_id = ${projectId} AND outcome = 'filtered' LIMIT 100`,
            outcome,
          )
        ).map(({ reason }) => reason)
      await until(async () => (await reasons()).length >= 4)
      expect((await reasons()).sort()).toEqual([
        'aborted-requests',
        'browser-extensions',
        'framework-signals',
        'resize-observer',
      ])
      expect(await groups(/NEXT_HTTP|abort|ResizeObserver|panel is null/i)).toEqual([])
      await hydrant.drained() // outcomes are written a moment before the examples of them
      await reader.goto(`${hydrant.url}/acme/projects/shop/filters`)
      const rule = reader.locator('#resize-observer')
      await rule.getByText('Examples').click()
      await rule.getByText('Error: ResizeObserver loop limit exceeded').waitFor()
      await expectNoBarrier()
      await reader.locator('#hydration-errors').getByRole('link', { name: 'Drop', exact: true }).click()
      const preview = reader.getByRole('region', { name: 'Preview: Drop' })
      await preview.getByText(/3 of the last \d+ stored events/).waitFor()
      await preview.getByRole('button', { name: 'Drop from now on' }).click()
      await reader.locator('#hydration-errors [aria-current]', { hasText: 'Drop' }).waitFor()
    })

    longTest('a tab of an older deploy that calls a removed server action is deploy skew', async () => {
      await visitor.goto(`${shop.url}/failures`)
      await heading('Failures')
      // Action ids change with the build, so the server doesn't know the id that the tab sends.
      await visitor.route('**/failures', route => {
        const headers = route.request().headers()
        return route.continue({
          headers: headers['next-action'] ? { ...headers, 'next-action': `7f${'0'.repeat(40)}` } : headers,
        })
      })
      await visitor.getByRole('button', { name: 'Rename' }).click()
      await until(async () => (await groups(/^DeploySkew: /)).length === 1)
      await visitor.unroute('**/failures')
    })

    test('a deploy that removes chunks under an open tab is one issue of its release, with its rollout', async () => {
      await visitor.goto(`${shop.url}/failures`)
      await heading('Failures')
      rmSync(join(copy.shopDir, '.next/static/chunks'), { recursive: true })
      await visitor.getByRole('button', { name: 'Open the gallery' }).click()
      // In the long run together with the server action that was gone before.
      await until(async () => ((await groups(/^DeploySkew: /))[0]?.events ?? 0) >= (isLong ? 2 : 1))
      expect(await groups(/^DeploySkew: /)).toHaveLength(1)
      await openIssue(/^DeploySkew: /)
      await section('rollout')
        .getByText(/tabs on shop@1\.0\.0/i)
        .first()
        .waitFor()
      expect(await reader.locator('h1').textContent()).toContain('(shop@1.0.0)')
      await expectNoBarrier()
    })
  })
}
