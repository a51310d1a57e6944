/** A real identity provider on this machine: oidc-provider with its own pages to sign in. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

export type Person = { email: string; email_verified: boolean; name: string; groups: string[] }
export type OidcServer = {
  issuer: string
  /** By login. A change counts from the next sign-in on. */
  people: Map<string, Person>
  /** The provider answers 503 until it is opened, as one that is being restarted. */
  open(redirectUrl: string): Promise<void>
  close(): void
}

export const client = { client_id: 'hydrant', client_secret: 'a secret of the tests alone' }

export async function startOidc(): Promise<OidcServer> {
  const { default: Provider } = await import('oidc-provider')
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const people = new Map<string, Person>()
  return {
    issuer,
    people,
    async open(redirectUrl) {
      const provider = new Provider(issuer, {
        clients: [{ ...client, redirect_uris: [redirectUrl] }],
        scopes: ['openid', 'email', 'profile', 'groups'],
        claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
        cookies: { keys: ['a key of the tests alone'] },
        findAccount: async (_context, id) => {
          const person = people.get(id)
          return person && { accountId: id, claims: async () => ({ sub: id, ...person }) }
        },
      })
      answer = provider.callback()
    },
    close: () => void server.close(),
  }
}

/** Signs in on the provider's page and agrees to pass on the claims. */
export async function passProvider(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
}
