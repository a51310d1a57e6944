/** The owner of every organization in these tests, in a browser. */
import type { Page } from 'playwright-core'
import type { Hydrant } from '../start-hydrant.ts'

const email = 'ada@example.com'
const password = 'correct horse'

/** What `hydrant init` needs to know of her. */
export const asAda = ['--email', email, '--password', password]

export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.click('button[type=submit]')
  await page.waitForURL('**/acme/**')
}

/** The form of the first run: owner, organization and project, by the link that Hydrant prints. */
export async function setUp(page: Page, { setupUrl }: Pick<Hydrant, 'setupUrl'>): Promise<void> {
  await page.goto(await setupUrl())
  await page.fill('#name', 'Ada Lovelace')
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.fill('#organization', 'Acme')
  await page.click('button[type=submit]')
  await page.waitForURL('**/acme/projects/web')
}
