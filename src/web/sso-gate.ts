import type { GenericEndpointContext } from 'better-auth'
import { APIError } from 'better-auth/api'
import type { Config } from '#config.ts'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { recordSignIn } from '#domain/sign-in/record-sign-in.ts'
import { admitBySso, findSsoFault } from '#domain/sign-in/sso-membership.ts'
import { verifyAddress } from '#domain/sign-in/verify-address.ts'
import { clipText } from '#lib/text.ts'
import type { Control } from '#store/control/control.ts'
import { clientAddress } from './request-headers.ts'
import { discoveryUrl, groupsOf, hasMfaClaim, isConfirmed, ProviderFault, readClaims, type SsoVisit } from './sso.ts'

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
export const oidcProviders = ({ oidc }: Providers, publicUrl: string) =>
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
            const claims = await readClaims(oidc.issuer, tokens).catch(error => {
              if (!(error instanceof ProviderFault)) throw error
              // better-auth would answer with an empty 500.
              throw new APIError('FOUND', undefined, { location: `${publicUrl}/login?error=sso_unreachable` })
            })
            if (claims === null || typeof claims.sub !== 'string' || typeof claims.email !== 'string') return null
            const name = typeof claims.name === 'string' ? clipText(claims.name, 100) : claims.email.replace(/@.*/, '')
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
  user: { id?: unknown; email?: unknown; emailVerified?: unknown }
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
        // The others have none, so they say nothing about them.
        groups: source.oauth.providerId === 'oidc' ? groupsOf(claims, claim) : null,
      }
      const fault = findSsoFault(config.sso, identity, { isNew: source.action === 'create-user' })
      if (fault !== null) return { error: fault }
      if (identity.isEmailVerified && typeof user.id === 'string') {
        const { providerId } = source.oauth
        // The person has this link already, or gets it next. Before a proof, only the same person can have made it.
        const keepProvider = source.action === 'sign-in' ? providerId : null
        await proveOwner(context, { userId: user.id, email: identity.email, by: providerId, keepProvider })
      }
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

type Proof = { userId: string; email: string; by: string; keepProvider: string | null }

/** The provider has verified the address of an account. An account whose owner has another address at the provider proves nothing. */
const proveOwner = (context: CommandContext, { email, ...proof }: Proof) =>
  inTransaction(context, async inner => {
    const { userId } = proof
    const user = await inner.db.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirst()
    if (user?.email === email.toLowerCase()) await verifyAddress({ ...inner, actor: `user:${userId}` }, proof)
    return { ok: true }
  })
