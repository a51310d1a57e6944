import { redirect } from 'next/navigation'
import { hasSlug } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { findProject, type ProjectSummary } from '#domain/projects/list-projects.ts'

/** The project in the URL. A slug that it had before redirects to its address, which is temporary because slugs can change back. */
export async function findAddressedProject(viewer: Viewer, slug: string, rest = ''): Promise<ProjectSummary | null> {
  const current = viewer.projects.find(project => hasSlug(project, slug))?.slug
  if (current !== undefined && current !== slug) redirect(`/${viewer.organization.slug}/projects/${current}${rest}`)
  return findProject(viewer, slug)
}
