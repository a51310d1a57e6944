/** Keys of the issue page and of every page, menus, the palette, and what a phone has instead. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong, longTest } from '../long.ts'
import { until } from '../start-hydrant.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import { focusedRow, focusedText, listOf, openTriageScene, rowIds, type TriageScene, typeOf } from './triage-scene.ts'

let scene: TriageScene
/** The last page of the list has a part of fifty. */
const issues = isLong ? 120 : 15

beforeAll(async () => {
  scene = await openTriageScene()
  for (let index = 0; index < issues; index++)
    await scene.send(typeOf(index), {
      tags: { plan: index < 4 ? 'gold' : 'free' },
      user: { email: 'mira@example.com' },
    })
  await scene.send(typeOf(3), { tags: { plan: 'gold' } })
  await scene.hydrant.drained()
})
afterAll(() => scene?.stop())

const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => scene.page.keyboard.press(key)), Promise.resolve())
const onIssue = async (id: string | undefined) => {
  await scene.page.waitForURL(new RegExp(`/acme/issues/${id}(?:\\?|$)`))
  await hydrated(scene.page)
}
const palette = (page: Page) => page.getByRole('combobox', { name: 'Page, project, issue or action' })

longTest(
  'on the issue page, J and K go through the list, and Back returns to the issue that was looked at last',
  async () => {
    const { page } = scene
    await scene.open(listOf('is:unresolved plan:gold'))
    const ids = await rowIds(page)
    await press('j', 'Enter')
    await onIssue(ids[0])
    await press('j')
    await onIssue(ids[1])
    // As a page, and not as a peek of the list.
    expect(await page.getByRole('complementary', { name: /^Issue/ }).count()).toBe(0)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    await press('j')
    await onIssue(ids[2])
    await press('k')
    await onIssue(ids[1])
    await page.goBack()
    await until(async () => (await focusedRow(page)) === ids[1])
  },
)

test('on the issue page, keys resolve once, undo, assign, archive, comment and merge', async () => {
  const { page } = scene
  await scene.open('/acme/issues/WEB-1')
  await press('e', 'e')
  await page.getByText('Issue resolved.').waitFor()
  await page.getByRole('button', { name: /^Reopen/ }).waitFor()
  await press('z')
  await page.getByText('Undone: 1 issue resolved.').waitFor()
  await page.getByRole('button', { name: /^Resolve/ }).waitFor()
  await press('a')
  expect(await focusedText(page)).toBe('To me')
  await press('Enter')
  await page.getByText('Assignee changed.').waitFor()
  await press('h')
  expect(await focusedText(page)).toBe('Until it escalates')
  await press('Escape')
  expect(await focusedText(page)).toContain('Archive')
  await press('c')
  expect(await page.getByRole('textbox', { name: 'Comment' }).evaluate(it => it === document.activeElement)).toBe(true)
  await page.keyboard.type('each key is text here')
  expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('each key is text here')
  await page.getByRole('textbox', { name: 'Comment' }).blur()
  await press('m')
  expect(await page.getByLabel('Short ID of the other issue').evaluate(it => it === document.activeElement)).toBe(true)
  await press('Escape')
})

longTest('arrow keys, Home, End and letters move through a menu', async () => {
  const { page } = scene
  await scene.show('/acme/issues/WEB-1')
  await page.locator('summary', { hasText: 'Archive' }).focus()
  await press('ArrowDown')
  expect(await focusedText(page)).toBe('Until it escalates')
  await press('ArrowDown')
  expect(await focusedText(page)).toBe('Forever')
  await press('ArrowUp', 'ArrowUp')
  expect(await focusedText(page)).toBe('Archive until then')
  await press('Home', 'f')
  expect(await focusedText(page)).toBe('Forever')
  await press('End')
  expect(await focusedText(page)).toBe('Archive until then')
  await press('Escape')
  expect(await page.locator('.menu[open]').count()).toBe(0)
  expect(await focusedText(page)).toContain('Archive')
})

longTest('the question mark lists the keys of the page', async () => {
  const { page } = scene
  await scene.show('/acme/issues/WEB-1')
  await press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.waitFor()
  const terms = (await help.getByRole('term').allTextContents()).map(keys => keys.replaceAll(/\s+/g, ' ').trim())
  for (const keys of [
    'JK',
    '[]',
    'E',
    'A',
    'H',
    'P',
    'M',
    'C',
    'Z',
    'Ctrl K',
    '?',
    'G IG FG TG LG VG OG RG EG AG PG S',
  ])
    expect(terms).toContain(keys)
  await press('Escape')
})

longTest('in the list, M without a selection says what to do', async () => {
  const { page } = scene
  await scene.open(listOf('plan:gold'))
  await press('m')
  await page.getByRole('status').filter({ hasText: 'Select two or more issues to merge them.' }).waitFor()
  await press('j', 'x', 'j', 'x', 'm')
  await page.getByText('Merge 2 issues into one?').waitFor()
  await press('Escape', 'Escape')
  await until(async () => (await page.getByRole('checkbox', { checked: true }).count()) === 0)
})

longTest('in the peek, C opens the issue at its comment field', async () => {
  const { page } = scene
  await scene.show(listOf('plan:gold'))
  const [first] = await rowIds(page)
  await page.getByRole('list', { name: 'Issues' }).getByRole('link').first().focus()
  await press(' ')
  await page.getByRole('complementary', { name: /^Issue / }).waitFor()
  await press('c')
  await page.waitForURL(new RegExp(`/acme/issues/${first}\\?.*#comment$`))
  await hydrated(page)
  const field = page.getByRole('textbox', { name: 'Comment' })
  await until(() => field.evaluate(it => it === document.activeElement))
  await page.keyboard.type('c')
  expect(await field.inputValue()).toBe('c')
})

longTest('brackets go to older and newer events', async () => {
  const { page } = scene
  await scene.open(listOf(typeOf(3)))
  const [twice = ''] = await rowIds(page)
  await scene.open(`/acme/issues/${twice}/events/latest`)
  await page.getByRole('link', { name: 'Older event' }).waitFor()
  await press('[')
  await page.waitForURL(/events\/[0-9a-f]{32}/)
  await page.getByRole('link', { name: 'Newer event' }).waitFor()
  const older = page.url()
  await press(']')
  await page.waitForURL(url => url.href !== older)
})

test('G and a letter go to a page from everywhere', async () => {
  const { page } = scene
  await scene.open('/acme/settings')
  await press('g', 'l')
  await page.waitForURL('**/acme/logs')
  await press('g', 'i')
  await page.waitForURL('**/acme/issues')
  await page.getByRole('list', { name: 'Issues' }).waitFor()
  // The first key alone does nothing, and a key that completes nothing keeps its meaning.
  await press('g', 'j')
  expect(await focusedRow(page)).toBe((await rowIds(page))[0])
})

longTest('the palette finds issues by title, releases and users, and lists what was opened', async () => {
  const { page } = scene
  await scene.open('/acme/issues')
  const found = await page.locator('output').textContent()
  // Keys that are pressed before the palette is loaded are words of it, and no changes of the row that has focus.
  const chunks = '**/_next/static/**'
  let release = () => {}
  const held = new Promise<void>(resolve => (release = resolve))
  await page.route(chunks, route => held.then(() => route.fallback()))
  await press('j', 'Control+k', 'e', 'x', 'Backspace', 'h', 'Enter')
  release()
  await page.unroute(chunks)
  await until(async () => (await palette(page).inputValue()) === 'eh')
  await press('Escape')
  await scene.open('/acme/issues')
  expect(await page.locator('output').textContent()).toBe(found)
  await press('Control+k')
  await palette(page).fill('wrong in LAFail')
  await page.getByRole('option', { name: /LAFailure: went wrong in LAFailure/ }).waitFor()
  await press('ArrowDown')
  expect(await page.getByRole('option', { selected: true }).textContent()).toContain('LAFailure')
  await press('Enter')
  await page.waitForURL(/issues\/\d+$/)
  await page.getByRole('heading', { level: 1, name: /LAFailure/ }).waitFor()
  await hydrated(page)
  await press('Control+k')
  await page.getByRole('option', { name: /Recent.*LAFailure/ }).waitFor()
  await palette(page).fill('1.0.0')
  await page.getByRole('option', { name: /Release.*web@1\.0\.0/ }).waitFor()
  await palette(page).fill('mira')
  await page.getByRole('option', { name: /User.*mira@example\.com/ }).click()
  await page.waitForURL(/user\.email%3Amira/)
  await page.getByText('1–50 of 120').waitFor()
  await press('Control+k')
  await palette(page).fill('time 7')
  await page.getByRole('option', { name: /Time: Last 7 d/ }).click()
  await page.waitForURL(/range=7d/)
  await press('Control+k')
  await palette(page).fill('theme dark')
  await press('Enter')
  await page.locator('html[data-theme=dark]').waitFor()
  await expectNoBarriersWhenLong(page, { within: '.rail' })
})

test('the palette has one search under way, says when nothing is found, and when it failed', async () => {
  const { page } = scene
  await scene.open('/acme/projects')
  const asked: string[] = []
  let release = () => {}
  const held = new Promise<void>(resolve => (release = resolve))
  await page.route('**/api/palette**', async route => {
    asked.push(new URL(route.request().url()).searchParams.get('q') ?? '')
    if (asked.length === 1) await held
    await route.fallback().catch(() => {})
  })
  const cancelled = page.waitForEvent('requestfailed', request => request.url().includes('/api/palette'))
  await press('Control+k')
  await palette(page).fill('MAFail')
  await until(() => asked.length === 1)
  await palette(page).fill('NAFail')
  await cancelled
  await page
    .getByRole('option', { name: /NAFailure/ })
    .first()
    .waitFor()
  release()
  expect(asked).toEqual(['MAFail', 'NAFail'])
  expect(await page.getByRole('option', { name: /MAFailure/ }).count()).toBe(0)
  await palette(page).fill('nothing is called this')
  await page.getByText('No issue, route, release or user found.').waitFor()
  await expectNoBarriersWhenLong(page, { within: '.pal' })
  await page.unroute('**/api/palette**')
  await page.route('**/api/palette**', route => route.abort())
  await palette(page).fill('nothing is called that')
  await page.getByText('Couldn’t search issues, routes, releases and users.').waitFor()
  await page.unroute('**/api/palette**')
  await press('Escape')
})

/** The rows of a page of 50: those below the screen are drawn a moment after the first. */
async function fullPage(page: Page): Promise<string[]> {
  await until(async () => (await rowIds(page)).length === 50)
  return rowIds(page)
}

longTest('later pages say where they are, and lead back', async () => {
  const { page } = scene
  await scene.open('/acme/issues')
  expect(await page.locator('output').textContent()).toBe('120 found')
  const first = await fullPage(page)
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByText('51–100 of 120').waitFor()
  const second = await fullPage(page)
  expect(await page.locator('output').textContent()).toBe('120 found')
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByText('101–120 of 120').waitFor()
  await page.getByRole('link', { name: 'Previous page' }).click()
  await page.getByText('51–100 of 120').waitFor()
  expect(await fullPage(page)).toEqual(second)
  await page.getByRole('link', { name: 'Previous page' }).click()
  await page.getByText('1–50 of 120').waitFor()
  expect(await fullPage(page)).toEqual(first)
})

longTest('on a phone, menus stay on the screen, the palette opens with a button, and no keys are printed', async () => {
  const { page, browser, hydrant } = scene
  const phone = await browser.newContext({
    viewport: { width: 390, height: 780 },
    hasTouch: true,
    isMobile: true,
    storageState: await page.context().storageState(),
  })
  const small = await phone.newPage()
  await small.goto(`${hydrant.url}${listOf('plan:gold release:web@1.0.0')}`)
  await hydrated(small)
  // There is room for the pickers that filter.
  const picker = (name: string) => small.locator('.pickers summary', { hasText: name })
  expect(await picker('web@1.0.0').isVisible()).toBe(true)
  expect(await picker('Environment').isVisible()).toBe(false)
  await small
    .getByRole('checkbox', { name: /^Select WEB-/ })
    .first()
    .tap()
  for (const menu of ['Assign', 'Archive', 'More']) {
    const button = small.locator('.ihead summary', { hasText: new RegExp(`^${menu}`) })
    await button.tap()
    const items = small.locator('.ihead details[open] button')
    for (const item of [items.first(), items.last()]) {
      const box = await item.boundingBox()
      expect(box?.x, menu).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0), menu).toBeLessThanOrEqual(390)
      expect((box?.y ?? 0) + (box?.height ?? 0), menu).toBeLessThanOrEqual(780)
    }
    await button.tap()
  }
  expect(await small.locator('kbd').filter({ visible: true }).count()).toBe(0)
  await small.getByRole('button', { name: 'Search', exact: true }).tap()
  await palette(small).fill('settings')
  await small
    .getByRole('option', { name: /Settings/ })
    .first()
    .tap()
  await small.waitForURL('**/acme/settings')
  await phone.close()
})

test('no page threw', () => {
  expect(scene.faults).toEqual([])
})
