/** Environment, time and search travel from the list to the issue, its events and the other pages. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { longTest } from '../../long.ts'
import { hydrated } from '../hydrated.ts'
import type { IssueScene } from './issue-scene.ts'

export function testScope(scene: () => IssueScene): void {
  test('a link of a filtered list leads to an issue that counts and shows only what the filter leaves', async () => {
    const { at, page } = scene()
    const read = async (path: string) => {
      const html = await (await page.request.get(at(path))).text()
      const hrefOf = (address: RegExp) =>
        new RegExp(`href="(${address.source})"`).exec(html)?.[1]?.replaceAll('&amp;', '&')
      return { hrefOf, text: html.replaceAll(/<script.*?<\/script>|<!--.*?-->|<[^>]*>/gs, '') }
    }
    const filter = '?project=web&env=staging&range=7d'
    const issue = (await read(`/acme/issues${filter}`)).hrefOf(/\/acme\/issues\/\d+\?[^"]*/) ?? ''
    expect(new URL(at(issue)).search).toBe(filter)
    const shown = await read(issue)
    expect(shown.text).toMatch(/1 event and 1 user in staging in the last 7 d, of 4 events in all/)
    const events = shown.hrefOf(/\/acme\/issues\/\d+\/events\?[^"]*/) ?? ''
    expect(new URL(at(events)).search).toBe(filter)
    expect((await read(events)).text).toContain('1 event, 1 user')
    expect(shown.hrefOf(/\/acme\/traces\?[^"]*/)).toBe(`/acme/traces${filter}`)
  })

  longTest(
    'an issue that is opened from a filtered list says, counts and shows only what the filter leaves',
    async () => {
      const { at, page } = scene()
      await page.goto(at('/acme/issues?project=web&env=staging&range=7d'))
      await hydrated(page)
      await page.getByRole('link', { name: /Could not place order/ }).click()
      const peek = page.getByRole('complementary', { name: 'Issue WEB-1' })
      await peek.getByText(/1 event and 1 user in staging in the last 7 d, of 4 events in all/).waitFor()
      await peek.getByRole('link', { name: /^Open/ }).click()
      await page.getByRole('heading', { level: 1, name: 'Could not place order' }).waitFor()
      expect(new URL(page.url()).search).toBe('?project=web&env=staging&range=7d')
      await page.getByText(/1 event and 1 user in staging in the last 7 d, of 4 events in all/).waitFor()
      await page.getByRole('img', { name: /^1 events between/ }).waitFor()
      await page.getByRole('link', { name: 'All events' }).click()
      await page.waitForURL('**/events?**')
      await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(2)
      await page.getByText('1 event, 1 user').waitFor()
      await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Traces' }).click()
      await page.waitForURL('**/traces?**')
      expect(new URL(page.url()).search).toBe('?project=web&env=staging&range=7d')
    },
  )

  longTest('the pickers of an issue change its scope, and all of it is one click away', async () => {
    const { at, page } = scene()
    await page.goto(at('/acme/issues/WEB-1'))
    await page.getByText(/^4 events and \d users/).waitFor()
    await hydrated(page)
    await page.locator('.pickers summary', { hasText: 'Environment' }).click()
    await page.getByRole('link', { name: 'staging' }).click()
    await page.getByText(/1 event and 1 user in staging, of 4 events in all/).waitFor()
    await page.locator('.pickers summary', { hasText: 'Environment' }).click()
    await page.getByRole('link', { name: 'All environments' }).click()
    await page.getByText(/^4 events and \d users/).waitFor()
    await page.locator('.pickers summary', { hasText: 'All time' }).click()
    await page.getByLabel('From').fill('2020-01-01T00:00')
    await page.getByLabel('To', { exact: true }).fill('2020-01-02T00:00')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('No matching events').waitFor()
    await page.getByRole('link', { name: 'Show all events' }).click()
    await page.getByText(/^4 events and \d users/).waitFor()
  })

  longTest(
    'a start after the end is explained, nothing is searched, and a long organization name ends in an ellipsis',
    async () => {
      const { at, page } = scene()
      await page.goto(at('/acme/issues'))
      await hydrated(page)
      await page.locator('.pickers summary', { hasText: 'Last 24 h' }).click()
      await page.getByLabel('From').fill('2026-01-02T00:00')
      await page.getByLabel('To', { exact: true }).fill('2026-01-01T00:00')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.getByRole('alert').getByText('The start must be before the end.').waitFor()
      expect(new URL(page.url()).search).toBe('')
      await expectEllipsis(page)
    },
  )

  longTest('a search among the events scopes the page, and words that no event has are explained', async () => {
    const { at, page } = scene()
    await page.goto(at('/acme/issues/WEB-1'))
    await hydrated(page)
    const search = page.getByRole('combobox', { name: 'Search events of this issue' })
    await search.fill('environment:staging OR release:web@4.18.0')
    await search.press('Enter')
    await page.getByText(/2 events and 2 users matching .*, of 4 events in all/).waitFor()
    await search.fill('timeout')
    await search.press('Enter')
    await page.getByText('Search events by a field, like browser.name:Chrome or plan:pro.').waitFor()
    await page.getByText(/^4 events and \d users/).waitFor()
  })

  longTest('the events of an issue are a table that can be sorted and filtered by a tag', async () => {
    const { at, page } = scene()
    await page.goto(at('/acme/issues/WEB-1/events'))
    const releases = () => page.getByRole('table').getByRole('row').locator('td:nth-child(3)').allTextContents()
    expect(await releases()).toHaveLength(4)
    await page.getByRole('link', { name: 'Release', exact: true }).click()
    await page.waitForURL('**sort=release**')
    await expect.poll(releases).toEqual((await releases()).toSorted())
    await page.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'Could not place order' }).waitFor()
    await page.locator('#tags summary', { hasText: 'environment' }).click()
    await page.locator('#tags').getByRole('link', { name: 'staging', exact: true }).click()
    await page.waitForURL('**query=environment**')
    await expect.poll(releases).toHaveLength(1)
    await page.getByRole('link', { name: 'Clear search' }).click()
    await expect.poll(releases).toHaveLength(4)
  })
}

async function expectEllipsis(page: Page): Promise<void> {
  const name = page.getByRole('link', { name: /^Hydrant / }).locator('.org')
  await name.evaluate(it => (it.textContent = 'The International Organization of Very Long Names'))
  const { isCut, overflow, display } = await name.evaluate(it => ({
    isCut: it.scrollWidth > it.clientWidth,
    overflow: getComputedStyle(it).textOverflow,
    display: getComputedStyle(it).display,
  }))
  expect({ isCut, overflow, display }).toEqual({ isCut: true, overflow: 'ellipsis', display: 'block' })
}
