import type { GenericEndpointContext } from 'better-auth'
import { APIError } from 'better-auth/api'
import type { Config } from '#config.ts'
import type { CommandContext } from '#domain/access/command-context.ts'
import { recordSignIn } from '#domain/sign-in/record-sign-in.ts'
import { admitBySso, findSsoFault } from '#domain/sign-in/sso-membership.ts'
import type { Control } from '#store/control/control.ts'
import { clientAddress } from './request-headers.ts'
import { discoveryUrl, groupsOf, hasMfaClaim, isConfirmed, readClaims, type SsoVisit } from './sso.ts'

type Providers = Config['providers']

/** GitHub, GitLab and Google, as far as they are configured. */
export const socialProviders = ({ github, gitlab, gitlabUrl, google }: Providers) => ({
  ...(github ? { github } : {}),
  ...(gitlab ? { gitlab: { ...gitlab, issuer: gitlabUrl, mapProfileToUser: readGitlab } } : {}),
  ...(google ? { google: { ...google, mapProfileToUser: readGoogle } } : {}),
})

/** better-auth takes any text as true, also `false`. */
const readGoogle = ({ email_verified }: { email_verified?: unknown }) => ({ emailVerified: email_verified === true })

/** better-auth looks for a claim that GitLab's API does not send. */
const readGitlab = (profile: Record<string, unknown>) => ({ emailVerified: isConfirmed(profile) })

/** The provider of HYDRANT_OIDC_*. Its ID tokens have to be signed and bound to this sign-in by a nonce and PKCE. */
export const oidcProviders = ({ oidc }: Providers) =>
  oidc === null
    ? []
    : [
        {
          providerId: 'oidc',
          name: oidc.name,
          discoveryUrl: discoveryUrl(oidc.issuer),
          clientId: oidc.clientId,
          clientSecret: oidc.clientSecret,
          scopes: oidc.scopes,
          pkce: true,
          requireIdTokenVerification: true,
          getUserInfo: async (tokens: { idToken?: string | undefined; accessToken?: string | undefined }) => {
            const claims = await readClaims(oidc.issuer, tokens)
            if (claims === null || typeof claims.sub !== 'string' || typeof claims.email !== 'string') return null
            const name = typeof claims.name === 'string' ? claims.name.slice(0, 100) : claims.email.replace(/@.*/, '')
            const emailVerified = claims.email_verified === true
            return { ...claims, id: claims.sub, sub: claims.sub, email: claims.email, name, emailVerified }
          },
        },
      ]

type Gate = {
  config: Pick<Config, 'sso' | 'providers' | 'trustedProxies'>
  control: Pick<Control, 'db'>
  now: () => number
}
type Validated = {
  user: { email?: unknown; emailVerified?: unknown }
  source: { action: string; oauth?: { providerId: string; profile?: Record<string, unknown> | undefined } | undefined }
}
type HookContext = Pick<GenericEndpointContext, 'path' | 'params' | 'headers' | 'request'> | null

/** Applies the operator's rules between the provider's answer and the session: first to the identity, then to the account. */
export function createSsoGate({ config, control, now }: Gate) {
  const context: CommandContext = { db: control.db, actor: 'sso', now }
  const visits = new WeakMap<Request, SsoVisit>()

  return {
    /** Before an account is created, linked or used. */
    async check({ user, source }: Validated, { request }: Pick<GenericEndpointContext, 'request'>) {
      if (source.oauth === undefined || request === undefined) return
      const claims = source.oauth.profile ?? {}
      const claim = config.providers.oidc?.groupsClaim ?? 'groups'
      const identity = {
        email: typeof user.email === 'string' ? user.email : '',
        isEmailVerified: user.emailVerified === true,
        groups: source.oauth.providerId === 'oidc' ? groupsOf(claims, claim) : [],
      }
      const fault = findSsoFault(config.sso, identity, { isNew: source.action === 'create-user' })
      if (fault !== null) return { error: fault }
      visits.set(request, { identity, hasMfa: hasMfaClaim(claims) })
      return
    },

    /** Before the session is created: memberships follow the groups. Null for sessions that begin elsewhere. */
    async admit(userId: string, endpoint: HookContext) {
      if (endpoint?.path !== '/callback/:id') return null
      const visit = endpoint.request ? visits.get(endpoint.request) : undefined
      const provider = String(endpoint.params?.id ?? '')
      if (visit === undefined) throw new APIError('FORBIDDEN', { code: 'sso_refused' })
      const admitted = await admitBySso(context, config.sso, { userId, groups: visit.identity.groups })
      if (!admitted.ok) throw new APIError('FORBIDDEN', { code: admitted.code })
      const address = endpoint.headers ? clientAddress(endpoint.headers, config.trustedProxies) : ''
      await recordSignIn(context, { userId, method: provider, address })
      return { method: provider, secondFactor: visit.hasMfa || config.sso.isTwoFactor }
    },
  }
}
