import type { Viewer } from '#domain/access/viewer.ts'

export function listMembers(viewer: Pick<Viewer, 'control'>) {
  return viewer.control
    .members()
    .select(['user.id', 'user.name', 'user.email', 'member.role', 'member.created_at as joinedAt'])
    .orderBy('member.created_at')
    .orderBy('user.id')
    .limit(1_000)
    .execute()
}
