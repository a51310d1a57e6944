/** Small things that are easy to lose in a style sheet. */

import { expect } from 'vitest'
import { longTest } from '../../long.ts'
import { findBarriers } from '../find-barriers.ts'
import { hydrated } from '../hydrated.ts'
import type { IssueScene } from './issue-scene.ts'

export function testLooks(scene: () => IssueScene): void {
  longTest(
    'requests that failed on the server are red breadcrumbs, others are not, and the lines of a message stay lines',
    async () => {
      const { at, page } = scene()
      await page.goto(at('/acme/issues/WEB-1'))
      const crumb = (text: string) => page.locator('.crumbs li', { hasText: text }).last()
      const colorOf = (text: string) =>
        crumb(text)
          .locator('.x')
          .evaluate(it => getComputedStyle(it).color)
      const error = await page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement('i'))
        probe.style.color = 'var(--error)'
        return getComputedStyle(probe).color
      })
      expect(await colorOf('/api/95')).toBe(error)
      expect(await colorOf('log line 99')).not.toBe(error)
      const style = await page
        .locator('.msg-text')
        .first()
        .evaluate(it => getComputedStyle(it).whiteSpace)
      expect(style).toBe('pre-wrap')
    },
  )

  longTest('the fields of the Archive menu have enough contrast in the dark', async () => {
    const { at, page } = scene()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(at('/acme/issues/WEB-1'))
    await hydrated(page)
    await page.locator('summary', { hasText: 'Archive' }).click()
    await page.getByLabel('Unit').waitFor()
    expect(await findBarriers(page, { within: '.menu-own', look: 'colors' })).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  })
}
