/** Comments and tickets: written, changed and taken back, with and without JavaScript. */

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { longTest } from '../../long.ts'
import { expectNoBarriersWhenLong } from '../find-barriers.ts'
import { hydrated } from '../hydrated.ts'
import type { IssueScene } from './issue-scene.ts'

const activity = (page: Page) => page.locator('#activity')
const entry = (page: Page, text: string) => activity(page).getByRole('listitem').filter({ hasText: text })

export function testComments(scene: () => IssueScene): void {
  longTest('a comment has Markdown and a suggested mention, and Ctrl+Enter sends it', async () => {
    const { at, page } = scene()
    await page.goto(at('/acme/issues/WEB-1'))
    await hydrated(page)
    const field = page.getByRole('textbox', { name: 'Comment', exact: true })
    await field.pressSequentially('**Found** it, @ad')
    const option = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first()
    await option.waitFor()
    await expectNoBarriersWhenLong(page, { within: '#activity' })
    await page.keyboard.press('Enter')
    await option.waitFor({ state: 'detached' })
    expect(await field.inputValue()).toMatch(/^\*\*Found\*\* it, @ada\S* $/)
    await field.pressSequentially('see [the fix](https://git.example/pull/7)\n- `one`\n- <img src=x onerror=alert(1)>')
    await page.keyboard.press('Control+Enter')
    const said = entry(page, 'Found it')
    await said.waitFor()
    expect(await said.locator('strong').textContent()).toBe('Found')
    expect(await said.getByText(/^@ada/).evaluate(it => it.tagName)).toBe('SPAN')
    const link = said.getByRole('link', { name: 'the fix' })
    expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
      'https://git.example/pull/7',
      'nofollow noopener noreferrer',
    ])
    expect(await said.getByRole('listitem').allTextContents()).toEqual(['one', '<img src=x onerror=alert(1)>'])
    expect(await field.inputValue()).toBe('')
  })

  longTest('a comment is edited by its author, deleted, and restored', async () => {
    const { at, page } = scene()
    await page.goto(at('/acme/issues/WEB-1'))
    await hydrated(page)
    await page.getByRole('textbox', { name: 'Comment', exact: true }).fill('first thought')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    const first = entry(page, 'first thought')
    await first.getByText('Edit', { exact: true }).click()
    await first.getByRole('textbox', { name: 'Edit comment' }).fill('second thought')
    await page.keyboard.press('Control+Enter')
    const second = entry(page, 'second thought')
    await second.getByText('(edited)').waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Edit comment' }).isVisible()).toBe(false)
    await second.getByRole('button', { name: 'Delete comment' }).click()
    await page.getByText('Comment deleted.').waitFor()
    await second.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Comment restored.').waitFor()
    await second.waitFor()
  })

  longTest('a ticket is linked, shown and unlinked, and an address that is none is refused', async () => {
    const { at, page } = scene()
    await page.goto(at('/acme/issues/WEB-1'))
    await hydrated(page)
    const tickets = page.locator('#tickets')
    await tickets.getByText('Link a ticket').click()
    await tickets.getByLabel('Ticket URL').fill('javascript:alert(1)')
    await tickets.getByRole('button', { name: 'Link', exact: true }).click()
    await tickets.getByRole('alert').filter({ hasText: 'Enter a URL that starts with' }).waitFor()
    await tickets.getByLabel('Ticket URL').fill('https://tracker.example/SHOP-12')
    await tickets.getByLabel('Ticket title').fill('Orders fail')
    await tickets.getByRole('button', { name: 'Link', exact: true }).click()
    const link = tickets.getByRole('link', { name: 'Orders fail' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe('https://tracker.example/SHOP-12')
    await activity(page).getByText('linked the ticket Orders fail').waitFor()
    await expectNoBarriersWhenLong(page, { within: '#tickets' })
    await tickets.getByRole('button', { name: 'Unlink Orders fail' }).click()
    await page.getByText('Ticket unlinked.').waitFor()
    await link.waitFor({ state: 'detached' })
  })

  longTest('comments and tickets work without JavaScript', async () => {
    const { at, page } = scene()
    const browser = page.context().browser()
    const plain = await browser?.newContext({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    })
    if (!plain) throw new Error('no browser')
    const still = await plain.newPage()
    await still.goto(at('/acme/issues/WEB-1'))
    await still.getByRole('textbox', { name: 'Comment', exact: true }).fill('by hand')
    await still.getByRole('button', { name: 'Comment', exact: true }).click()
    const said = entry(still, 'by hand')
    await said.getByText('Edit', { exact: true }).click()
    await said.getByRole('textbox', { name: 'Edit comment' }).fill('by hand, again')
    await said.getByRole('button', { name: 'Save' }).click()
    const again = entry(still, 'by hand, again')
    await again.getByRole('button', { name: 'Delete comment' }).click()
    await still.getByText('Comment deleted.').waitFor()
    await still.getByRole('button', { name: 'Undo' }).click()
    await again.waitFor()
    await still.getByText('Link a ticket').click()
    await still.getByLabel('Ticket URL').fill('https://tracker.example/SHOP-13')
    await still.getByRole('button', { name: 'Link', exact: true }).click()
    await still.getByRole('button', { name: 'Unlink tracker.example/SHOP-13' }).click()
    await still.getByText('Ticket unlinked.').waitFor()
    await plain.close()
  })
}
