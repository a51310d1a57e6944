/** Every page and state as people with a screen reader, a phone or another time zone meet it. */

import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scriptWeightKB } from '../../bench/lib/script-weight.ts'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { isLong, longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, type Provisioned, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { findBarriers } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import { sendMost } from './page-suites/send-most.ts'
import { testZones } from './page-suites/zones.ts'
import { anIssue, issues, mostParts, otherPages, type Visit } from './pages-to-check.ts'
import { postEnvelope } from './post-envelope.ts'
import { withoutTable } from './without-table.ts'

const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }
type Scope = { within?: string; isCheckedTwice?: boolean }
/** Which together show every kind of row, level, chart, mark, form, menu and notice. */
const checkedTwice = new Set([
  'issues',
  'a search with an error',
  'an issue',
  'deploy skew',
  'a hydration error',
  'a trace',
  'a route',
  'project settings',
])

const amounts = ['--events', '1500', '--issues', '30', '--spans', '3000', '--logs', '100', '--days', '5']

let hydrant: Hydrant
let docs: Provisioned
let browser: Browser
let context: BrowserContext
let page: Page
const faults: string[] = []

beforeAll(async () => {
  hydrant = await borrowHydrant()
  const shop = await hydrant.init('--org', 'acme', '--project', 'shop', ...asAda)
  docs = await hydrant.init('--org', 'acme', '--project', 'docs')
  if (isLong) await hydrant.cli('seed', '--org', 'acme', '--project', 'shop', ...amounts)
  else {
    await sendMost(shop.dsn)
    await hydrant.drained()
  }
  browser = await openBrowser()
  context = await browser.newContext({ viewport: wide, reducedMotion: 'reduce' })
  page = await context.newPage()
  watch(page)
  await signIn(page, hydrant.url)
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

/** What React reports, hydration mismatches included, and what the page throws. */
function watch(on: Page): void {
  on.on('pageerror', error => void faults.push(error.message))
  on.on(
    'console',
    message => message.type() === 'error' && /React|hydrat/i.test(message.text()) && faults.push(message.text()),
  )
}

const open = async (path: string, on = page) => {
  await on.goto(hydrant.url + path)
  await hydrated(on)
}
const press = (key: string) => page.keyboard.press(key)
const firstLink = async (list: string, pattern: RegExp): Promise<string> => {
  const html = await (await page.request.get(hydrant.url + list)).text()
  const paths = [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, path = '']) => path.replaceAll('&amp;', '&'))
  return paths.flatMap(path => pattern.exec(path) ?? [])[0] ?? `nothing like ${pattern}`
}

/**
 * Wide in light, and narrow in dark the pages that together show every part: a part keeps its markup on every page, and axe is most of
 * what this file costs. No page may scroll sideways on a phone.
 */
async function expectNoBarriers(
  what: string,
  { within, isCheckedTwice = within !== undefined }: Scope = {},
): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  expect.soft(await findBarriers(page, { look: 'all', ...(within && { within }) }), `${what}, light, wide`).toEqual([])
  await expectNoSidewaysScroll(what, wide)
  await page.setViewportSize(narrow)
  await expectNoSidewaysScroll(what, narrow)
  if (isCheckedTwice) {
    await page.emulateMedia({ colorScheme: 'dark' })
    expect
      .soft(await findBarriers(page, { look: 'all', ...(within && { within }) }), `${what}, dark, narrow`)
      .toEqual([])
  }
  await page.setViewportSize(wide)
}

async function expectNoSidewaysScroll(what: string, { width }: typeof wide): Promise<void> {
  const scrolled = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(scrolled, `${what} scrolls sideways at ${width}`).toBeLessThanOrEqual(width)
}

async function expectClean(...[what, path, entry]: Visit): Promise<void> {
  await open(entry ? await firstLink(path, entry) : path)
  await expectNoBarriers(what, { isCheckedTwice: isLong && checkedTwice.has(what) })
}
test.each(mostParts)('axe finds nothing on %s', expectClean)
longTest.each(otherPages)('axe finds nothing on %s', expectClean)

/**
 * Page, address and KB of script, gzip: what it loaded before there were logs, replays, feedback, profiles and saved views, and five for
 * forms and links that survive a lost request.
 */
type Weighed = [what: string, path: string, mostKB: number]
async function expectLight(...[, path, mostKB]: Weighed): Promise<void> {
  const html = await (await page.request.get(hydrant.url + path)).text()
  expect(await scriptWeightKB(html, hydrant.url)).toBeLessThan(mostKB)
}
test.each<Weighed>([
  ['issues', issues('is:unresolved'), 177],
  ['an issue', '/acme/issues/SHOP-1', 178],
  ['routes', '/acme/routes', 163],
])('%s: no script of other pages is loaded', expectLight)
longTest.each<Weighed>([
  ['the events of an issue', '/acme/issues/SHOP-1/events', 174],
  ['traces', '/acme/traces', 174],
  ['releases', '/acme/releases', 163],
  ['projects', '/acme/projects', 163],
  ['settings', '/acme/settings', 163],
  ['account', '/account', 168],
])('%s: no script of other pages is loaded', expectLight)

test('axe finds nothing in a peek', async () => {
  await open('/acme/issues?range=30d')
  await page.getByRole('list', { name: 'Issues' }).getByRole('link').first().click()
  await page.getByRole('complementary').getByText('Where it broke').waitFor()
  await expectNoBarriers('a list with its peek', { isCheckedTwice: true })
  if (!isLong) return
  await page.getByRole('complementary').getByText('Archive').first().click()
  await expectNoBarriers('a menu in the peek', { within: '.peek' })
})

longTest('axe finds nothing in the pickers and the suggestions of the search', async () => {
  await open('/acme/issues?range=30d')
  for (const picker of ['Project', 'Environment', 'Release', 'Time']) {
    await page.locator('.pickers summary', { hasText: picker }).click()
    await expectNoBarriers(`the picker ${picker}`, { within: '.pickers' })
    await press('Escape')
  }
  await press('/')
  await page.getByRole('option').first().waitFor()
  await expectNoBarriers('suggestions', { within: '.query' })
})

longTest('axe finds nothing in a selection, a toast, the shortcuts and the palette', async () => {
  await open('/acme/issues?range=30d')
  await press('j')
  await press('x')
  await page.getByText('1 selected').waitFor()
  await press('h')
  await expectNoBarriers('a selection and its Archive menu', { isCheckedTwice: true })
  await press('Escape')
  await press('p')
  await press('Enter')
  await page.getByText(/Priority set|already/).hover() // keeps it open
  await expectNoBarriers('a toast', { within: '.toasts' })
  await press('?')
  await page.getByRole('dialog').waitFor()
  await expectNoBarriers('the shortcuts', { within: 'dialog[open]' })
  await press('Escape')
  await press('Control+k')
  const palette = page.getByRole('combobox', { name: 'Page, project, issue or action' })
  await palette.waitFor()
  await expectNoBarriers('the palette', { within: 'dialog[open]' })
  await palette.fill('no such thing at all')
  await page.getByText('No issue, route, release or user found.').waitFor()
  await expectNoBarriers('the palette without a match', { within: 'dialog[open]' })
  await press('Escape')
  await expectLoadingClean()
})

/** A navigation whose answer is held back. */
async function expectLoadingClean(): Promise<void> {
  let release: () => void = () => undefined
  const held = new Promise<void>(resolve => (release = resolve))
  await page.route(/[?&]_rsc=/, async route => {
    await held
    await route.continue()
  })
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: /Resolved/ })
    .click()
  await page.locator('.link-pending').first().waitFor({ state: 'attached' })
  await expectNoBarriers('a page that loads')
  release()
  await page.waitForURL(/is%3Aresolved/)
  await page.unrouteAll({ behavior: 'wait' })
}

longTest('axe finds nothing on the issue with its menus and dialogs open', async () => {
  await open(await firstLink('/acme/issues?range=30d', anIssue))
  for (const name of ['More ways to resolve', 'More actions']) {
    await page.getByLabel(name).click()
    await expectNoBarriers(`the menu ${name}`, { within: '.ihdr' })
    await press('Escape')
  }
  await page.getByLabel('More actions').click()
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await expectNoBarriers('the dialog before a deletion', { within: '.ask:popover-open' })
  await press('Escape')
})

longTest('a missing page has one title, and so have the pages before sign-in', async () => {
  const most = [
    ['/acme/issues/NOPE-1', 'Not found · Hydrant'],
    ['/nobody/issues', 'Not found · Hydrant'],
  ] as const
  const others = [
    ['/acme/issues', 'Issues · Hydrant'],
    ['/acme/releases/none', 'Not found · Hydrant'],
    ['/acme/projects/none', 'Not found · Hydrant'],
    ['/acme/nowhere', 'Not found · Hydrant'],
  ] as const
  for (const [path, title] of isLong ? [...most, ...others] : most) {
    await open(path)
    await expect.poll(() => page.locator('title').allTextContents(), { message: path }).toEqual([title])
  }
})

longTest('from the page of an issue, another issue opens as a page and not as a peek', async () => {
  const [first = '', second = ''] = await page.request
    .get(`${hydrant.url}/acme/issues?range=30d`)
    .then(async answer => [...new Set((await answer.text()).match(/SHOP-\d+/g))])
  await open(`/acme/issues/${first}`)
  await press('Control+k')
  await page.getByRole('combobox', { name: 'Page, project, issue or action' }).fill(second)
  await page.getByRole('option').filter({ hasText: second }).first().click()
  await page.getByRole('main').getByText(second, { exact: true }).first().waitFor()
  expect(await page.getByRole('complementary', { name: /^Issue/ }).count()).toBe(0)
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
})

longTest('the release picker edits the search', async () => {
  await open('/acme/issues?range=30d')
  const picker = page.locator('summary', { hasText: 'Release' })
  const search = page.getByRole('combobox', { name: /Search/ })
  await picker.click()
  await page.getByRole('link', { name: 'Latest release' }).click()
  await expect.poll(() => search.inputValue()).toBe('is:unresolved release:latest')
  await picker.click()
  const version = page.getByRole('link', { name: /^shop@/ }).first()
  const name = await version.textContent()
  await version.click()
  await expect.poll(() => search.inputValue()).toBe(`is:unresolved release:${name}`)
  await picker.click()
  await page.getByRole('link', { name: `First seen since ${name}` }).click()
  await expect.poll(() => search.inputValue()).toMatch(/^is:unresolved firstSeen:>=20\d\d-/)
  // By key: the menu is drawn when its button has the focus.
  await picker.focus()
  await page.keyboard.press('ArrowDown')
  expect(await page.locator(':focus').textContent()).toBe('All releases')
})

test('on a phone, the first screen of an issue says what broke, where, for whom and since when, and has the actions', async () => {
  const path = await firstLink(issues('TypeError'), anIssue)
  await page.setViewportSize(narrow)
  await open(path)
  const bottom = (await page.getByRole('navigation', { name: 'Main (mobile)' }).boundingBox())?.y ?? 0
  expect(bottom).toBeGreaterThan(700)
  for (const [what, part] of Object.entries({
    'what broke': page.getByRole('heading', { level: 1 }),
    where: page.locator('.ihdr .where'),
    'for whom and since when': page.getByText(/events? and .*users? in /),
    release: page.getByText(/First seen in/),
    'the first action': page.getByRole('button', { name: /^Resolve/ }),
    'the other actions': page.getByLabel('More actions'),
  })) {
    const box = await part.first().boundingBox()
    expect.soft(box, what).not.toBeNull()
    expect.soft((box?.y ?? 0) + (box?.height ?? 0), what).toBeLessThanOrEqual(bottom)
    expect.soft((box?.x ?? 0) + (box?.width ?? 0), what).toBeLessThanOrEqual(narrow.width)
  }
  await page.setViewportSize(wide)
})

longTest('on a phone, names without a space that are as long as they may be make no page scroll sideways', async () => {
  const long = (letter: string) => letter.repeat(180)
  await postEnvelope(docs.dsn, {
    exception: { values: [{ type: long('T'), value: long('m') }] },
    release: long('r'),
    environment: 'e'.repeat(60),
    user: { id: long('u') },
    tags: { [`t${'a'.repeat(30)}`]: long('v') },
    transaction: `/${long('p')}`,
  })
  await hydrant.drained()
  await until(async () => {
    const html = await (await page.request.get(`${hydrant.url}/acme/notifications`)).text()
    return html.includes('rrrrr')
  })
  await page.setViewportSize(narrow)
  const most = ['/acme/issues?project=docs', '/acme/issues/DOCS-1?range=24h']
  const others = [
    `/acme/releases/${long('r')}`,
    '/acme/issues/DOCS-1',
    '/acme/issues/DOCS-1/events',
    `/acme/issues?q=user.id:${long('x')}`,
    '/acme/notifications',
    '/acme/releases',
    '/acme/routes?project=docs',
  ]
  for (const path of isLong ? [...most, ...others] : most) {
    await open(path)
    await expectNoSidewaysScroll(path.slice(0, 60), narrow)
  }
  await page.setViewportSize(wide)
})

longTest('with forced colors, focus is seen and drawings keep their colors', async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  const focused = (pseudo?: string) =>
    page.locator(':focus').evaluate((it, of) => {
      const style = getComputedStyle(it, of)
      return `${style.outlineStyle} ${style.outlineWidth}`
    }, pseudo)
  await open(issues('TypeError'))
  await press('j')
  expect(await focused('::after')).toBe('solid 2px')
  await press('Tab')
  expect(await focused()).toBe('solid 2px')
  const colorOf = (drawing: string) =>
    page
      .locator(drawing)
      .first()
      .evaluate(it => getComputedStyle(it).backgroundColor)
  await open(await firstLink(issues('TypeError'), anIssue))
  await page.locator('.dist .bar').first().waitFor()
  expect(await colorOf('.dist .bar i')).not.toBe(await colorOf('main'))
  await open(await firstLink('/acme/traces?range=30d', /^\/acme\/traces\/[0-9a-f]{32}/))
  expect(await colorOf('.ln .b')).not.toBe(await colorOf('main'))
  await page.emulateMedia({ forcedColors: 'none' })
})

testZones(() => ({ hydrant, browser, context, open, watch, viewport: wide }))

test('no page threw or was hydrated with other text than the server sent', () => {
  expect(faults).toEqual([])
})

longTest('axe finds nothing when a role allows no change, when a page fails, and before sign-in', async () => {
  const control = new Database(join(hydrant.dataDir, 'control.db'))
  try {
    control.exec("UPDATE member SET role = 'viewer'")
    await open('/acme/issues/SHOP-1')
    expect(await page.getByRole('button', { name: /^Resolve/ }).count()).toBe(0)
    await expectNoBarriers('an issue without actions')
    expect((await page.goto(`${hydrant.url}/acme/settings/audit`))?.status()).toBe(403)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectNoBarriers('a page that a role may not open', { isCheckedTwice: true })
    control.exec("UPDATE member SET role = 'owner'")
    await withoutTable(hydrant, 'team', async () => {
      await page.goto(`${hydrant.url}/acme/settings/members`)
      await page.getByRole('heading', { name: 'This page stopped working' }).waitFor()
      await expectNoBarriers('a page that fails', { isCheckedTwice: true })
    })
  } finally {
    control.close()
  }
  await context.clearCookies()
  await open('/acme/issues/SHOP-1')
  await expectNoBarriers('sign-in', { isCheckedTwice: true })
  expect(await page.locator('title').allTextContents()).toEqual(['Sign in · Hydrant'])
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Enter your email.').waitFor()
  await expectNoBarriers('a refused sign-in')
})
