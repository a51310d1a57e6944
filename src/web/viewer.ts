import { headers } from 'next/headers'
import { notFound, unauthorized } from 'next/navigation'
import { cache } from 'react'
import type { Viewer } from '#domain/access/viewer.ts'
import { findMembership } from '#domain/members/list-members.ts'
import { listOrganizationProjects } from '#domain/projects/list-projects.ts'
import { getRuntime } from '#runtime.ts'
import { getAuth, hasSessionCookie } from './auth.ts'

/**
 * The guard: first in each page, layout, action and route of an organization, before any Suspense, so that the status is true.
 * Signed out is 401, which draws sign-in in place. A stranger gets 404: a 403 would confirm that the organization exists.
 */
export async function requireViewer(organizationSlug: string): Promise<Viewer> {
  const admission = await findViewer(organizationSlug)
  if (admission.kind === 'signed_out') unauthorized()
  return admission.kind === 'stranger' ? notFound() : admission.viewer
}

type Admission = { kind: 'viewer'; viewer: Viewer } | { kind: 'signed_out' } | { kind: 'stranger' }

/** For the layout, which draws sign-in or 404 in place of the page. Asked once per request. */
export const findViewer = cache(async (organizationSlug: string): Promise<Admission> => {
  const user = await findSignedIn()
  if (!user) return { kind: 'signed_out' }
  const { control, telemetry, clock } = getRuntime()
  const membership = await findMembership(control, user.id, organizationSlug)
  if (!membership) return { kind: 'stranger' }
  const { role, ...organization } = membership
  const projects = await listOrganizationProjects(control, organization.id)
  return { kind: 'viewer', viewer: admit({ user, organization, role, projects, control, telemetry, now: clock.now() }) }
})

type SignedIn = { id: string; name: string; email: string }

/** Who sent this request, asked once per request however many components want to know. */
export const findSignedIn = cache(async (): Promise<SignedIn | null> => {
  const given = await headers()
  if (!hasSessionCookie(given)) return null
  const auth = await getAuth()
  const session = await auth.api.getSession({ headers: given })
  if (!session) return null
  const { id, name, email } = session.user
  return { id, name, email }
})

type Checked = { [Key in keyof Viewer as Key extends string ? Key : never]: Viewer[Key] }

/** The one place where a viewer comes into being. Its callers, the guard of pages and the guard of the API, have just read what it claims. */
export function admit(checked: Checked): Viewer {
  return checked as Viewer
}
