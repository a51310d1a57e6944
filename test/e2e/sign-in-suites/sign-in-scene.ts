import type { Browser } from 'playwright-core'
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
