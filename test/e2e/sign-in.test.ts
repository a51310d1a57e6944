/** Accounts and channels in a browser, with a Hydrant that sends mail and trusts an identity provider and a proxy. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type Smtp, startSmtp } from '../channels/start-smtp.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, startHydrant } from '../start-hydrant.ts'
import { client, type OidcServer, startOidc } from '../start-oidc.ts'
import { asAda } from './ada.ts'
import { testChannels } from './sign-in-suites/channels.ts'
import { testFirstProof } from './sign-in-suites/first-proof.ts'
import { testSignIn } from './sign-in-suites/sign-in.ts'

let hydrant: Hydrant
let browser: Browser
let oidc: OidcServer
let smtp: Smtp
const proxy = '127.0.0.9'

beforeAll(async () => {
  ;[oidc, smtp] = [await startOidc(), await startSmtp()]
  const env = {
    SMTP_URL: smtp.url,
    HYDRANT_OIDC_ISSUER: oidc.issuer,
    HYDRANT_OIDC_CLIENT_ID: client.client_id,
    HYDRANT_OIDC_CLIENT_SECRET: client.client_secret,
    HYDRANT_OIDC_NAME: 'Acme SSO',
    HYDRANT_OIDC_SCOPES: 'openid email profile groups',
    HYDRANT_SSO_GROUP_ROLES: 'dev=member,ops=admin',
    HYDRANT_TRUSTED_PROXIES: proxy,
    HYDRANT_PROXY_AUTH_HEADER: 'Remote-Email',
    HYDRANT_OUTBOUND_ALLOW: '127.0.0.0/8',
  }
  hydrant = await startHydrant({ hostname: 'localhost', env })
  await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
  oidc?.close()
  await smtp?.stop()
})

const scene = () => ({ hydrant, browser, smtp, oidc, proxy })

// In this order: Ada is the only member at first, and at the end everyone needs a second factor.
testChannels(scene)
testFirstProof(scene)
testSignIn(scene)
