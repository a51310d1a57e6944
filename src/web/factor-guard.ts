import { listPasskeys } from '#domain/sign-in/passkeys.ts'
import { getRuntime } from '#runtime.ts'
import { requireSignedIn, type SignedIn } from './viewer.ts'
import { webContext } from './web-context.ts'

declare const shown: unique symbol

/**
 * A signed-in member who may add, replace or remove second factors. Only the guard below makes one, and whatever changes factors needs
 * one, so an action that forgets the guard does not compile.
 */
export type FactorOwner = { readonly user: SignedIn; readonly [shown]: true }

const freshMs = 15 * 60_000

/** Whether a shown factor, or a sign-in, still counts for changes. Not if its time is ahead of the clock, which was wrong then. */
export function isFresh(at: number | null, now: number): boolean {
  return at !== null && at <= now + 60_000 && now - at < freshMs
}

/** Which second factors an account has. */
export async function findFactors(user: SignedIn): Promise<{ app: boolean; passkeys: number }> {
  return { app: user.hasApp, passkeys: (await listPasskeys(webContext(), user.id)).length }
}

/**
 * Whether the member has to show a second factor before factors are changed: the account has one, and this session has not shown it
 * lately. Single sign-on, a trusted browser and a link have not shown it, whatever else they count for.
 */
export async function mustShowFactor(user: SignedIn): Promise<boolean> {
  const { app, passkeys } = await findFactors(user)
  if (!app && passkeys === 0) return false
  return !isFresh(user.factorAt, getRuntime().clock.now())
}

type Admission = { ok: true; owner: FactorOwner } | { ok: false; code: 'factor_not_shown' }

/** The guard of every change of second factors. */
export async function requireFactor(): Promise<Admission> {
  const user = await requireSignedIn()
  if (await mustShowFactor(user)) return { ok: false, code: 'factor_not_shown' }
  return { ok: true, owner: { user } as FactorOwner }
}
