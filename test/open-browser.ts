/**
 * The system's Chromium, without a profile and without background requests. Tests take the build without windows if it is there: it
 * renders the same for 40 % less processor time. Measurements and pictures take the one that people use.
 */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { keeper } from './keep-failures.ts'
import { conditionMs, waitAtLeast } from './wait-limits.ts'

/** To watch what a test does. */
const isHeaded = process.env.HYDRANT_HEADED === '1'

const shell = '/usr/bin/chromium-headless-shell'
const executables = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const launchLimitMs = 30_000
/** The first visit of a page loads its code on the server. */
const visitLimitMs = 15_000

/** `look` is null for a context that was opened with cookies. */
type Taken = { look: string | null; context: BrowserContext }
const free: Taken[] = []

/**
 * Test files that run one after the other in one process share a browser, because starting one costs seconds. Each has contexts of its
 * own, which `close` takes back; the browser ends with the process. A context is emptied and given to the next file that wants the same
 * look: in a new one, a page loads and compiles all of its scripts again.
 */
export async function openBrowser({ isFull = false, flags = [] as string[] } = {}): Promise<Browser> {
  if (isFull) return launch(executables, flags)
  if (!(await shared)?.isConnected()) {
    free.length = 0
    shared = launch(isHeaded ? executables : [shell, ...executables])
  }
  const browser = await (shared ?? launch(executables))
  const taken: Taken[] = []
  const newContext: Browser['newContext'] = async ({ storageState, ...rest } = {}) => {
    const options = { reducedMotion: 'reduce', ...rest } as const
    const look = storageState === undefined ? JSON.stringify(options) : null
    const at = look === null ? -1 : free.findIndex(one => one.look === look)
    const [found] = at === -1 ? [] : free.splice(at, 1)
    const one = found ?? {
      look,
      context: await browser.newContext({ ...options, ...(storageState && { storageState }) }),
    }
    taken.push(one)
    await keeper?.watch(one.context)
    return one.context
  }
  const own: Partial<Browser> = {
    newContext,
    newPage: async options => (await newContext(options)).newPage(),
    close: async () => {
      await keeper?.onEndOfFile()
      for (const one of taken.splice(0)) await giveBack(one)
    },
  }
  return Object.assign(Object.create(browser) as Browser, own)
}

const heard = ['console', 'page', 'request', 'requestfailed', 'requestfinished', 'response', 'weberror'] as const

/** One that a test has closed is not given to the next file. */
async function giveBack(one: Taken): Promise<void> {
  const { look, context } = one
  if (look === null) return context.close()
  try {
    await keeper?.forget(context)
    for (const event of heard) context.removeAllListeners(event)
    for (const page of context.pages()) {
      await page.evaluate(() => localStorage.clear()).catch(() => undefined)
      await page.close()
    }
    await context.unrouteAll()
    await context.setOffline(false)
    await context.clearPermissions()
    await context.clearCookies()
    free.push(one)
  } catch {
    await context.close()
  }
}

let shared: Promise<Browser> | undefined

async function launch(paths: readonly string[], flags: readonly string[] = []): Promise<Browser> {
  const executablePath = paths.find(existsSync)
  if (!executablePath) throw new Error('Browser tests need Chromium. Install it with the system’s package manager.')
  // Pages show times in the browser's zone, which must not be that of whoever runs the tests.
  const env = { ...process.env, TZ: 'UTC' }
  const browser = await chromium.launch({
    executablePath,
    headless: !isHeaded,
    args: [...args, ...(isHeaded ? [] : ['--headless']), ...flags],
    env,
    timeout: waitAtLeast(launchLimitMs),
  })
  browser.on('context', context => {
    context.setDefaultTimeout(conditionMs())
    context.setDefaultNavigationTimeout(waitAtLeast(visitLimitMs))
  })
  return browser
}
