import type { Viewer } from '#domain/access/viewer.ts'

const maxMarks = 6

export type ReleaseMark = { release: string; at: number }

/** The newest releases that a project first sent events from in the range, oldest first: the marks of a chart. */
export async function listReleaseMarks(
  viewer: Viewer,
  projectId: number,
  { from, to }: { from: number; to: number },
): Promise<ReleaseMark[]> {
  const rows = await viewer.control
    .within([projectId])
    .seenReleases()
    .select(['version', 'first_seen'])
    .where('version', '!=', '')
    .where('first_seen', '>', from)
    .where('first_seen', '<=', to)
    .orderBy('first_seen', 'desc')
    .orderBy('version', 'desc')
    .limit(maxMarks)
    .execute()
  return rows.map(({ version, first_seen: at }) => ({ release: version, at })).reverse()
}
