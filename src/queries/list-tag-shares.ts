import type { Issue } from './find-issue.ts'
import type { IssueEventFilter } from './issue-event-scope.ts'
import { readNewestEvents } from './newest-events.ts'
import { usualShares } from './usual-shares.ts'
import type { Viewer } from './viewer.ts'

/** `usual` is the share in the whole project; null where that is not known. */
export type TagShare = { key: string; values: { value: string; share: number; usual: number | null }[]; more: number }

/** What the events of an issue have in common: the most frequent values of every tag, among its newest events. */
export async function listTagShares(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<TagShare[]> {
  const { tags } = await readNewestEvents(viewer, issue, filter)
  const usual = usualShares(viewer, issue.projectId)
  return tags.map(({ key, quantity, distinct, top }) => ({
    key,
    values: top.map(([value, seen]) => ({
      value,
      share: seen / quantity,
      usual: usual === null ? null : (usual.get(key)?.get(value) ?? 0),
    })),
    more: distinct - top.length,
  }))
}
