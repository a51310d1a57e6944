import type { Page } from 'playwright-core'
import { splitSnippet } from '../clients/split-snippet.ts'

/** Every file that the project page shows for an SDK, as its copy button would give it. */
export async function readSnippets(page: Page, projectUrl: string, sdk: string): Promise<string[]> {
  const codes: string[] = []
  const address = `${projectUrl}?sdk=${sdk}`
  await page.goto(address)
  const tabs = page.getByRole('navigation', { name: 'File' }).getByRole('link')
  const addresses = await tabs.evaluateAll(links => links.map(link => (link as HTMLAnchorElement).href))
  for (const tab of addresses.length > 0 ? addresses : [address]) {
    await page.goto(tab)
    codes.push((await page.locator('.snip pre code').textContent()) ?? '')
  }
  return codes
}

/** By name; of two with the same name, the later one. */
export const filesOf = (codes: string[]): Map<string, string> => new Map(codes.flatMap(code => [...splitSnippet(code)]))
