import type { Viewer } from './viewer.ts'

export function listMembers(viewer: Viewer) {
  return viewer.control.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.id', 'user.name', 'user.email', 'member.role', 'member.created_at as joinedAt'])
    .where('member.organization_id', '=', viewer.organization.id)
    .orderBy('member.created_at')
    .orderBy('user.id')
    .limit(1_000)
    .execute()
}
