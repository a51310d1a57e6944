/** The snippets of the project page and of docs/nextjs.md: copied as shown, built and run. */

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkSourcemaps } from '../../src/cli/doctor/check-sourcemaps.ts'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { makeSnippetApp, type SnippetApp, writeNextApp } from '../clients/snippet-app.ts'
import { splitSnippet } from '../clients/split-snippet.ts'
import { startShop } from '../clients/start-shop.ts'
import { isLong, longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, type Provisioned, root, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { postEnvelope } from './post-envelope.ts'
import { filesOf, readSnippets } from './read-snippets.ts'

let hydrant: Hydrant
let made: Provisioned
let browser: Browser
let page: Page
let app: SnippetApp

beforeAll(async () => {
  hydrant = await borrowHydrant()
  made = await hydrant.init('--org', 'acme', '--project', 'shop', ...asAda)
  app = await makeSnippetApp({ hasNext: isLong })
  browser = await openBrowser()
  // The HTML has all that is read here, and without scripts a page takes a third of the time.
  page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await signIn(page, hydrant.url)
})
afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
  app?.remove()
})

const readOf = (project: string, sdk: string): Promise<string[]> =>
  readSnippets(page, `${hydrant.url}/acme/projects/${project}`, sdk)

/** Waits for the issue with this title and gives its URL. SDKs send with a delay. */
async function findIssue(title: string, project: string): Promise<string> {
  const list = `${hydrant.url}/acme/issues?query=&project=${project}`
  // Without rendering it: Chromium would be busy with nothing else.
  await until(async () => (await (await page.request.get(list)).text()).includes(title))
  await page.goto(list)
  const link = page.getByRole('link', { name: new RegExp(title) }).first()
  return `${hydrant.url}${await link.getAttribute('href')}`
}

/** On a busy machine a panel may time out, so it retries. */
async function openIssue(title: string, project: string): Promise<void> {
  const address = await findIssue(title, project)
  await until(async () => {
    await page.goto(address)
    return (await page.locator('#stack').count()) > 0
  })
}
const frameTexts = (): Promise<string[]> => page.locator('.stack .frame .fh').allTextContents()

const buildNext = (env: Record<string, string>) =>
  app.run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], { SENTRY_AUTH_TOKEN: made.token, ...env })

/** Runs the built app, and a browser on it. */
async function visitNext({ dsn }: Provisioned, walk: (visitor: Page, url: string) => Promise<void>): Promise<void> {
  const command = ['node_modules/next/dist/bin/next', 'start']
  const running = await startShop({ shopDir: app.folder, command, hydrantUrl: hydrant.url, dsn })
  const visitor = await browser.newPage()
  try {
    await walk(visitor, running.url)
  } finally {
    await visitor.close()
    await running.stop()
  }
}

async function throwInBrowser(visitor: Page, url: string): Promise<void> {
  await visitor.goto(`${url}/client-error`)
  await visitor.getByRole('button', { name: 'Throw', exact: true }).click()
}

describe.runIf(isLong)('an app made of the Next.js snippets', () => {
  beforeAll(async () => {
    const files = filesOf(await readOf('shop', 'nextjs'))
    expect([...files.keys()]).toContain('next.config.ts')
    writeNextApp(app, files)
    expect(await buildNext({})).toContain('Successfully uploaded source maps')
    await visitNext(made, async (visitor, url) => {
      await throwInBrowser(visitor, url)
      await findIssue('The basket has no total', 'shop')
      await visitor.goto(`${url}/boom`)
      await visitor.getByRole('heading', { name: 'Something went wrong' }).waitFor()
      await findIssue('The winter shelf could not be loaded', 'shop')
    })
    await hydrant.drained()
  })

  test('has a build that passes the check of source maps', async () => {
    const checks = await checkSourcemaps(join(app.folder, '.next'))
    expect(checks.filter(({ state }) => state === 'fail')).toEqual([])
  })

  test('shows a browser error with original file, line, function and code', async () => {
    await openIssue('The basket has no total', 'shop')
    const [first = ''] = await frameTexts()
    expect(first).toMatch(/throwInHandler\s*app\/client-error\/error-buttons\.tsx:\d+/)
    const here = await page.locator('.src .l.at').first().textContent()
    expect(here).toContain("throw new TypeError('The basket has no total')")
    expect(await page.locator('.stack .frame').first().locator('.src .l').count()).toBe(11)
  })

  test('shows a server error with original file, line, function and code', async () => {
    await openIssue('The winter shelf could not be loaded', 'shop')
    const frames = (await frameTexts()).join('\n')
    expect(frames).toMatch(/loadShelf\s*app\/boom\/page\.tsx:\d+/)
    expect(frames).toMatch(/BoomPage\s*app\/boom\/page\.tsx:\d+/)
    expect(await page.locator('.src .l.at').first().textContent()).toContain('shelf could not be loaded')
  })

  test('shows the raw stack and explains the React error code', async () => {
    await openIssue('The basket has no total', 'shop')
    await page.goto(`${page.url().replace(/\?.*/, '')}/events/latest?stack=raw`)
    expect(await page.locator('.rawstack').textContent()).toMatch(/_next\/static\/chunks\//)
    const value =
      'Minified React error #31; visit https://react.dev/errors/31?args[]=object%20with%20keys%20%7Bid%7D&args[]='
    await postEnvelope(made.dsn, { platform: 'javascript', exception: { values: [{ type: 'Error', value }] } })
    await hydrant.drained()
    await openIssue('Minified React error #31', 'shop')
    await page.getByRole('heading', { name: 'React error 31' }).waitFor()
    expect(await page.locator('#react-error').textContent()).toContain('object with keys {id}')
  })

  test('also builds, uploads, reports through the tunnel and records with the files of docs/nextjs.md and the snippet of the empty list of replays', async () => {
    const readme = await hydrant.init('--org', 'acme', '--project', 'readme')
    const fences = [...readFileSync(join(root, 'docs/nextjs.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    const files = filesOf(fences.map(([, code = '']) => code))
    expect([...files.keys()].sort()).toEqual(['instrumentation-client.ts', 'next.config.ts', 'proxy.ts'])
    await page.goto(`${hydrant.url}/acme/replays`)
    const snippet = (await page.locator('.snip pre code').textContent()) ?? ''
    files.set('instrumentation-client.ts', withOptions(files.get('instrumentation-client.ts') ?? '', snippet))
    writeNextApp(app, files)
    const output = await buildNext({
      HYDRANT_URL: hydrant.url,
      NEXT_PUBLIC_HYDRANT_DSN: readme.dsn,
      SENTRY_ORG: 'acme',
      SENTRY_PROJECT: 'readme',
    })
    expect(output).toContain('Successfully uploaded source maps')
    await visitNext(readme, async (visitor, url) => {
      const tunnelled = visitor.waitForResponse(response => response.url().startsWith(`${url}/monitoring`))
      const recorded = visitor.waitForRequest(sent => sent.postDataBuffer()?.includes('replay_recording') === true)
      await throwInBrowser(visitor, url)
      expect((await tunnelled).status()).toBe(200)
      await recorded // the SDK sends no replay of less than five seconds
      await openIssue('The basket has no total', 'readme')
    })
    expect((await frameTexts())[0]).toMatch(/throwInHandler\s*app\/client-error\/error-buttons\.tsx:\d+/)
    await hydrant.drained()
    await page.goto(`${hydrant.url}/acme/replays?project=readme`)
    await page.getByRole('row', { name: /client-error/ }).waitFor()
  })
})

/** The options of a snippet that leaves out the others, added to a call of `Sentry.init`. */
function withOptions(client: string, snippet: string): string {
  const [, options] = /^Sentry\.init\(\{\n {2}\/\/ …\n([\s\S]+)\n\}\)$/m.exec(snippet) ?? []
  if (options === undefined) throw new Error(`This snippet has no options:\n${snippet}`)
  return client.replace(/ \}\)\n?$/, `,\n${options}\n})\n`)
}

longTest('the React snippets build with Vite, upload, and report what a component throws', async () => {
  await hydrant.init('--org', 'acme', '--project', 'react')
  for (const [name, text] of filesOf(await readOf('react', 'react'))) app.write(`react/${name}`, text)
  app.write('react/package.json', '{ "type": "module" }')
  app.write('react/index.html', '<div id="root"></div><script type="module" src="./main.tsx"></script>')
  const component = `export function App(): never {\n  throw new Error('The seed list is empty')\n}\n`
  app.write('react/app.tsx', component)
  const build = [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'react']
  const output = await app.run(process.execPath, build, { SENTRY_AUTH_TOKEN: made.token })
  expect(output).toContain('Successfully uploaded source maps')
  const server = createServer(({ url = '/' }, response) => {
    const isScript = extname(url) === '.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.end(readFileSync(join(app.folder, 'react/dist', isScript ? url : 'index.html')))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const visitor = await browser.newPage()
  try {
    await visitor.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await openIssue('The seed list is empty', 'react')
  } finally {
    await visitor.close()
    server.close()
  }
  expect((await frameTexts()).join('\n')).toMatch(/App\s*app\.tsx:2/)
})

longTest('the Node snippet reports what a program throws', async () => {
  await hydrant.init('--org', 'acme', '--project', 'node')
  const [code = ''] = await readOf('node', 'node')
  for (const [name, text] of splitSnippet(code)) app.write(name, text)
  app.write('server.mjs', `throw new Error('The greenhouse is locked')\n`)
  const [, command = ''] = /start the app with node (.*)/.exec(code) ?? []
  await expect(app.run(process.execPath, command.split(' '))).rejects.toThrow('The greenhouse is locked')
  await openIssue('The greenhouse is locked', 'node')
})

test('the token of a build is created where its files are shown, and can upload', async () => {
  await page.goto(`${hydrant.url}/acme/projects/shop?sdk=remix&file=build`)
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = await page.getByLabel('SENTRY_AUTH_TOKEN').inputValue()
  const response = await fetch(`${hydrant.url}/api/0/`, { headers: { Authorization: `Bearer ${token}` } })
  expect(await response.json()).toMatchObject({ auth: { scopes: ['org:ci'] } })
})

longTest('the curl snippet sends one error', async () => {
  await hydrant.init('--org', 'acme', '--project', 'curl')
  const [code = ''] = await readOf('curl', 'curl')
  // A new key is known within a second.
  await until(async () => (await app.run('sh', ['-c', code])).includes('"id"'))
  await findIssue('Hello from curl', 'curl')
})
