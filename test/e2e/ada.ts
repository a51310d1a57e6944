/** The owner of every organization in these tests, in a browser. */
import type { Page } from 'playwright-core'
import type { Hydrant } from '../start-hydrant.ts'
import { signInVisitor } from './visitor.ts'

const email = 'ada@example.com'
const password = 'correct horse'

/** Her flags for `hydrant init`. */
export const asAda = ['--email', email, '--password', password]

/** Without the form, whose two pages cost a second of processor time: the browser gets the cookies of her sign-in. */
export async function signIn(page: Page, url: string): Promise<void> {
  const visitor = await signInVisitor(url, email, password)
  const cookies = visitor.cookie().split('; ')
  await page.context().addCookies(
    cookies.map(cookie => {
      const [name = '', value = ''] = cookie.split(/=(.*)/s)
      return { name, value, url }
    }),
  )
}

/** As people do. */
export async function signInByForm(page: Page, url: string): Promise<void> {
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
