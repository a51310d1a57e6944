import type { Browser, BrowserContext, Page } from 'playwright-core'

export type Visits = {
  /** A page without cookies. */
  begin(): Promise<Page>
  end(...pages: Page[]): Promise<void>
}

/** Visitors who share nothing but the files that the browser has loaded: in a new context, every page would load all of its scripts again. */
export function openVisits(browser: Browser): Visits {
  const free: BrowserContext[] = []
  return {
    begin: async () => (free.pop() ?? (await browser.newContext())).newPage(),
    async end(...pages) {
      for (const page of pages) {
        const context = page.context()
        await page.evaluate(() => localStorage.clear())
        for (const each of context.pages()) await each.close()
        await context.clearCookies()
        free.push(context)
      }
    },
  }
}
