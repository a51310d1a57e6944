/** The issue list in a real browser: search, keys, bulk changes with undo, live counts, Back, and no JavaScript. */

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { childIsBack, livesOf } from '../faults/children.ts'
import { isLong, longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, type Provisioned, until } from '../start-hydrant.ts'
import { openAcme } from './ada.ts'
import { hydrated } from './hydrated.ts'

let hydrant: Hydrant
let browser: Browser
let context: BrowserContext
let page: Page
let made: Provisioned
const faults: string[] = []

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const typeOf = (index: number) => `${letters[index % 26]}${letters[Math.floor(index / 26)]}Failure`
const issues = 60

/** One event: each type is an issue of its own. */
function send(type: string, more: Record<string, unknown> = {}) {
  const { username, pathname } = new URL(made.dsn)
  const body = JSON.stringify({
    exception: { values: [{ type, value: `went wrong in ${type}` }] },
    release: 'web@1.0.0',
    environment: 'production',
    tags: { plan: 'free' },
    ...more,
  })
  return fetch(`${hydrant.url}/api${pathname}/store/?sentry_key=${username}`, { method: 'POST', body })
}

beforeAll(async () => {
  hydrant = await borrowHydrant()
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  page.on('pageerror', error => void faults.push(error.message))
  made = await openAcme(hydrant, page)
  for (let index = 0; index < issues; index++)
    expect((await send(typeOf(index), index < 3 ? { tags: { plan: 'gold' } } : {})).status).toBe(200)
  await hydrant.drained()
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

const open = async (search = '') => {
  await page.goto(`${hydrant.url}/acme/issues${search}`)
  await hydrated(page)
}
const rows = () => page.locator('.irow')
const rowOf = (type: string) => page.locator('.irow', { hasText: type })

longTest('pages have fifty rows, each issue appears once, and a page leads back', async () => {
  await open()
  expect(await rows().count()).toBe(50)
  await page.getByText('1–50 of 60').waitFor()
  const first = await page.locator('.irow .id').allTextContents()
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByText('51–60 of 60').waitFor()
  const rest = await page.locator('.irow .id').allTextContents()
  expect(new Set([...first, ...rest]).size).toBe(issues)
  await page.getByRole('link', { name: 'Previous page' }).click()
  await page.getByText('1–50 of 60').waitFor()
})

test('the search suggests tags and values of stored events and finds their issues', async () => {
  await open()
  await page.keyboard.press('/')
  await page.keyboard.press('End')
  await page.keyboard.type(' plan:go')
  await page.getByRole('option', { name: /gold/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await page.inputValue('input[name=q]')).toBe('is:unresolved plan:gold ')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await page.waitForURL(/plan%3Agold/)
  await page.getByText('3 issues').waitFor()
  expect(await rows().count()).toBe(3)
})

test('an invalid search shows its error and keeps the text', async () => {
  const path = `/acme/issues?q=${encodeURIComponent('level:error is:broken')}`
  const text = await (await page.request.get(hydrant.url + path)).text()
  expect(text).toMatch(/<code[^>]*>is:broken<\/code>/)
  expect(text).toContain('is not a state. Use unresolved, resolved')
  expect(text).toMatch(/<input[^>]* value="level:error is:broken"/)
})

const goKeys = 'G IG FG TG LG VG OG RG EG AG PG S'

test('the question mark shows the shortcuts of the page, and keys move, select a range, resolve and undo', async () => {
  await open()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.waitFor()
  const terms = (await help.getByRole('term').allTextContents()).map(keys => keys.trim())
  expect(new Set(terms)).toEqual(
    new Set(['JK', '↵', 'Space', 'X⇧X', 'Esc', 'E', 'A', 'H', 'P', 'M', 'Z', 'R', '/', 'Ctrl K', '?', goKeys]),
  )
  expect(terms).toHaveLength(16)
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  await until(async () => {
    await page.keyboard.press('j')
    return (await page.locator('.irow:focus-within').count()) === 1
  })
  await page.keyboard.press('k')
  const first = (await page.locator('.irow:focus-within .ty').textContent()) ?? ''
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+X')
  await page.getByText('3 selected').waitFor()
  await page.keyboard.press('e')
  await page.getByText('3 issues resolved.').waitFor()
  await until(async () => (await rowOf(first).count()) === 0)
  await page.getByText('1–50 of 57').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: ').waitFor()
  await rowOf(first).waitFor()
  await page.getByText('1–50 of 60').waitFor()
})

longTest('the palette runs commands on the selected issues and on the focused one', async () => {
  await open()
  const field = page.getByRole('combobox', { name: 'Page, project, issue or action' })
  await page.keyboard.press('Control+k')
  await field.fill('priority')
  expect(await page.getByRole('option', { name: 'Priority low' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page
    .getByRole('checkbox', { name: /^Select WEB-/ })
    .first()
    .check()
  await page
    .getByRole('checkbox', { name: /^Select WEB-/ })
    .nth(1)
    .check()
  await page.keyboard.press('Control+k')
  await field.fill('priority low')
  await page.getByRole('option', { name: 'Priority low 2 issues' }).click()
  await page.getByText('Priority set to low on 2 issues.').waitFor()
  await page.keyboard.press('j')
  const box = await page.locator('li:focus-within').getByRole('checkbox').getAttribute('aria-label')
  await page.keyboard.press('Control+k')
  await field.fill('resolve')
  await page.getByRole('option', { name: 'Resolve focused issue E' }).click()
  await page.getByText('1 issue resolved.').waitFor()
  await page.getByRole('checkbox', { name: box ?? '', exact: true }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: ').waitFor()
  await page.getByRole('checkbox', { name: box ?? '', exact: true }).waitFor()
})

longTest.each(['localhost', 'hydrant.localhost'])('bulk actions work on %s, with the peek open too', async host => {
  const url = hydrant.url.replace('127.0.0.1', host)
  const visit = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const own = await context.cookies()
  await visit.addCookies(own.map(({ name, value }) => ({ name, value, url })))
  const there = await visit.newPage()
  await there.goto(`${url}/acme/issues?q=${encodeURIComponent('is:unresolved plan:gold')}`)
  await hydrated(there)
  await there.locator('.irow').nth(0).locator('a.ttl, a').first().click()
  await there
    .getByRole('complementary', { name: /Issue WEB-/ })
    .getByText('Where it broke')
    .waitFor()
  await there.locator('.irow').nth(1).locator('.check').check()
  await there.keyboard.press('e')
  await there.getByText('Issue resolved.').or(there.getByText('1 issue resolved.')).first().waitFor()
  await there.getByRole('button', { name: 'Undo' }).click()
  await there.getByText('Undone: ').waitFor()
  expect(await there.getByText('This page stopped working').count()).toBe(0)
  await visit.close()
})

longTest('all matching issues can be selected, archived and reopened', async () => {
  await open(`?q=${encodeURIComponent('is:unresolved plan:free')}`)
  await page.getByLabel('Select all on this page').check()
  await page.getByRole('button', { name: 'Select all 57 matching issues' }).click()
  await page.locator('summary', { hasText: 'Archive' }).click()
  await page.getByRole('button', { name: 'Forever' }).click()
  await page.getByText('57 issues archived.').waitFor()
  await page.getByText('No matching issues in the last 24 h').waitFor()
  await open('?q=is%3Aarchived')
  await page.getByText('1–50 of 57').waitFor()
  await page.getByLabel('Select all on this page').check()
  await page.getByRole('button', { name: 'Select all 57 matching issues' }).click()
  await page.locator('summary[aria-label="More ways to resolve"]').click()
  await page.getByRole('button', { name: 'Reopen' }).click()
  await page.getByText('57 issues reopened.').waitFor()
})

longTest('Enter in the amount of Archive archives with that amount, and Enter on a checkbox does nothing', async () => {
  await open(`?q=${encodeURIComponent('is:unresolved plan:gold')}`)
  const posts: string[] = []
  page.on('request', request => void (request.method() === 'POST' && posts.push(request.url())))
  await rows().nth(0).locator('.check').check()
  await rows().nth(0).locator('.check').press('Enter')
  await page.locator('summary', { hasText: 'Archive' }).click()
  await page.getByLabel('Amount').fill('12')
  await page.keyboard.press('Enter')
  await page.getByText('1 issue archived.').waitFor()
  expect(posts.filter(url => url.includes('/issues'))).toHaveLength(1)
  await open(`?q=${encodeURIComponent('is:archived plan:gold')}`)
  await rows().nth(0).locator('a').first().click()
  await page.getByText('Archived until 13 events').first().waitFor()
  await open(`?q=${encodeURIComponent('is:archived plan:gold')}`)
  await rows().nth(0).locator('.check').check()
  await page.locator('summary[aria-label="More ways to resolve"]').click()
  await page.getByRole('button', { name: 'Reopen' }).click()
  await page.getByText('1 issue reopened.').waitFor()
})

longTest('bulk delete needs a confirmation with the number of issues', async () => {
  await open(`?q=${encodeURIComponent('is:unresolved plan:gold')}`)
  await rows().nth(0).locator('.check').check()
  await rows().nth(1).locator('.check').check()
  await page.locator('summary', { hasText: 'More' }).last().click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const query = page.getByRole('dialog', { name: 'Delete 2 issues?' })
  await query.getByRole('button', { name: 'Cancel' }).click()
  await query.waitFor({ state: 'hidden' })
  expect(await rows().count()).toBe(3)
  await page.keyboard.press('m')
  await page.getByRole('dialog', { name: 'Merge 2 issues into one?' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('summary', { hasText: 'More' }).last().click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await query.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('2 issues deleted.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone: ').waitFor()
  await until(async () => (await rows().count()) === 3)
})

longTest('merging two issues can be undone', async () => {
  await open(`?q=${encodeURIComponent('plan:gold')}`)
  await rows().nth(0).locator('.check').check()
  await rows().nth(1).locator('.check').check()
  await page.getByRole('button', { name: 'Merge' }).click()
  const query = page.getByRole('dialog', { name: 'Merge 2 issues into one?' })
  await query.getByRole('button', { name: 'Merge' }).click()
  await page.getByText('2 issues merged.').waitFor()
  await until(async () => (await rows().count()) === 2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone: ').waitFor()
  await until(async () => (await rows().count()) === 3)
})

test('counts update in place, and a new issue appears on request', async () => {
  await open('?sort=lastSeen')
  const order = await page.locator('.irow .id').allTextContents()
  const known = (await rows().nth(20).locator('.ty').textContent()) ?? ''
  await send(known)
  await send('BrandNewFailure')
  await page.getByRole('button', { name: /Show 1 new issue/ }).waitFor()
  await until(async () => (await rowOf(known).locator('.ev').textContent())?.startsWith('2') ?? false)
  expect(await page.locator('.irow .id').allTextContents()).toEqual(order)
  await page.getByRole('button', { name: /Show 1 new issue/ }).click()
  await rows().nth(0).getByText('BrandNewFailure').first().waitFor()
})

longTest('Back restores the list, its scroll position and the focus', async () => {
  await open()
  const link = rows().nth(30).locator('a')
  await link.scrollIntoViewIfNeeded()
  const title = await link.textContent()
  const top = await page.evaluate(() => scrollY)
  expect(top).toBeGreaterThan(200)
  await link.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/issues\/\d+/)
  await page.goBack()
  await page.waitForURL(/issues$/)
  await until(async () => (await page.evaluate(() => document.activeElement?.textContent)) === title)
  await until(async () => Math.abs((await page.evaluate(() => scrollY)) - top) < 120)
})

test('a peek that is opened or reloaded shows the top of its issue, and Back restores the list', async () => {
  for (const leave of isLong ? (['open', 'reload'] as const) : (['open'] as const)) {
    await open()
    const row = rows().nth(40)
    await row.scrollIntoViewIfNeeded()
    const top = await page.evaluate(() => scrollY)
    expect(top).toBeGreaterThan(1000)
    const title = (await row.locator('.ty').textContent()) ?? ''
    await row.locator('a').focus()
    await page.keyboard.press('Space')
    await page.waitForURL(/issues\/\d+/)
    await until(async () => (await page.title()).includes(title))
    expect(await page.evaluate(() => scrollY)).toBe(top)
    if (leave === 'open') await page.locator('.peek').getByRole('link', { name: 'Open' }).click()
    else await page.reload()
    await page.getByRole('navigation', { name: 'Sections' }).waitFor()
    await hydrated(page)
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await page.goBack()
    await page.waitForURL(/issues$/)
    await until(async () => (await page.evaluate(() => document.activeElement?.textContent))?.includes(title) ?? false)
    await until(async () => (await page.evaluate(() => scrollY)) === top)
  }
})

longTest('filters, pages and resolve work without JavaScript', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() })
  const bare = await plain.newPage()
  await bare.goto(`${hydrant.url}/acme/issues`)
  await bare.fill('input[name=q]', 'is:unresolved plan:gold')
  await bare.press('input[name=q]', 'Enter')
  await bare.waitForURL(/plan%3Agold/)
  expect(await bare.locator('.irow').count()).toBe(3)
  await bare.locator('.irow .check').first().check()
  await bare.locator('.irow .check').first().press('Enter')
  await bare.locator('summary', { hasText: 'Archive' }).click()
  await bare.getByLabel('Amount').press('Enter')
  await bare.getByRole('button', { name: 'Resolve' }).first().click()
  await bare.getByText('1 issue resolved.').waitFor()
  expect(await bare.locator('.irow').count()).toBe(2)
  await bare.getByRole('button', { name: 'Undo' }).click()
  await bare.getByText('Undone: ').waitFor()
  expect(await bare.locator('.irow').count()).toBe(3)
  await bare.locator('summary', { hasText: 'Last 24 h' }).click()
  await bare.getByRole('link', { name: 'Last 30 d' }).click()
  await bare.waitForURL(/range=30d/)
  await plain.close()
})

longTest('without the telemetry database the list works and says what is missing', async () => {
  await childIsBack(hydrant, 'engine', 0)
  const engine = livesOf(hydrant, 'engine').at(-1) ?? 0
  process.kill(engine, 'SIGSTOP')
  try {
    await page.goto(`${hydrant.url}/acme/issues`)
    expect(await rows().count()).toBe(50)
    await page.getByText('Exact counts couldn’t be loaded').waitFor()
    expect(await page.getByText('Counts and charts couldn’t be loaded').count()).toBe(0)
    // An hour is counted by the minute, which needs the telemetry database.
    await page.goto(`${hydrant.url}/acme/issues?range=1h`)
    await page.getByText('Counts and charts couldn’t be loaded').waitFor()
    expect(await rows().count()).toBe(50)
  } finally {
    process.kill(engine, 'SIGCONT')
  }
})

test('no page threw', () => {
  expect(faults).toEqual([])
})
