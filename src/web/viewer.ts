import { notFound, unauthorized } from 'next/navigation'
import { cache } from 'react'
import { findMembership } from '#queries/find-membership.ts'
import { listOrganizationProjects } from '#queries/list-organization-projects.ts'
import type { Viewer } from '#queries/viewer.ts'
import { getRuntime } from '#runtime.ts'
import { admit } from './admit.ts'
import { findSignedIn } from './session.ts'

/**
 * The guard: first in each page, layout, action and route of an organisation, before any Suspense, so that the status is true.
 * Signed out is 401, which draws sign-in in place. A stranger gets 404: a 403 would confirm that the organisation exists.
 */
export async function requireViewer(organizationSlug: string): Promise<Viewer> {
  const admission = await findViewer(organizationSlug)
  if (admission.kind === 'signed_out') unauthorized()
  return admission.kind === 'stranger' ? notFound() : admission.viewer
}

export type Admission = { kind: 'viewer'; viewer: Viewer } | { kind: 'signed_out' } | { kind: 'stranger' }

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
