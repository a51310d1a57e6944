/** `npm run dev` on a copy of the sources: edits become visible, broken ones break nothing, and only this machine is signed in. */
import { cpSync, existsSync, globSync, readFileSync } from 'node:fs'
import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { basename, join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInHeader } from '../../src/dev/sign-in-header.ts'
import { copySources, type SourceCopy } from '../copy-sources.ts'
import { isLong, longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Dev, startDev } from '../start-dev.ts'
import { root, startHydrant, until } from '../start-hydrant.ts'
import { waitAtLeast } from '../wait-limits.ts'
import { hydrated } from './hydrated.ts'

const settings = '/demo/settings'
const refusals = 'src/ingest/refusal.ts'
const unknownKey = 'event submission rejected with_reason: ProjectId'
/** Next compiles a page when it is first opened. */
const compileLimitMs = 60_000
const editLimitMs = 30_000

let sources: SourceCopy
let dev: Dev
let browser: Browser
let page: Page
const faults: string[] = []

beforeAll(async () => {
  if (!isLong) return
  sources = copySources()
  dev = await startDev(sources)
  browser = await openBrowser()
  page = await browser.newPage()
  page.on('pageerror', error => void faults.push(error.message))
  page.on('console', message => void (message.type() === 'error' && faults.push(message.text())))
})
afterAll(async () => {
  await browser?.close()
  await dev?.stop()
  sources?.remove()
})

type Reply = { status: number; text: string; cookies: string[] }

/** Each over a new connection, to meet the port as it is now, unless an agent keeps connections open. */
function send(
  url: string,
  headers: OutgoingHttpHeaders = {},
  target: { agent?: Agent; socketPath?: string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const method = url.includes('/envelope/') ? 'POST' : 'GET'
    const sending = request(url, { agent: false, ...target, method, headers }, async response => {
      const cookies = response.headers['set-cookie'] ?? []
      resolve({ status: response.statusCode ?? 0, text: await readAll(response).catch(String), cookies })
    })
    sending.on('error', reject)
    sending.end(method === 'POST' ? '{}' : undefined)
  })
}
const ingest = (agent?: Agent) =>
  send(`${dev.url}/api/1/envelope/?sentry_key=${'0'.repeat(32)}`, {}, agent && { agent })
const api = () => send(`${dev.url}/api/0/organizations/`)
const openPage = (headers: OutgoingHttpHeaders = {}) => send(dev.url + settings, { accept: 'text/html', ...headers })
const isSignedIn = ({ status, cookies }: Reply) => status === 200 && cookies.length > 0

/** Asks again and again until the text is there, and returns every other reply that is no answer of a server that works. */
async function pollUntil(read: () => Promise<Reply>, wanted: string): Promise<string[]> {
  const failed: string[] = []
  await until(async () => {
    const reply = await read().catch((error: Error) => ({ status: 0, text: error.message }))
    if (reply.status === 0 || reply.status >= 500) failed.push(`${reply.status} ${reply.text}`)
    return reply.text.includes(wanted)
  }, waitAtLeast(editLimitMs))
  return failed
}
const saidLately = (from: number) => dev.output().slice(from)
const until30 = (isTrue: () => boolean | Promise<boolean>) => until(isTrue, waitAtLeast(editLimitMs))
const startsOf = (name: string) =>
  dev
    .output()
    .split('\n')
    .filter(line => line.includes('"room":"dev"') && line.includes(`"${name} is up"`)).length

const style = 'src/app/(app)/[org]/settings/appearance-form.module.css'
const editGap = (gap: string) => sources.edit(style, 'gap: var(--s-3) var(--s-5);', `gap: 3px ${gap};`)
const shownGap = () =>
  page.getByRole('form', { name: 'Theme' }).evaluate(form => getComputedStyle(form.parentElement ?? form).columnGap)

describe.runIf(isLong)('npm run dev', () => {
  test('opens a page of the sample data, signed in', async () => {
    page.setDefaultTimeout(waitAtLeast(compileLimitMs))
    page.setDefaultNavigationTimeout(waitAtLeast(compileLimitMs))
    await page.goto(dev.url)
    await page.waitForURL(`${dev.url}/demo/issues*`)
    await page.getByRole('link', { name: 'shop' }).first().waitFor()
    await page.goto(dev.url + settings)
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    // Next does not show what is edited before the page has subscribed to hot reload.
    let gap = 20
    await until30(async () => {
      editGap(`${++gap}px`)
      await page.waitForTimeout(1_000)
      return (await shownGap()) === `${gap}px`
    })
  })

  test('shows an edited style, client component and server component without a reload', async () => {
    editGap('171px')
    await until30(async () => (await shownGap()) === '171px')
    sources.edit('src/app/(app)/[org]/bell.tsx', '<span>Notifications</span>', '<span>News of today</span>')
    await page.getByRole('link', { name: 'News of today' }).waitFor()
    sources.edit('src/app/(app)/[org]/settings/page.tsx', 'API access for builds and scripts', 'Access for robots')
    await page.getByText('Access for robots').waitFor()
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
    expect(faults).toEqual([])
  })

  test('an open page shows what was fixed after a syntax error, without a reload by hand', async () => {
    const bell = 'src/app/(app)/[org]/bell.tsx'
    sources.edit(bell, '<span>Notifications</span>', "<span>{'News}</span>")
    await page.locator('[data-nextjs-dialog-overlay]').first().waitFor({ state: 'attached' })
    sources.edit(bell, '<span>Notifications</span>', '<span>News once more</span>')
    await page.getByRole('link', { name: 'News once more' }).waitFor()
    await hydrated(page)
    faults.length = 0 // Next has logged the error
  })

  test('serves new code of ingest and of the API without a refused or failed request', async () => {
    const [mains, webs] = [startsOf('main'), startsOf('web')]
    expect((await ingest()).text).toContain(unknownKey)
    sources.edit(refusals, unknownKey, 'no such project')
    const kept = new Agent({ keepAlive: true })
    const [ofIngest, ofApi, ...ofKept] = await Promise.all([
      pollUntil(ingest, 'no such project'),
      pollUntil(api, 'Invalid token'), // which waits for main too
      ...Array.from({ length: 4 }, () => pollUntil(() => ingest(kept), 'no such project')),
    ])
    kept.destroy()
    expect([ofIngest, ofApi, ofKept.flat(), startsOf('main')]).toEqual([[], [], [], mains + 1])
    // Next serves the API: no process starts again.
    sources.edit('src/api/call-route.ts', "apiError(401, 'Invalid token')", "apiError(401, 'No such token')")
    expect(await pollUntil(api, 'No such token')).toEqual([])
    expect([startsOf('main'), startsOf('web')]).toEqual([mains + 1, webs])
    expect(isSignedIn(await openPage())).toBe(true)
  })

  test('keeps the servers as they are after an edit with an error, says why, and continues with the next edit', async () => {
    const from = dev.output().length
    const served = 'no such project'
    sources.edit(refusals, unknownKey, "a stray quote ' here")
    await until30(() => saidLately(from).includes('The servers run as before this edit'))
    expect(saidLately(from)).toContain(basename(refusals))
    expect((await ingest()).text).toContain(served)
    expect((await api()).status).toBe(401)
    // Only loading shows that an export is missing.
    sources.edit(refusals, 'export const refuseAuth', 'export const refuseAuthorization')
    await until30(() => saidLately(from).includes('main runs as before the edit'))
    expect(saidLately(from)).toContain('refuseAuth')
    expect((await ingest()).text).toContain(served)
    sources.restore(refusals)
    expect(await pollUntil(ingest, unknownKey)).toEqual([])
  })

  longTest('says why no page is there while web does not load, accepts events meanwhile, and recovers', async () => {
    sources.edit('src/web/run-web.ts', 'export async function runWeb', 'export async function runPages')
    await until30(async () => (await api()).status === 503)
    expect((await ingest()).status).toBe(403)
    sources.restore('src/web/run-web.ts')
    await until30(async () => (await api()).status === 401)
  })

  test('signs in pages of this machine only', async () => {
    const host = new URL(dev.url).host
    const signedIn = async (headers: OutgoingHttpHeaders) => isSignedIn(await openPage(headers))
    expect(await signedIn({ host })).toBe(true)
    const others: OutgoingHttpHeaders[] = [
      { host: 'hydrant.example' },
      { host: `localhost.hydrant.example:${new URL(dev.url).port}` },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-host': host },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 tunnel' },
      { accept: 'application/json' },
    ]
    for (const headers of others) {
      const reply = await openPage({ ...headers, [signInHeader]: '1' })
      expect([headers, reply.status, reply.cookies]).toEqual([headers, 401, []])
    }
  })

  test('passes the WebSocket of hot reload to pages of this machine only', async () => {
    const upgrade = (origin: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = {
          origin,
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
        }
        const sending = request(`${dev.url}/_next/hmr?id=1`, { agent: false, headers })
        sending.on('upgrade', (response, socket) => {
          socket.destroy()
          resolve(response.statusCode ?? 0)
        })
        sending.on('response', response => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        sending.on('error', reject)
        sending.end()
      })
    expect([await upgrade(dev.url), await upgrade('http://hydrant.example')]).toEqual([101, 403])
  })

  test('ends with the program that started it', async () => {
    expect(dev.processes().length).toBeGreaterThanOrEqual(5)
    process.kill(dev.pid, 'SIGKILL')
    await dev.ended()
    await expect(openPage()).rejects.toThrow('ECONNREFUSED')
  })
})

/** Of the processes between a terminal and the servers. */
const pidOf = (program: string) => dev.processes().find(({ command }) => command.includes(program))?.pid ?? 0
const ends: [how: string, end: () => unknown][] = [
  ['SIGKILL of bin/dev.mjs', () => process.kill(pidOf('bin/dev.mjs'), 'SIGKILL')],
  ['SIGKILL of the dev program', () => process.kill(pidOf('src/dev/dev.ts'), 'SIGKILL')],
  ['SIGTERM of npm', () => process.kill(dev.pid, 'SIGTERM')],
  ['SIGHUP, as of a closed terminal', () => process.kill(-dev.pid, 'SIGHUP')],
  ['Ctrl-C', () => process.kill(-dev.pid, 'SIGINT')],
]
longTest.each(ends)('nothing is left after %s', async (_, end) => {
  dev = await startDev(sources)
  end()
  await dev.ended()
})

const elsewhere: [what: string, env: () => Record<string, string>][] = [
  ['another data folder', () => ({ HYDRANT_DATA_DIR: join(sources.folder, 'data-other') })],
  ['NODE_ENV=production', () => ({ NODE_ENV: 'production', HYDRANT_DATA_DIR: join(sources.folder, 'data-dev') })],
]
longTest.each(elsewhere)('does not sign in with %s', async (_, env) => {
  const copy = join(sources.folder, 'data-other')
  const isKept = (path: string) => !path.includes('/run/')
  if (!existsSync(copy))
    cpSync(join(sources.folder, 'data-dev'), copy, { recursive: true, verbatimSymlinks: true, filter: isKept })
  dev = await startDev({ ...sources, program: 'src/dev/dev.ts', env: { HYDRANT_HOST: '127.0.0.1', ...env() } })
  const reply = await openPage()
  expect([reply.status, reply.cookies]).toEqual([401, []])
  await dev.stop()
})

describe('a production build', () => {
  const built = () => globSync('.next/{server,static}/**/*.{js,json,html}', { cwd: root })
  const holding = (text: string) => built().filter(path => readFileSync(join(root, path), 'utf8').includes(text))

  test('has no trace of the sign-in', () => {
    expect(holding(signInHeader)).toEqual([])
    expect(holding('x-hydrant-path').length).toBeGreaterThan(0)
  })

  longTest('ignores the header, on the sample data and with NODE_ENV=development', async () => {
    const isCache = (path: string) => path === join(root, '.next/cache') || path === join(root, '.next/dev')
    cpSync(join(root, '.next'), join(sources.folder, '.next'), { recursive: true, filter: path => !isCache(path) })
    const dataDir = join(sources.folder, 'data-dev')
    const env = { NODE_ENV: 'development', HYDRANT_HOST: '127.0.0.1' }
    const hydrant = await startHydrant({ from: sources.folder, dataDir, hostname: 'localhost', env })
    try {
      const headers = { accept: 'text/html', host: new URL(hydrant.url).host, [signInHeader]: '1' }
      const replies = [
        await send(hydrant.url + settings, headers),
        await send(hydrant.url + settings, headers, { socketPath: join(dataDir, 'run/web.sock') }),
      ]
      expect(replies.map(({ status, cookies }) => [status, cookies])).toEqual([
        [401, []],
        [401, []],
      ])
    } finally {
      await hydrant.stop()
    }
  })
})
