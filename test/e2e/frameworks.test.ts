/** Apps of other frameworks, made of the files of the project page: built for production, uploaded, and visited with Chromium. */

import { setTimeout } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { type AppKit, makeFrameworkApp } from '../clients/framework-app.ts'
import { expressKit } from '../clients/framework-apps/express.ts'
import { pagesRouterKit } from '../clients/framework-apps/pages-router.ts'
import { reactRouterKit } from '../clients/framework-apps/react-router.ts'
import { tanstackStartKit } from '../clients/framework-apps/tanstack-start.ts'
import { isLong } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, until } from '../start-hydrant.ts'
import { waitAtLeast } from '../wait-limits.ts'
import { asAda, signIn } from './ada.ts'
import { filesOf, readSnippets } from './read-snippets.ts'

let hydrant: Hydrant
let browser: Browser
let reader: string

beforeAll(async () => {
  if (!isLong) return
  hydrant = await borrowHydrant()
  await hydrant.init('--org', 'acme', '--project', 'first', ...asAda)
  reader = await addToken('event:read')
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

async function addToken(scopes: string): Promise<string> {
  const text = await hydrant.cli('token', 'add', '--org', 'acme', '--name', scopes, '--scopes', scopes, '--json')
  return (JSON.parse(text) as { token: string }).token
}

const read = <Row>(path: string): Promise<Row[]> => readOne(path)
async function readOne<Answer>(path: string): Promise<Answer> {
  const response = await fetch(`${hydrant.url}/api/0/${path}`, { headers: { Authorization: `Bearer ${reader}` } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

type Issue = { id: string; title: string; culprit: string; count: string }
type Frame = { filename: string; function: string; lineNo: number; inApp: boolean }
type Latest = { entries: { type: string; data: { values?: { stacktrace: { frames: Frame[] } | null }[] } }[] }
type MeasuredRoute = {
  route: string
  pageLoads: number
  navigations: Record<'count' | 'fetched' | 'prefetched' | 'cache' | 'noFetch' | 'notKnown', number>
  over3800ms: { pageLoads: number; navigations: number }
  gaveUpLoading: number
  retried: { requests: number; attempts: number }
  requests: { count: number }
  errors: number
}

/** An app in a project of its own, and somebody who visits it. */
async function openScene(kit: AppKit, sdk: string, leaveOut: readonly string[] = []) {
  await hydrant.init('--org', 'acme', '--project', kit.name)
  const reading = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await signIn(reading, hydrant.url)
  const files = filesOf(await readSnippets(reading, `${hydrant.url}/acme/projects/${kit.name}`, sdk))
  await reading.close()
  for (const name of leaveOut) files.delete(name)
  const app = await makeFrameworkApp(kit, files)
  const output = await app.build({ SENTRY_AUTH_TOKEN: await addToken('org:ci') })
  const { url, stop } = await app.start()
  const page = await browser.newPage()
  const issues = (): Promise<Issue[]> => read(`projects/acme/${kit.name}/issues/?statsPeriod=24h&query=`)
  const titles = async (): Promise<string[]> => (await issues()).map(({ title }) => nameOf(title)).sort()
  return {
    ...{ app, output, page, url, issues, titles },
    routes: (): Promise<MeasuredRoute[]> => read(`organizations/acme/routes/?statsPeriod=24h&project=${kit.name}`),
    button: (name: string) => page.getByRole('button', { name }),
    link: (name: string) => page.getByRole('link', { name }),
    heading: (name: string) => page.getByRole('heading', { name }),
    /** Opens a page, and waits until React has taken it over. */
    async open(path: string): Promise<void> {
      await page.goto(url + path)
      await page.waitForFunction(hasReact)
    },
    /** Leaves the page, so that the SDK sends what it has. */
    async leave(): Promise<void> {
      await page.goto('about:blank')
      await hydrant.drained()
    },
    /** Browser errors may wait for the server's. */
    async hasIssues(wanted: readonly string[]): Promise<void> {
      await until(async () => (await titles()).length >= wanted.length, waitAtLeast(30_000)).catch(() => undefined)
      expect(await titles()).toEqual([...wanted].sort())
    },
    /** The innermost frame of the app in the newest event. */
    async frameOf(title: string): Promise<string> {
      const { id } = (await issues()).find(issue => issue.title.includes(title)) ?? { id: 'none' }
      const { entries } = await readOne<Latest>(`organizations/acme/issues/${id}/events/latest`)
      const frames = entries.flatMap(({ type, data }) => (type === 'exception' ? (data.values ?? []) : []))
      const own = frames.flatMap(({ stacktrace }) => stacktrace?.frames ?? []).filter(({ inApp }) => inApp)
      const frame = own.at(-1)
      return frame === undefined ? 'no frame' : `${frame.function} ${frame.filename}:${frame.lineNo}`
    },
    countOf: async (title: string) => (await issues()).find(issue => issue.title.includes(title))?.count,
    async end(): Promise<void> {
      await page.close()
      stop()
      app.remove()
    },
  }
}
type Scene = Awaited<ReturnType<typeof openScene>>

const hasReact = () =>
  [...document.querySelectorAll('body *')].some(each => Object.keys(each).some(key => key.startsWith('__reactFiber')))

/** What every app has: an error in a handler, a soft navigation and back home, one that fails on the server, and a file that a deploy removed. */
async function visit(scene: Scene): Promise<void> {
  await scene.open('/')
  await scene.button('Throw').click()
  await scene.link('Item').click()
  await scene.heading('Chair 1').waitFor()
  await scene.link('Home').click()
  await scene.button('Open').waitFor()
  await scene.leave()
  for (const path of ['/shelf', '/old', '/gone', '/nowhere']) {
    await scene.page.goto(scene.url + path)
    await scene.page.waitForLoadState('networkidle')
  }
  await scene.open('/mismatch')
  await scene.page.getByText('from the browser').waitFor()
  await scene.open('/')
  scene.app.removeScript('A part that is loaded later')
  const gone = scene.page.waitForResponse(response => response.status() >= 400)
  await scene.button('Open').click()
  await gone
  await scene.page.waitForLoadState('networkidle')
  await scene.leave()
}

/** A title without what differs between builds. */
const nameOf = (title: string): string =>
  title.replace(/^(DeploySkew): open tabs request files of an old deploy.*/, '$1')

/** Rows of Routes: page loads, and navigations by how the router got their data. */
async function viewsOf(scene: Scene): Promise<Record<string, string>> {
  const routes = await scene.routes()
  return Object.fromEntries(
    routes.map(({ route, pageLoads, navigations: { fetched, prefetched, cache, noFetch, notKnown } }) => {
      const states = Object.entries({ fetched, prefetched, cache, noFetch, notKnown }).filter(([, count]) => count > 0)
      return [route, [`${pageLoads} loaded`, ...states.map(([state, count]) => `${count} ${state}`)].join(', ')]
    }),
  )
}

describe.runIf(isLong)('an app of React Router', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene(reactRouterKit, 'react-router')
    await visit(scene)
  })
  afterAll(() => scene?.end())

  test('builds and uploads without an error', () => {
    expect(scene.output).toContain('Uploaded files to Sentry')
    expect(scene.output).not.toMatch(/Could not upload|Could not create|^error/im)
  })

  test('has only real issues, with the lines of the sources', async () => {
    await scene.hasIssues([
      'DeploySkew',
      'Error: The winter shelf could not be loaded',
      'HydrationError: server and browser text differ',
      'TypeError: The basket has no total',
    ])
    expect(await scene.frameOf('The basket has no total')).toMatch(/^throwInHandler .*app\/routes\/home\.tsx:7$/)
    expect(await scene.frameOf('The winter shelf')).toMatch(/^loader .*app\/routes\/shelf\.tsx:2$/)
  })

  test('has a row for each of its routes, with the states of its navigations', async () => {
    expect(await viewsOf(scene)).toEqual({
      '/': '2 loaded, 1 noFetch',
      '/items/[id]': '1 loaded, 1 fetched',
      '/mismatch': '1 loaded',
      '/shelf': '0 loaded',
      '(unmatched)': '0 loaded',
    })
  })
})

describe.runIf(isLong)('an app of TanStack Start', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene(tanstackStartKit, 'tanstack-start')
    await visit(scene)
  })
  afterAll(() => scene?.end())

  test('builds and uploads without an error', () => {
    expect(scene.output).toContain('Uploaded files to Sentry')
    expect(scene.output).not.toMatch(/Could not upload|Could not create|^error/im)
  })

  test('has only real issues', async () => {
    await scene.hasIssues([
      'DeploySkew',
      'Error: The winter shelf could not be loaded',
      'HydrationError: server and browser text differ',
      'TypeError: The basket has no total',
    ])
    expect(await scene.frameOf('The basket has no total')).toMatch(/^throwInHandler .*src\/routes\/index\.tsx\b.*:9$/)
  })

  test('has a row for each of its routes, with the states of its navigations', async () => {
    expect(await viewsOf(scene)).toEqual({
      '/': '2 loaded, 1 noFetch',
      '/gone': '1 loaded',
      '/items/[id]': '1 loaded, 1 fetched',
      '/mismatch': '1 loaded',
      '/shelf': '1 loaded',
      '(unmatched)': '1 loaded',
    })
  })
})

describe.runIf(isLong)('an app with its own server', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene(expressKit, 'server-rendering')
    await visit(scene)
  })
  afterAll(() => scene?.end())

  test('builds and uploads without an error', () => {
    expect(scene.output.match(/Uploaded files to Sentry/g)).toHaveLength(2)
    expect(scene.output).not.toMatch(/Could not upload|Could not create|^error/im)
  })

  test('has only real issues, with the lines of the sources', async () => {
    await scene.hasIssues([
      'DeploySkew',
      'Error: The winter shelf could not be loaded',
      'HydrationError: server and browser text differ',
      'TypeError: The basket has no total',
    ])
    expect(await scene.frameOf('The basket has no total')).toMatch(/^throwInHandler .*src\/app\.tsx:19$/)
    expect(await scene.frameOf('The winter shelf')).toMatch(/^Shelf .*src\/app\.tsx:\d+$/)
  })

  test('has a row for each of its routes, with the states of its navigations', async () => {
    expect(await viewsOf(scene)).toEqual({
      '/': '2 loaded, 1 notKnown',
      '/items/[id]': '0 loaded, 1 notKnown',
      '/mismatch': '1 loaded',
      '/old': '1 loaded',
      '/shelf': '1 loaded',
      // The app's own page for everything else.
      '/[...]': '2 loaded',
    })
  })
})

describe.runIf(isLong)('an app of the Pages Router', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene(pagesRouterKit, 'nextjs', ['app/global-error.tsx', 'proxy.ts'])
    await visit(scene)
  })
  afterAll(() => scene?.end())

  test('builds and uploads without an error', () => {
    expect(scene.output).toContain('Successfully uploaded source maps')
  })

  test('tries a page whose server fails again, which its route shows with the attempts', async () => {
    await scene.page.goto(`${scene.url}/books/7`)
    await scene.heading('Book 7').waitFor()
    await scene.leave()
    const book = (await scene.routes()).find(({ route }) => route === '/books/[id]')
    expect(book).toMatchObject({ retried: { requests: 1, attempts: 3 }, errors: 2 })
  })

  test('loads a page in full whose files take longer than 3.8 seconds, which the SDK does not report', async () => {
    await scene.open('/')
    await scene.page.route('**/_next/static/**', async route => {
      await setTimeout(limitMs + 1_000)
      await route.continue()
    })
    await scene.link('Slow').click()
    await scene.heading('Reached in the end').waitFor({ timeout: waitAtLeast(30_000) })
    await scene.page.unrouteAll({ behavior: 'ignoreErrors' })
    await scene.leave()
    const slow = (await scene.routes()).find(({ route }) => route === '/slow')
    expect(slow).toMatchObject({ gaveUpLoading: 0, errors: 0 })
  })

  test('has only real issues, with the lines of the sources', async () => {
    await scene.hasIssues([
      'DeploySkew',
      'Error: The book is being bound',
      'Error: The winter shelf could not be loaded',
      'HydrationError: server and browser text differ',
      'TypeError: The basket has no total',
    ])
    expect(await scene.frameOf('The basket has no total')).toMatch(/^throwInHandler .*pages\/index\.tsx:7$/)
    expect(await scene.frameOf('The winter shelf')).toMatch(/pages\/shelf\.tsx:4$/)
  })

  test('has a row for each of its routes, with the states of its navigations', async () => {
    expect(await viewsOf(scene)).toEqual({
      '/': '3 loaded, 1 noFetch',
      '/_error': '3 loaded',
      '/books/[id]': '1 loaded',
      '/gone': '0 loaded',
      '/items/[id]': '1 loaded, 1 fetched',
      '/mismatch': '1 loaded',
      '/old': '0 loaded',
      '/shelf': '0 loaded',
      '/slow': '0 loaded, 1 noFetch',
    })
  })
})

/** After which the router loads the whole page. */
const limitMs = 3_800
