import type { Viewer } from '#domain/access/viewer.ts'
import type { Team } from '#domain/members/teams.ts'
import type { Organization, ProjectSummary } from '#domain/projects/list-projects.ts'
import { publicOrigin } from '../pages.ts'

/** The token's organization with the fields that tools require. */
export function serializeOrganization(request: Request, organization: Organization) {
  const origin = publicOrigin(request)
  return {
    id: String(organization.id),
    slug: organization.slug,
    name: organization.name,
    dateCreated: new Date(organization.createdAt).toISOString(),
    status: { id: 'active', name: 'active' },
    isEarlyAdopter: false,
    require2FA: false,
    requireEmailVerification: false,
    avatar: { avatarType: 'letter_avatar', avatarUuid: null },
    features: [],
    // The MCP server rejects a region URL without https; without one, tools use the URL they were given.
    links: {
      organizationUrl: `${origin}/${organization.slug}`,
      ...(origin.startsWith('https:') && { regionUrl: origin }),
    },
  }
}

/** A project with the fields that tools read. Teams belong to the organization, not to projects. */
export function serializeProject({ organization }: Viewer, project: ProjectSummary) {
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

/** A team with the fields that tools read. */
export const serializeTeam = ({ id, slug, name, userIds, createdAt }: Team, userId: string) => ({
  id: String(id),
  slug,
  name,
  dateCreated: new Date(createdAt).toISOString(),
  isMember: userIds.includes(userId),
  hasAccess: true,
  isPending: false,
  memberCount: userIds.length,
  avatar: { avatarType: 'letter_avatar', avatarUuid: null },
})

/** The member who created the token, or the token itself if there is none. */
export function serializeBearer({ user }: Viewer) {
  const { id, name, email } = user
  return { id, name, email, username: email || name, isActive: true }
}
