/** Searches, addresses and titles in a real browser: OR and hints, links of Sentry, tabs, pages that are not found. */

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import type { Hydrant, Provisioned } from '../start-hydrant.ts'
import { openAcme } from './ada.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'

let hydrant: Hydrant
let browser: Browser
let context: BrowserContext
let page: Page
let made: Provisioned

const events = [
  { type: 'AlphaError', plan: 'gold', release: 'web@1.0.0' },
  { type: 'BetaError', plan: 'free', release: 'web@1.1.0' },
  { type: 'GammaError', plan: 'free', release: 'web@1.2.0' },
]
const eventId = (index: number) => `${index + 1}`.repeat(32)

beforeAll(async () => {
  hydrant = await borrowHydrant()
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  made = await openAcme(hydrant, page)
  const { username, pathname } = new URL(made.dsn)
  for (const [index, { type, plan, release }] of events.entries()) {
    const exception = { values: [{ type, value: '<b>broke</b>' }] }
    const body = JSON.stringify({ event_id: eventId(index), exception, release, tags: { plan } })
    const sent = await fetch(`${hydrant.url}/api${pathname}/store/?sentry_key=${username}`, { method: 'POST', body })
    expect(sent.status).toBe(200)
    await hydrant.drained() // issues of one batch are numbered in the order of their hashes
  }
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

const open = async (path: string) => {
  const response = await page.goto(hydrant.url + path)
  await hydrated(page)
  return response?.status()
}
const search = (q: string) => open(`/acme/issues?${new URLSearchParams({ q })}`)
const box = () => page.getByRole('combobox', { name: 'Search issues' })
/** Where a request leads and what it shows, without scripts. */
async function land(path: string) {
  const response = await page.request.get(hydrant.url + path)
  const text = await response.text()
  const titles = [...text.matchAll(/class="ty [^>]*>([^<]*)/g)].map(([, title = '']) => title).sort()
  const at = `${response.status()} ${decodeURIComponent(response.url().slice(hydrant.url.length))}`
  return { at, text, titles }
}
const titlesOf = async (q: string) => (await land(`/acme/issues?${new URLSearchParams({ q })}`)).titles

test('OR, parentheses and lists find issues by state and by events', async () => {
  expect(await titlesOf('plan:gold OR release:[web@1.2.0]')).toEqual(['AlphaError', 'GammaError'])
  expect(await titlesOf('(is:resolved OR plan:free) !release:latest')).toEqual(['BetaError'])
  expect(await titlesOf('is:unresolved AND (timesSeen:>5 OR plan:gold)')).toEqual(['AlphaError'])
})

longTest('suggestions go on inside of parentheses and lists', async () => {
  await open('/acme/issues?q=')
  await box().pressSequentially('(is:new OR plan:go')
  await page.getByRole('option', { name: /gold/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.type(') level:[error, fa')
  await page.getByRole('option', { name: 'fatal' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await box().inputValue()).toBe('(is:new OR plan:gold ) level:[error, fatal')
})

longTest('a search that is probably meant otherwise says how it is read, and links to the other', async () => {
  await search('browsr.name:Chrome')
  const notes = page.getByRole('list', { name: 'Notes on the search' }).first()
  expect(await notes.textContent()).toContain('searches the tag browsr.name. Did you mean browser.name?')
  await expectNoBarriersWhenLong(page)
  await notes.getByRole('link', { name: 'Search browser.name:Chrome' }).click()
  await page.waitForURL(/browser\.name%3AChrome/)
  await search('release:web@1.0.0,web@1.1.0')
  await page.getByRole('link', { name: 'Search release:[web@1.0.0,web@1.1.0]' }).first().click()
  await page.getByText('2 issues').waitFor()
  expect((await land('/acme/issues?q=bookmarks:me')).text).toContain('There are no bookmarks.')
})

longTest('an empty list names the tag that nobody sends', async () => {
  await search('plaan:gold')
  await page.getByText('finds nothing: no data of this time range has the tag plaan. Did you mean plan?').waitFor()
  await page.getByRole('link', { name: 'Search plan:gold' }).last().click()
  await page.getByText('1 issue').first().waitFor()
})

test('links of Sentry open the same page here', async () => {
  const gold = await land('/organizations/acme/issues/?query=plan%3Agold&statsPeriod=14d')
  expect(gold).toMatchObject({ at: '200 /acme/issues?q=plan:gold&range=30d', titles: ['AlphaError'] })
  const address = async (path: string) => (await land(path)).at
  expect(await address('/issues/?query=plan%3Afree')).toBe('200 /acme/issues?q=plan:free')
  const project = new URL(made.dsn).pathname.slice(1)
  expect((await land(`/organizations/acme/issues/?project=${project}`)).titles).toHaveLength(3)
  expect(await address('/organizations/acme/issues/?project=987654')).toContain('404 ')
  const issue = await address('/issues/WEB-1')
  expect(issue).toMatch(/^200 \/acme\/issues\/\d+$/)
  const id = issue.split('/').at(-1)
  expect(await address(`/organizations/acme/issues/${id}/events/${eventId(0)}/?project=${project}`)).toBe(
    `200 /acme/issues/${id}/events/${eventId(0)}`,
  )
  expect(await address(`/acme/web/issues/${id}/`)).toBe(`200 /acme/issues/${id}`)
  expect(await address('/organizations/acme/releases/web%401.0.0/')).toBe('200 /acme/releases/web@1.0.0')
  expect(await address('/organizations/acme/alerts/rules/')).toBe('200 /acme/alerts')
  // Another organization looks like one that does not exist.
  expect(await address('/organizations/rival/issues/')).toBe('404 /rival/issues')
  // A request has no fragment.
  await open('/settings/acme/projects/web/keys/')
  expect(page.url()).toBe(`${hydrant.url}/acme/settings#keys`)
})

longTest('tabs say which issue, event, release and project they show', async () => {
  await open('/acme/issues/WEB-1')
  await expect.poll(() => page.title()).toBe('AlphaError: <b>broke</b> · WEB-1 · Hydrant')
  await open(`/acme/issues/WEB-1/events/${eventId(0)}`)
  await expect.poll(() => page.title()).toBe('AlphaError: <b>broke</b> · WEB-1 · event 111111111111 · Hydrant')
  await open('/acme/releases/web%401.0.0')
  await expect.poll(() => page.title()).toBe('web@1.0.0 · Releases · Hydrant')
  await open('/acme/projects/web')
  await expect.poll(() => page.title()).toBe('web · Projects · Hydrant')
})

longTest('a page that is not found names what was looked for, keeps the navigation and offers a search', async () => {
  for (const [path, heading] of [
    ['/acme/issues/WEB-999', 'Issue WEB-999 not found'],
    [`/acme/traces/${'f'.repeat(32)}`, `Trace ${'f'.repeat(32)} not found`],
    ['/acme/releases/web%409.9.9', 'Release web@9.9.9 not found'],
    ['/acme/projects/nope', 'Project nope not found'],
    ['/acme/nonsense/here', 'Page /nonsense/here not found'],
  ] as const) {
    expect([path, await open(path)]).toEqual([path, 404])
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    expect(await page.getByRole('link', { name: 'Traces' }).count()).toBeGreaterThan(0)
    expect(await page.title()).toContain('Hydrant')
  }
  const field = page.getByRole('searchbox', { name: 'Search issues' })
  await field.fill('plan:gold')
  await field.press('Enter')
  await page.getByText('1 issue').first().waitFor()
})

longTest.each([true, false])('sign-in names what is missing beside the field, with JavaScript: %s', async hasScript => {
  const other = await browser.newContext({ javaScriptEnabled: hasScript })
  const still = await other.newPage()
  await still.goto(`${hydrant.url}/login`)
  const isFocused = (label: string) => still.getByLabel(label).and(still.locator(':focus')).waitFor()
  if (hasScript) await hydrated(still)
  await isFocused('Email')
  await still.getByRole('button', { name: 'Sign in' }).click()
  await still.getByText('Enter your email.').waitFor()
  await still.getByText('Enter your password.').waitFor()
  await isFocused('Email')
  await still.getByLabel('Email').fill('ada@example.com')
  await still.getByLabel('Password').fill('wrong horse')
  await still.getByRole('button', { name: 'Sign in' }).click()
  await still.getByText('Wrong email or password.').waitFor()
  await isFocused('Password')
  expect(await still.getByLabel('Email').inputValue()).toBe('ada@example.com')
  if (hasScript) await expectNoBarriersWhenLong(still)
  await other.close()
})
