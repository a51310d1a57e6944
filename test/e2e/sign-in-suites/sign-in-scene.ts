import type { Browser, Page } from 'playwright-core'
import type { Smtp } from '../../channels/start-smtp.ts'
import type { Hydrant } from '../../start-hydrant.ts'
import type { OidcServer } from '../../start-oidc.ts'

/** Shared by the suites: a Hydrant with mail, an identity provider and a trusted proxy, and Ada's organization acme. */
export type SignInScene = {
  hydrant: Hydrant
  browser: Browser
  smtp: Smtp
  oidc: OidcServer
  /** The address of the trusted proxy: another address of this machine than the browser has. */
  proxy: string
}

export async function submitPassword(page: Page, url: string, email: string, password: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
