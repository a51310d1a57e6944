import { getRuntime } from '#runtime.ts'
import { getAuth, isClientError, reopenAuth } from './auth.ts'
import { endedPath } from './safe-path.ts'

type Start = { provider: string; next: string; headers: Headers }

/** The provider's page to sign in on, or null while the provider does not answer. */
export async function findSsoAddress(start: Start): Promise<string | null> {
  return (await askProvider(start, getAuth)) ?? (await askProvider(start, reopenAuth))
}

async function askProvider({ provider, next, headers }: Start, open: typeof getAuth): Promise<string | null> {
  const { publicUrl } = getRuntime().config
  const auth = await open()
  try {
    const { url } = await auth.api.signInSocial({
      body: {
        provider,
        disableRedirect: true,
        // A sign-in can be the first proof of an address.
        callbackURL: publicUrl + endedPath(next),
        errorCallbackURL: `${publicUrl}/login`,
      },
      headers,
    })
    return url ?? null
  } catch (error) {
    if (isClientError(error)) return null
    throw error
  }
}

/** Why a provider's answer was refused: the code is in the address of the sign-in page. */
const faults: Record<string, string> = {
  sso_unreachable: 'The identity provider doesn’t answer. Nothing was changed. Try again, or sign in with a password.',
  sso_domain: 'Addresses of your domain may not sign in here. Ask an owner for an invitation.',
  sso_unverified: 'Your identity provider has not verified your email address. Verify it there, then try again.',
  sso_group: 'You are in none of the groups that may sign in here. Ask whoever runs this server.',
  sso_groups_unknown:
    'The identity provider didn’t say which groups you are in. Nothing was changed. Sign in another way, or ask the operator of this server.',
  sso_not_invited: 'You have no account here yet. Ask an owner for an invitation.',
  account_not_linked:
    'An account with your email address exists, and your identity provider has not verified that the address is yours. Sign in with your password or a link.',
  proxy_unknown:
    'The proxy in front of Hydrant has signed you in, but you have no account here. Ask an owner for an invitation.',
  access_denied: 'You cancelled at the identity provider.',
}

export const describeSsoFault = (code: string): string =>
  faults[code] ?? 'The identity provider’s answer was not accepted. Try again.'
