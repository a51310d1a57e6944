import type { Team } from '#queries/list-teams.ts'

/** A team with the fields that tools read. */
export const describeTeam = ({ id, slug, name, userIds, createdAt }: Team, userId: string) => ({
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
