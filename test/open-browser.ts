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

/**
 * Test files that run one after the other in one process share a browser, because starting one costs seconds. Each has contexts of its
 * own, which `close` ends; the browser ends with the process.
 */
export async function openBrowser({ isFull = false, flags = [] as string[] } = {}): Promise<Browser> {
  if (isFull) return launch(executables, flags)
  if (!(await shared)?.isConnected()) shared = launch(isHeaded ? executables : [shell, ...executables])
  const browser = await (shared ?? launch(executables))
  const contexts: BrowserContext[] = []
  const newContext: Browser['newContext'] = async options => {
    const context = await browser.newContext(options)
    contexts.push(context)
    await keeper?.watch(context)
    return context
  }
  const own: Partial<Browser> = {
    newContext,
    newPage: async options => (await newContext(options)).newPage(),
    close: async () => {
      await keeper?.onEndOfFile()
      for (const context of contexts.splice(0)) await context.close()
    },
  }
  return Object.assign(Object.create(browser) as Browser, own)
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
