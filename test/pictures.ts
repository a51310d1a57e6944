/**
 * Takes the pictures of the README from a Hydrant with a seeded month.
 *   npm run pictures
 *   npm run pictures -- --all folder    every page instead, light and dark, wide and narrow, to look at
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { asAda, signIn } from './e2e/ada.ts'
import { hydrated } from './e2e/hydrated.ts'
import { openBrowser } from './open-browser.ts'
import { root, startHydrant } from './start-hydrant.ts'

const at = process.argv.indexOf('--all')
const allIn = at === -1 ? null : (process.argv[at + 1] ?? 'pictures')
const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }

type Picture = { name: string; open(page: Page): Promise<void>; isInReadme?: true }

const hydrant = await startHydrant()
const browser = await openBrowser({ isFull: true })

const visit =
  (path: string) =>
  async (page: Page): Promise<void> =>
    void (await page.goto(`${hydrant.url}/acme${path}`))

/** Opens a list and then its first entry. */
const visitFirst =
  (list: string, entry: RegExp) =>
  async (page: Page): Promise<void> => {
    await visit(list)(page)
    const [path = ''] = (await findLink(page, entry)).split('#')
    await page.goto(hydrant.url + path)
  }

const anIssue = /^\/acme\/issues\/\d+(\?|$)/
const search = (query: string): string => `/issues?range=30d&q=${encodeURIComponent(query)}`

const pictures: readonly Picture[] = [
  { name: 'issues', open: visit('/issues?range=30d'), isInReadme: true },
  { name: 'issue', open: visitFirst(search('is:unresolved TypeError'), anIssue), isInReadme: true },
  { name: 'deploy', open: visitFirst(search('is:unresolved DeploySkew'), anIssue), isInReadme: true },
  { name: 'hydration', open: visitFirst(search('is:unresolved hydration'), anIssue) },
  { name: 'issue-events', open: visit('/issues/SHOP-1/events') },
  { name: 'no-issues', open: visit(search('nothing-like-this')) },
  { name: 'traces', open: visit('/traces') },
  {
    name: 'trace',
    open: visitFirst(
      `/traces?range=30d&q=${encodeURIComponent('is:segment op:pageload')}`,
      /^\/acme\/traces\/[0-9a-f]{32}/,
    ),
    isInReadme: true,
  },
  { name: 'routes', open: visit('/routes') },
  { name: 'route', open: visitFirst('/routes', /^\/acme\/routes\/items/), isInReadme: true },
  { name: 'releases', open: visit('/releases') },
  { name: 'release', open: visitFirst('/releases', /^\/acme\/releases\/[^?]+/) },
  { name: 'projects', open: visit('/projects') },
  { name: 'project', open: visit('/projects/shop') },
  { name: 'project-settings', open: visit('/projects/shop/settings') },
  { name: 'filters', open: visit('/projects/shop/filters') },
  { name: 'first-event', open: visit('/projects/docs'), isInReadme: true },
  { name: 'settings', open: visit('/settings') },
  { name: 'privacy', open: visit('/settings/privacy?action=replace&path=user.email') },
  { name: 'tokens', open: visit('/settings/tokens') },
  { name: 'channels', open: visit('/settings/channels') },
  { name: 'new-channel', open: visit('/settings/channels/new?kind=http-template') },
]

try {
  await hydrant.init('--org', 'acme', '--project', 'shop', ...asAda)
  await hydrant.init('--org', 'acme', '--project', 'docs', ...asAda)
  await hydrant.cli('seed', '--org', 'acme', '--project', 'shop', '--events', '60000', '--spans', '300000')
  if (allIn === null) await takeReadmePictures(browser)
  else await takeAllPictures(browser, allIn)
} finally {
  await browser.close()
  await hydrant.stop()
}

async function takeReadmePictures(browser: Browser): Promise<void> {
  const page = await signedIn(browser, wide, 'light')
  for (const picture of pictures.filter(({ isInReadme }) => isInReadme))
    await take(page, picture, join(root, 'docs/pictures', `${picture.name}.png`))
}

async function takeAllPictures(browser: Browser, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const [width, viewport] of Object.entries({ wide, narrow })) {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await signedIn(browser, viewport, scheme)
      for (const picture of pictures) await take(page, picture, join(folder, `${picture.name}-${width}-${scheme}.png`))
      await page.context().close()
    }
  }
}

async function signedIn(browser: Browser, viewport: typeof wide, colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await signIn(page, hydrant.url)
  return page
}

async function take(page: Page, { name, open }: Picture, path: string): Promise<void> {
  await open(page)
  await hydrated(page)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path })
  process.stdout.write(`${name}: ${path}\n`)
}

/** The address of the first link on the page whose path matches. */
async function findLink(page: Page, pattern: RegExp): Promise<string> {
  const paths = await page.locator('main a').evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
  const found = paths.find(path => pattern.test(path))
  if (found === undefined) throw new Error(`${page.url()} has no link like ${pattern}`)
  return found
}
