import type { ProjectSummary } from '#queries/list-projects.ts'
import type { Viewer } from '#queries/viewer.ts'

/** A project with the fields that tools read. There are no teams: the organisation is the team. */
export function describeProject({ organization }: Viewer, project: ProjectSummary) {
  const { id, slug, name, platform, createdAt, firstEventAt } = project
  return {
    id: String(id),
    slug,
    name,
    platform,
    dateCreated: new Date(createdAt).toISOString(),
    firstEvent: firstEventAt === null ? null : new Date(firstEventAt).toISOString(),
    isBookmarked: false,
    isMember: true,
    hasAccess: true,
    status: 'active',
    features: [],
    team: null,
    teams: [],
    organization: { id: String(organization.id), slug: organization.slug, name: organization.name },
  }
}
