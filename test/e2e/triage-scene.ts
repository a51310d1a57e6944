/** A Hydrant with many issues of one project, and a page that works through them by keyboard. */

import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, until } from '../start-hydrant.ts'
import { openAcme } from './ada.ts'
import { hydrated } from './hydrated.ts'

export type TriageScene = {
  hydrant: Hydrant
  browser: Browser
  page: Page
  /** Errors that the page threw so far. */
  faults: string[]
  /** One event: each type is an issue of its own. */
  send(type: string, more?: Record<string, unknown>): Promise<void>
  open(path: string): Promise<void>
  /** Opens the page unless it is open: what tests only look at need not be loaded for each. */
  show(path: string): Promise<void>
  stop(): Promise<void>
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
/** Grouping ignores digits, so that the types differ in letters. */
export const typeOf = (index: number): string => `${letters[index % 26]}${letters[Math.floor(index / 26)]}Failure`

export async function openTriageScene(): Promise<TriageScene> {
  const hydrant = await borrowHydrant()
  const browser = await openBrowser()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', error => void faults.push(error.message))
  const { dsn } = await openAcme(hydrant, page)
  const { username, pathname } = new URL(dsn)
  /** The path that was opened last, and where it led. */
  let opened = { path: '', url: '' }
  const open = async (path: string) => {
    await page.goto(hydrant.url + path)
    await hydrated(page)
    opened = { path, url: page.url() }
  }
  return {
    hydrant,
    browser,
    page,
    faults,
    async send(type, more = {}) {
      const body = JSON.stringify({
        exception: { values: [{ type, value: `went wrong in ${type}` }] },
        release: 'web@1.0.0',
        environment: 'production',
        ...more,
      })
      const address = `${hydrant.url}/api${pathname}/store/?sentry_key=${username}`
      expect((await fetch(address, { method: 'POST', body })).status).toBe(200)
    },
    open,
    show: async path => (path === opened.path && page.url() === opened.url ? undefined : open(path)),
    async stop() {
      await browser.close()
      await hydrant.stop()
    },
  }
}

export const listOf = (query: string): string => `/acme/issues?q=${encodeURIComponent(query)}`

/** The ids of the rows, from top to bottom. */
export const rowIds = (page: Page): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Issues' })
    .evaluate(list => [...list.children].map(row => row.getAttribute('data-issue') ?? ''))

/** The id of the row that has focus, or a description of what has it instead. */
export const focusedRow = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement
    const row = focused?.closest('[data-issue]')?.getAttribute('data-issue')
    return row ?? `${focused?.tagName} ${focused?.getAttribute('aria-label') ?? focused?.textContent?.slice(0, 40)}`
  })

export const focusedText = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

/** How many issues a search finds, as the search box says. */
export async function countFound(scene: TriageScene, query: string): Promise<number> {
  const page = await scene.page.request.get(scene.hydrant.url + listOf(query))
  return Number(/<output[^>]*>(\d+)/.exec(await page.text())?.[1])
}

/** Waits until the change has reached the list: no row is busy, and these are gone. */
export const settled = (page: Page, gone: readonly string[] = []): Promise<void> =>
  until(async () => {
    const busy = await page.locator('[aria-busy=true]').count()
    const ids = await rowIds(page)
    return busy === 0 && gone.every(id => !ids.includes(id))
  })
