import type { Viewer } from '#domain/access/viewer.ts'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import { readNewestEvents } from '#domain/events/newest-events.ts'
import type { Issue } from './find-issue.ts'
import { isAboutRelease } from './tag-facets.ts'
import { knownUsualShares, usualMs } from './usual-shares.ts'

/** `usual` is the share in the whole project; null while it is unknown, and for releases if it is that of another time. */
type TagShare = { key: string; values: { value: string; share: number; usual: number | null }[]; more: number }

/** The most frequent values of every tag among the newest events of an issue. */
export async function listTagShares(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<TagShare[]> {
  const { tags, occurrences } = await readNewestEvents(viewer, issue, filter)
  const usual = knownUsualShares(viewer, issue.projectId)
  const isOfToday = (occurrences.at(-1)?.at ?? 0) >= viewer.now - usualMs
  return tags.map(({ key, quantity, distinct, top }) => {
    const known = isOfToday || !isAboutRelease(key) ? usual : null
    return {
      key,
      values: top.map(([value, seen]) => ({
        value,
        share: seen / quantity,
        usual: known === null ? null : (known.get(key)?.values.get(value) ?? 0),
      })),
      more: distinct - top.length,
    }
  })
}
