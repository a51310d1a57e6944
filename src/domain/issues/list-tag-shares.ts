import type { Viewer } from '#domain/access/viewer.ts'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import { readNewestEvents } from '#domain/events/newest-events.ts'
import type { Issue } from './find-issue.ts'
import { knownUsualShares } from './usual-shares.ts'

/** `usual` is the share in the whole project; null while it is unknown. */
type TagShare = { key: string; values: { value: string; share: number; usual: number | null }[]; more: number }

/** The most frequent values of every tag among the newest events of an issue. */
export async function listTagShares(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<TagShare[]> {
  const { tags } = await readNewestEvents(viewer, issue, filter)
  const usual = knownUsualShares(viewer, issue.projectId)
  return tags.map(({ key, quantity, distinct, top }) => ({
    key,
    values: top.map(([value, seen]) => ({
      value,
      share: seen / quantity,
      usual: usual === null ? null : (usual.get(key)?.values.get(value) ?? 0),
    })),
    more: distinct - top.length,
  }))
}
