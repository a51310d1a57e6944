import { headers } from 'next/headers'
import { notFound, unauthorized } from 'next/navigation'
import { cache } from 'react'
import { may } from '#domain/access/permissions.ts'
import { createViewer, type Viewer } from '#domain/access/viewer.ts'
import { findDefaultOrganization, findMembership, listMemberships } from '#domain/members/find-membership.ts'
import { listVisibleProjects } from '#domain/projects/unscoped-projects.ts'
import { getRuntime } from '#runtime.ts'
import { getAuth, hasSessionCookie } from './auth.ts'

/**
 * The guard, called first in each page, action and route of an organization, before any Suspense, so that the status is right. 401 if
 * signed out, which shows the sign-in form. 404 for other organizations: a 403 would confirm that they exist.
 */
export async function requireViewer(organizationSlug: string): Promise<Viewer> {
  const admission = await findViewer(organizationSlug)
  if (admission.kind === 'signed_out') unauthorized()
  return admission.kind === 'not_member' ? notFound() : admission.viewer
}

type Admission = { kind: 'viewer'; viewer: Viewer } | { kind: 'signed_out' } | { kind: 'not_member' }

/** For the layout, which renders sign-in or 404 itself. Cached per request. */
export const findViewer = cache(async (organizationSlug: string): Promise<Admission> => {
  const user = await findSignedIn()
  if (!user) return { kind: 'signed_out' }
  const { control, telemetry, clock } = getRuntime()
  const membership = await findMembership(control, user.id, organizationSlug)
  if (!membership) return { kind: 'not_member' }
  const { role, ...organization } = membership
  const sight = { seesAll: may(role, 'project:all'), userId: user.id }
  const seen = await listVisibleProjects(control, organization.id, sight)
  const identity = { user, organization, role, ...seen, now: clock.now() }
  return { kind: 'viewer', viewer: createViewer(identity, { control, telemetry }) }
})

type SignedIn = { id: string; name: string; email: string }

/** Cached per request. */
const findSession = cache(async () => {
  const given = await headers()
  if (!hasSessionCookie(given)) return null
  const auth = await getAuth()
  return auth.api.getSession({ headers: given })
})

/** The signed-in user. */
export async function findSignedIn(): Promise<SignedIn | null> {
  const session = await findSession()
  if (!session) return null
  const { id, name, email } = session.user
  return { id, name, email }
}

/** For streams, which outlive the request and must end with the session. */
export async function findSessionId(): Promise<string | null> {
  return (await findSession())?.session.id ?? null
}

/** The organization that the user has joined first; null if signed out or without one. */
export async function findHome(): Promise<string | null> {
  const user = await findSignedIn()
  return user && (await findDefaultOrganization(getRuntime().control, user.id))
}

/** The other organizations of the user, to switch to. */
export async function listOtherOrganizations(viewer: Viewer): Promise<{ slug: string; name: string }[]> {
  const all = await listMemberships(getRuntime().control, viewer.user.id)
  return all.filter(({ slug }) => slug !== viewer.organization.slug)
}
