/** The owner of every organization in these tests, in a browser. */
import type { Page } from 'playwright-core'
import type { Hydrant, Provisioned } from '../start-hydrant.ts'
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

/** Makes her organization with its project `web`, and signs her in. */
export async function openAcme(hydrant: Pick<Hydrant, 'init' | 'url'>, page: Page): Promise<Provisioned> {
  const made = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  await signIn(page, hydrant.url)
  return made
}
