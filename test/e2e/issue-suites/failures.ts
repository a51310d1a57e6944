/** Panels, pages and layouts that fail, in the browser and on the server. Last, because pages throw here. */
import { expect, test } from 'vitest'
import { longTest } from '../../long.ts'
import { hydrated } from '../hydrated.ts'
import { withoutTable } from '../without-table.ts'
import type { IssueScene } from './issue-scene.ts'

export function testFailures(scene: () => IssueScene): void {
  test('a failed panel shows a reference, and the rest of the page works', async () => {
    const { at, faults, page } = scene()
    expect(faults).toEqual([])
    await page.goto(at('/acme/issues/WEB-1'))
    await hydrated(page)
    await page.evaluate(() => {
      const includes = String.prototype.includes
      String.prototype.includes = function (this: string, ...args) {
        if (args[0] === 'break') throw new Error('the filter broke')
        return includes.apply(this, args)
      }
    })
    await page.getByRole('searchbox', { name: 'Search breadcrumbs' }).fill('break')
    const panel = page.getByRole('alert').filter({ hasText: 'Breadcrumbs could not be displayed' })
    await panel.getByText(/Reference: page_[0-9a-f]+/).waitFor()
    expect(await page.getByRole('heading', { name: 'Stack trace' }).isVisible()).toBe(true)
  })

  longTest('when a page of the organization fails, the navigation stays and Try again loads the page', async () => {
    const { at, hydrant, page } = scene()
    await withoutTable(hydrant, 'team', async () => {
      await page.goto(at('/acme/settings/members'))
      await page.getByRole('heading', { name: 'This page stopped working' }).waitFor()
      await page.getByText(/Reference: \d+/).waitFor()
      expect(await page.getByRole('navigation', { name: 'Main', exact: true }).isVisible()).toBe(true)
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Members', level: 2 }).waitFor()
  })

  longTest('when a layout fails on the server, the page shows a reference', async () => {
    const { at, hydrant, page } = scene()
    await withoutTable(hydrant, 'member', async () => {
      expect((await page.goto(at('/acme/issues/WEB-1')))?.status()).toBe(500)
      await page.getByText(/Reference: \d+/).waitFor()
    })
    await page.reload()
    expect(await page.getByRole('heading', { name: 'This page stopped working' }).count()).toBe(0)
  })
}
