import type { Organization } from '#queries/get-organization.ts'
import { publicOrigin } from './public-origin.ts'

/** The organisation of the token, with the fields that tools refuse to do without. */
export function describeOrganization(request: Request, organization: Organization) {
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
    // A region that is not https is refused by the MCP server; without one, every tool asks the address that it was given.
    links: {
      organizationUrl: `${origin}/${organization.slug}`,
      ...(origin.startsWith('https:') && { regionUrl: origin }),
    },
  }
}
