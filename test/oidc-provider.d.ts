/** What the tests use of the package, which has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  type Account = { accountId: string; claims(): Promise<Record<string, unknown>> }
  type Configuration = {
    clients: { client_id: string; client_secret: string; redirect_uris: string[] }[]
    claims: Record<string, string[]>
    scopes: string[]
    cookies: { keys: string[] }
    findAccount(context: unknown, id: string): Promise<Account | undefined>
  }
  export default class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): RequestListener
  }
}
