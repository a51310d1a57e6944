/** Times are in the zone of the reader, also in the HTML of the server. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { longTest } from '../../long.ts'
import type { Hydrant } from '../../start-hydrant.ts'
import { signInByForm } from '../ada.ts'

type ZoneScene = {
  hydrant: Hydrant
  browser: Browser
  /** Of a signed-in member. */
  context: BrowserContext
  viewport: { width: number; height: number }
  open(path: string, on: Page): Promise<void>
  watch(on: Page): void
}

export function testZones(scene: () => ZoneScene): void {
  describe('zones', () => {
    longTest(
      'times are in the zone of the browser, from the first page after sign-in on, with UTC on hover',
      async () => {
        const { browser, hydrant, open, viewport, watch } = scene()
        const trip = await browser.newContext({ viewport, timezoneId: 'Asia/Kathmandu', reducedMotion: 'reduce' })
        const there = await trip.newPage()
        watch(there)
        await signInByForm(there, hydrant.url)
        await open('/acme/issues/SHOP-1', there)
        const html = await (await there.request.get(there.url())).text()
        expect(html).toContain('UTC+5:45')
        const age = there.getByRole('main').locator('time', { hasText: 'ago' }).first()
        expect(await age.getAttribute('title')).toMatch(/^[-\d]+ [\d:]+ UTC\+5:45, [-\d]+ [\d:]+ UTC$/)
        const chart = there.getByRole('slider', { name: 'Events over time' })
        await chart.focus()
        await there.keyboard.press('End')
        expect(await chart.getAttribute('aria-valuetext')).toMatch(/UTC(\+5:45)?, \d/)
        await open('/acme/issues?start=1767225600000&end=1767229200000', there)
        await there.locator('summary', { hasText: '2026-01-01 05:45 – 06:45 UTC+5:45' }).click()
        expect(await there.getByLabel('From').inputValue()).toBe('2026-01-01T05:45')
        await there.getByLabel('From').fill('2026-01-01T05:15')
        await there.getByRole('button', { name: 'Apply' }).click()
        await there.waitForURL(/start=1767223800000&end=1767229200000/)
        await open('/acme/settings', there)
        await there.getByRole('form', { name: 'Times' }).getByRole('button', { name: 'UTC' }).click()
        await there.getByRole('form', { name: 'Times' }).locator('[aria-current=true]', { hasText: 'UTC' }).waitFor()
        await open('/acme/issues/SHOP-1', there)
        expect(await age.getAttribute('title')).toMatch(/^[-\d]+ [\d:]+ UTC$/)
        await trip.close()
      },
    )

    test('a browser that has not named its zone gets UTC, and its own zone without a reload', async () => {
      const { browser, context, hydrant, open, viewport, watch } = scene()
      const cookies = (await context.cookies()).filter(({ name }) => name !== 'hydrant-zone')
      const fresh = await browser.newContext({ viewport, timezoneId: 'America/St_Johns', reducedMotion: 'reduce' })
      await fresh.addCookies(cookies)
      const there = await fresh.newPage()
      watch(there)
      const first = await (await there.request.get(`${hydrant.url}/acme/issues/SHOP-1`)).text()
      expect(first).toMatch(/title="[-\d]+ [\d:]+ UTC"/)
      await open('/acme/issues/SHOP-1', there)
      await there.locator('time[title*="UTC−"]').first().waitFor()
      for (const [zone, title] of [
        ['Asia/Kathmandu', /title="[-\d]+ [\d:]+ UTC\+5:45, [-\d]+ [\d:]+ UTC"/],
        ['Mars/<script>', /title="[-\d]+ [\d:]+ UTC"/],
      ] as const) {
        await fresh.addCookies([{ name: 'hydrant-zone', value: zone, url: hydrant.url }])
        expect(await (await there.request.get(`${hydrant.url}/acme/issues/SHOP-1`)).text()).toMatch(title)
      }
      await fresh.close()
    })
  })
}
