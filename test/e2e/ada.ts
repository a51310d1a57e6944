/** The owner of every organization in these tests, in a browser. */
import type { Page } from 'playwright-core'
import type { Hydrant } from '../start-hydrant.ts'

const email = 'ada@example.com'
const password = 'correct horse'

/** Her flags for `hydrant init`. */
export const asAda = ['--email', email, '--password', password]

export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.click('button[type=submit]')
  await page.waitForURL('**/acme/**')
}

/** Fills in the setup form (owner, organization and project) at the link that Hydrant prints. */
export async function setUp(page: Page, { setupUrl }: Pick<Hydrant, 'setupUrl'>): Promise<void> {
  await page.goto(await setupUrl())
  await page.fill('#name', 'Ada Lovelace')
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.fill('#organization', 'Acme')
  await page.click('button[type=submit]')
  await page.waitForURL('**/acme/projects/web')
}
