import { cookies, headers } from 'next/headers'
import { forbidden, notFound, unauthorized } from 'next/navigation'
import { cache } from 'react'
import { may } from '#domain/access/permissions.ts'
import { createViewer, type Viewer } from '#domain/access/viewer.ts'
import { findDefaultOrganization, findMembership, listMemberships } from '#domain/members/find-membership.ts'
import { listVisibleProjects } from '#domain/projects/unscoped-projects.ts'
import { isSessionOpen, touchSession } from '#domain/sign-in/sessions.ts'
import { getRuntime } from '#runtime.ts'
import { getAuth } from './auth.ts'
import { hasSessionCookie, sessionToken } from './auth-cookies.ts'
import { readProxyEmail } from './proxy-auth.ts'
import { webContext } from './web-context.ts'

/**
 * The guard, called first in each page, action and route of an organization, before any Suspense, so that the status is right. 401 if
 * signed out, which shows the sign-in form. 404 for other organizations: a 403 would confirm that they exist.
 */
export async function requireViewer(organizationSlug: string): Promise<Viewer> {
  const admission = await findViewer(organizationSlug)
  if (admission.kind === 'signed_out') unauthorized()
  if (admission.kind === 'second_factor_missing') forbidden()
  return admission.kind === 'not_member' ? notFound() : admission.viewer
}

type Admission =
  | { kind: 'viewer'; viewer: Viewer }
  | { kind: 'signed_out' }
  | { kind: 'not_member' }
  /** The organization requires a second factor, and the sign-in had none. */
  | { kind: 'second_factor_missing' }

/** For the layout, which renders sign-in or 404 itself. Cached per request. */
export const findViewer = cache(async (organizationSlug: string): Promise<Admission> => {
  const signedIn = await findSignedIn()
  if (!signedIn) return { kind: 'signed_out' }
  const { id, name, email } = signedIn
  const user = { id, name, email }
  const { control, telemetry, clock } = getRuntime()
  const membership = await findMembership(control, user.id, organizationSlug)
  if (!membership) return { kind: 'not_member' }
  const { role, twoFactorFrom, ...organization } = membership
  const isRequired = twoFactorFrom !== null && twoFactorFrom <= clock.now()
  if (isRequired && !signedIn.hasSecondFactor) return { kind: 'second_factor_missing' }
  const sight = { seesAll: may(role, 'project:all'), userId: user.id }
  const seen = await listVisibleProjects(control, organization.id, sight)
  const identity = { user, organization, role, ...seen, now: clock.now() }
  return { kind: 'viewer', viewer: createViewer(identity, { control, telemetry }) }
})

export type SignedIn = {
  id: string
  name: string
  email: string
  sessionId: string
  signedInAt: number
  /** Just signed in with a link, from a mail or the terminal: the way to a new password for whoever has forgotten theirs. */
  mayResetPassword: boolean
  /** Whether the sign-in had a second factor. */
  hasSecondFactor: boolean
  /** Whether the account has an authenticator app. */
  hasApp: boolean
  /** When this session has last shown a second factor of the account, or null. */
  factorAt: number | null
}

/** The signed-in user. Cached per request. A session that was idle for too long ends here. */
export const findSignedIn = cache(async (): Promise<SignedIn | null> => {
  const given = await presentHeaders()
  if (!hasSessionCookie(given)) return null
  // In an action, better-auth would delete the cookie of a session that has ended. Next would then render the page again, and the user
  // would lose their input.
  if (given.has('next-action') && !(await isSessionOpen(webContext(), sessionToken(given) ?? ''))) return null
  const auth = await getAuth()
  const session = await auth.api.getSession({ headers: given })
  if (!session) return null
  const { id, name, email, twoFactorEnabled } = session.user
  const { id: sessionId, createdAt, seenAt, secondFactor, factorAt, method } = session.session
  // Whoever the proxy signs out, or replaces by someone else, is signed out here.
  if (method === 'proxy' && readProxyEmail(given, getRuntime().config) !== email) return null
  const used = { id: sessionId, createdAt: createdAt.getTime(), seenAt: seenAt ?? null }
  const idleLimitMs = getRuntime().config.sessions.idleDays * dayMs
  if (!(await touchSession(webContext(`user:${id}`), used, idleLimitMs))) return null
  const factors = {
    ...{ hasSecondFactor: secondFactor === true, hasApp: twoFactorEnabled === true, factorAt: factorAt ?? null },
  }
  const mayResetPassword = method === 'link' && getRuntime().clock.now() - used.createdAt < resetMs
  return { id, name, email, sessionId, signedInAt: used.createdAt, mayResetPassword, ...factors }
})

/** With the cookies that an action has just set: the page that is rendered after it belongs to the new session. */
async function presentHeaders(): Promise<Headers> {
  const given = new Headers(await headers())
  const jar = (await cookies()).getAll()
  given.set('cookie', jar.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; '))
  return given
}

const dayMs = 24 * 60 * 60_000
const resetMs = 15 * 60_000

/** The guard of pages and actions that belong to the account and to no organization. */
export async function requireSignedIn(): Promise<SignedIn> {
  return (await findSignedIn()) ?? unauthorized()
}

/** The organization that the user has joined first; null if signed out or without one. */
export async function findHome(): Promise<string | null> {
  const user = await findSignedIn()
  return user && (await findDefaultOrganization(getRuntime().control, user.id))
}

/** For streams, which outlive the request and must end with the session. */
export async function findSessionId(): Promise<string | null> {
  return (await findSignedIn())?.sessionId ?? null
}

/** The other organizations of the user, to switch to. */
export async function listOtherOrganizations(viewer: Viewer): Promise<{ slug: string; name: string }[]> {
  const all = await listMemberships(getRuntime().control, viewer.user.id)
  return all.filter(({ slug }) => slug !== viewer.organization.slug)
}
