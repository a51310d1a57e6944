/** Many issues by keyboard, in the list and in the peek: after every step, the right element has focus. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong, longTest } from '../long.ts'
import { until } from '../start-hydrant.ts'
import { deliverBehind, deliverySteps } from './deliver-behind.ts'
import { hydrated } from './hydrated.ts'
import {
  countFound,
  focusedRow,
  focusedText,
  listOf,
  openTriageScene,
  rowIds,
  settled,
  type TriageScene,
  typeOf,
} from './triage-scene.ts'

let scene: TriageScene
const notFree = 10
/** How many issues are worked through by keyboard: each change once, or six rounds of eight. */
const worked = isLong ? 46 : 5
/** For the merge, and for the tests after it. */
const left = 12
const free = worked + left
/** The last ones are on the second page of the list. */
const issues = isLong ? 70 : notFree + free
/** One of the changes of a round archives, and one assigns; two more are resolved after the merge. */
const rounds = Math.ceil(worked / 8)
const resolved = worked - rounds + 2

beforeAll(async () => {
  scene = await openTriageScene()
  const plans = (index: number) =>
    index < 3 ? 'gold' : index < notFree ? 'pro' : index < notFree + free ? 'free' : 'trial'
  for (let index = 0; index < issues; index++) await scene.send(typeOf(index), { tags: { plan: plans(index) } })
  await scene.send(typeOf(0), { tags: { plan: 'gold' } })
  await scene.hydrant.drained()
})
afterAll(() => scene?.stop())

const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => scene.page.keyboard.press(key)), Promise.resolve())

/** Presses keys on the focused row and expects focus on the one after it. Gives the row that was changed. */
async function changeAndGoOn(...keys: string[]): Promise<string> {
  const { page } = scene
  const [ids, here] = [await rowIds(page), await focusedRow(page)]
  const next = ids[ids.indexOf(here) + 1]
  await press(...keys)
  expect(await focusedRow(page)).toBe(next)
  return here
}

longTest('a navigation shows all rows of the page', async () => {
  const { page } = scene
  await scene.open(listOf('is:unresolved plan:gold'))
  expect(await rowIds(page)).toHaveLength(3)
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Unresolved' }).click()
  await page.getByText('1–50 of 70').waitFor()
  await until(async () => (await rowIds(page)).length === 50)
})

test(`${worked + 2} issues are resolved, archived, assigned, merged and undone by keyboard, each time going on to the next`, async () => {
  const { page } = scene
  await scene.open(listOf('is:unresolved plan:free'))
  await until(async () => (await rowIds(page)).length === Math.min(free, 50))
  await press('j')
  expect(await focusedRow(page)).toBe((await rowIds(page))[0])
  const steps = {
    resolve: () => changeAndGoOn('e'),
    async archive() {
      await press('h')
      expect(await focusedText(page)).toBe('Until it escalates')
      return changeAfterMenu('ArrowDown', 'Enter')
    },
    async assign() {
      await press('a')
      expect(await focusedText(page)).toBe('To me')
      const here = await changeAfterMenu('Enter')
      await press('k')
      expect(await focusedRow(page)).toBe(here)
      return changeAndGoOn('e')
    },
    async undo() {
      const here = await changeAndGoOn('e')
      await settled(page, [here])
      await press('z')
      await until(async () => (await focusedRow(page)) === here)
      return changeAndGoOn('e')
    },
  }
  /** The row that was focused when the menu opened is checked. */
  async function changeAfterMenu(...keys: string[]): Promise<string> {
    const ids = await rowIds(page)
    const here = (await page.locator('li:has(:checked)').getAttribute('data-issue')) ?? ''
    await press(...keys)
    expect(await focusedRow(page)).toBe(ids[ids.indexOf(here) + 1])
    return here
  }
  const round = ['resolve', 'archive', 'assign', 'undo', 'resolve', 'resolve', 'resolve', 'resolve'] as const
  const gone: string[] = []
  for (let index = 0; index < worked; index++) gone.push(await steps[round[index % round.length] ?? 'resolve']())
  await settled(page, gone)
  // Two at once: the row after the last of them is next, and one of them stays.
  const [first = '', second = '', after = ''] = (await rowIds(page)).slice(0, 3)
  expect(await focusedRow(page)).toBe(first)
  await press('x', 'j', 'x', 'm')
  await page.getByRole('dialog', { name: 'Merge 2 issues into one?' }).waitFor()
  await press('Tab')
  expect(await focusedText(page)).toBe('Merge')
  await press('Enter')
  expect(await focusedRow(page)).toBe(after)
  await page.getByText('2 issues merged.').waitFor()
  await until(async () => (await rowIds(page)).length === left - 1)
  await press('z')
  await until(async () => [first, second].includes(await focusedRow(page)))
  expect(await rowIds(page)).toContain(second)
  const rest: string[] = []
  while (rest.length < 2) rest.push(await changeAndGoOn('e'))
  await settled(page, rest)
  expect(await countFound(scene, 'is:unresolved plan:free')).toBe(10)
  expect(await countFound(scene, 'is:archived plan:free')).toBe(rounds)
  expect(await countFound(scene, 'is:resolved plan:free')).toBe(resolved)
  expect(await countFound(scene, 'assigned:me plan:free')).toBe(rounds)
})

test('in the peek, a change goes on to the next issue, and Undo comes back', async () => {
  const { page } = scene
  await scene.open(listOf('is:unresolved plan:pro'))
  const ids = await rowIds(page)
  expect(ids).toHaveLength(7)
  const peeked = async () =>
    (await page.locator('.peek a', { hasText: 'Open' }).getAttribute('href'))?.split('?')[0]?.split('/').at(-1)
  const shows = (id: string | undefined) => until(async () => (await peeked()) === id)
  // Keys may be faster than the peek.
  await press('j', ' ', 'e')
  expect(await focusedRow(page)).toBe(ids[1])
  await shows(ids[1])
  await settled(page, [ids[0] ?? ''])
  // With focus in the peek, keys are about its issue.
  await page.getByRole('button', { name: 'Next issue' }).focus()
  await press('h')
  expect(await focusedText(page)).toBe('Until it escalates')
  await press('Enter')
  expect(await focusedRow(page)).toBe(ids[2])
  await shows(ids[2])
  await settled(page, ids.slice(0, 2))
  await press('z')
  await until(async () => (await focusedRow(page)) === ids[1])
  await shows(ids[1])
  if (!isLong) return
  await page.getByRole('button', { name: 'Next issue' }).focus()
  await press('a', 'Enter')
  expect(await focusedRow(page)).toBe(ids[2])
  await shows(ids[2])
  await press('p', 'End', 'Escape')
  expect(await focusedRow(page)).toBe(ids[2])
  await press('p', 'ArrowDown', 'ArrowDown', 'Enter')
  expect(await focusedRow(page)).toBe(ids[3])
  await page.getByText('Priority set to low on 1 issue.').waitFor()
  // J, then Enter, then Back: the cursor is on the issue that was looked at last.
  await shows(ids[3])
  await press('j')
  await shows(ids[4])
  await press('Enter')
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
  await hydrated(page)
  await page.goBack()
  await until(async () => (await focusedRow(page)) === ids[4])
})

longTest('a row that is pressed beside a peek takes its place, so that Close and Back lead to the list', async () => {
  const { page } = scene
  await scene.open(listOf('is:unresolved plan:free'))
  const list = page.url()
  const row = (at: number) => page.getByRole('list', { name: 'Issues' }).getByRole('link').nth(at)
  const ids = await rowIds(page)
  for (const leave of [() => page.getByRole('button', { name: 'Close' }).click(), () => page.goBack()]) {
    for (const at of [0, 1]) {
      await row(at).click()
      await page.waitForURL(new RegExp(`/issues/${ids[at]}\\?`))
    }
    await leave()
    await page.waitForURL(list)
    await until(async () => (await focusedRow(page)) === ids[1])
    expect(await page.locator('.peek').count()).toBe(0)
  }
})

longTest('the last row goes to the previous one, an empty list keeps focus, and Undo returns to the row', async () => {
  const { page } = scene
  await scene.open(listOf('is:unresolved plan:gold'))
  const [first = '', second = '', third = ''] = await rowIds(page)
  await press('j', 'j', 'j')
  expect(await focusedRow(page)).toBe(third)
  await press('e')
  expect(await focusedRow(page)).toBe(second)
  await settled(page, [third])
  await press('k', 'e')
  expect(await focusedRow(page)).toBe(second)
  await settled(page, [first])
  await press('e')
  await until(async () => (await focusedRow(page)) === 'SECTION No issues')
  await page.getByText('1 issue resolved.').waitFor()
  await press('z')
  await until(async () => (await focusedRow(page)) === second)
  await scene.open(listOf('is:resolved plan:gold'))
  await press('j', 'x', 'j', 'x', 'e')
  await page.getByText('2 issues reopened.').waitFor()
})

longTest('a slow server changes nothing: two quick presses are about two issues', async () => {
  const { page } = scene
  await scene.open(listOf('is:unresolved plan:free'))
  const [first = '', second = '', third = ''] = await rowIds(page)
  let release = () => {}
  const held = new Promise<void>(resolve => (release = resolve))
  await page.route('**/acme/issues**', async route => {
    if (route.request().method() === 'POST') await held
    await route.fallback()
  })
  await press('j', 'e', 'e')
  expect(await focusedRow(page)).toBe(third)
  expect(
    await page.locator('li[aria-busy=true]').evaluateAll(rows => rows.map(row => row.getAttribute('data-issue'))),
  ).toEqual([first, second])
  release()
  await settled(page, [first, second])
  expect(await focusedRow(page)).toBe(third)
  await page.unroute('**/acme/issues**')
  expect(await countFound(scene, 'is:resolved plan:free')).toBe(resolved + 2)
})

longTest('a held key resolves one issue, and a failed change gives the selection back', async () => {
  const { page } = scene
  await scene.open(listOf('is:unresolved plan:free'))
  const ids = await rowIds(page)
  await press('j')
  for (let times = 0; times < 3; times++) await page.keyboard.down('e')
  await page.keyboard.up('e')
  await settled(page, ids.slice(0, 1))
  expect(await rowIds(page)).toEqual(ids.slice(1))
  await press('x', 'm')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Merge' }).click()
  await press('Tab', 'Enter')
  await page.getByText('Select at least two issues to merge.').waitFor()
  await page.getByText('1 selected').waitFor()
  await press('Escape')
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
})

longTest('a row that leaves with a newer list hands its focus to the next one; news does not push rows', async () => {
  const { page, browser, hydrant } = scene
  await scene.open('/acme/issues?sort=lastSeen')
  await press('j', 'j')
  const [, second = '', third = ''] = await rowIds(page)
  expect(await focusedRow(page)).toBe(second)
  const top = () =>
    page
      .locator('li')
      .filter({ has: page.locator(':focus') })
      .evaluate(row => row.getBoundingClientRect().top)
  const before = await top()
  const other = await browser.newContext({ storageState: await page.context().storageState() })
  const elsewhere = await other.newPage()
  await elsewhere.goto(`${hydrant.url}/acme/issues/${second}`)
  await hydrated(elsewhere)
  await elsewhere.keyboard.press('e')
  await elsewhere.getByText('Issue resolved.').waitFor()
  await other.close()
  await scene.send('BrandNewFailure')
  await page.getByRole('button', { name: /Show 1 new issue/ }).waitFor()
  expect(await top()).toBe(before)
  expect(await focusedRow(page)).toBe(second)
  await press('r')
  expect(await focusedRow(page)).toBe(third)
  expect(await rowIds(page)).not.toContain(second)
})

longTest('a deletion on the issue page leaves the address, and Undo brings the row back at once', async () => {
  const { page } = scene
  await scene.open(listOf('is:unresolved plan:pro'))
  const [id = ''] = await rowIds(page)
  await press('j', 'Enter')
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
  await hydrated(page)
  await press('Control+k')
  await page.getByRole('combobox', { name: 'Page, project, issue or action' }).fill('delete')
  await page.getByRole('option', { name: /Delete$/ }).click()
  await page.getByRole('dialog', { name: 'Delete this issue?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Issue deleted.').waitFor()
  await until(() => page.url() === `${scene.hydrant.url}/acme/issues`)
  expect(await rowIds(page)).not.toContain(id)
  await press('z')
  await page.getByText('Undone: ').waitFor()
  await until(async () => (await focusedRow(page)) === id)
  expect(page.url()).toBe(`${scene.hydrant.url}/acme/issues`)
})

longTest('Undo steps back through the changes of the visit, and says what it undoes', async () => {
  const { page } = scene
  await scene.open(listOf('is:unresolved'))
  const [first = '', second = '', third = ''] = await rowIds(page)
  await press('j', 'e', 'e', 'e')
  await settled(page, [first, second, third])
  for (const id of [third, second, first]) {
    await press('z')
    await page.getByText('Undone: 1 issue resolved.').waitFor()
    await until(async () => (await focusedRow(page)) === id)
  }
  expect((await rowIds(page)).slice(0, 3)).toEqual([first, second, third])
  // Nothing is left to undo.
  expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
})

test('no page threw', () => {
  expect(scene.faults).toEqual([])
})

longTest('a peek is drawn whole, in whatever moment its parts arrive', async () => {
  const page = await scene.page.context().newPage()
  await deliverBehind(page, '"what":"Finding"')
  await page.goto(scene.hydrant.url + listOf('is:unresolved'))
  await hydrated(page)
  const peek = page.getByRole('complementary', { name: /^Issue / })
  for (let row = 0; row < (isLong ? deliverySteps : 1); row++) {
    await page.locator('[data-issue] a.ititle').nth(row).click()
    await peek.getByRole('heading', { name: 'Where it broke' }).or(peek.getByText('could not be displayed')).waitFor()
    expect(await peek.getByText('could not be displayed').count()).toBe(0)
    await page.keyboard.press('Escape')
    await peek.waitFor({ state: 'detached' })
  }
  await page.close()
})
