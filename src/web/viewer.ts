import { notFound, unauthorized } from 'next/navigation'
import { cache } from 'react'
import { findMembership } from '#queries/find-membership.ts'
import { listOrganizationProjects } from '#queries/list-organization-projects.ts'
import type { Viewer } from '#queries/viewer.ts'
import { getRuntime } from '#runtime.ts'
import { findSignedIn } from './session.ts'

/**
 * The guard: first in each page, layout, action and route of an organisation, before any Suspense, so that the status is true.
 * Signed out is 401, which draws sign-in in place. A stranger gets 404: a 403 would confirm that the organisation exists.
 */
export const requireViewer = cache(async (organizationSlug: string): Promise<Viewer> => {
  const user = await findSignedIn()
  if (!user) unauthorized()
  const { control, telemetry, clock } = getRuntime()
  const membership = await findMembership(control, user.id, organizationSlug)
  if (!membership) notFound()
  const { role, ...organization } = membership
  const projects = await listOrganizationProjects(control, organization.id)
  return admit({ user, organization, role, projects, control, telemetry, now: clock.now() })
})

type Checked = { [Key in keyof Viewer as Key extends string ? Key : never]: Viewer[Key] }

/** The one place where a viewer comes into being: its membership has just been read. */
function admit(checked: Checked): Viewer {
  return checked as Viewer
}
