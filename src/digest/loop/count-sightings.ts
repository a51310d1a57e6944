/** Adds a batch's sightings to their hash rows; a hash nobody has seen gets an issue of its own. */
import type { Transaction } from 'kysely'
import type { ControlDialect } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { Sighting } from '../yield.ts'
import { addHash } from './add-hash.ts'
import { addToHash } from './add-to-hash.ts'
import { groupSightings } from './group-sightings.ts'

/** What happened in one project: the newest event and the issue it went to. */
export type IssueTouch = { events: number; eventId: string; issueId: number; at: number }

export async function countSightings(
  trx: Transaction<ControlSchema>,
  dialect: ControlDialect,
  sightings: Sighting[],
): Promise<Map<number, IssueTouch>> {
  const touched = new Map<number, IssueTouch>()
  for (const group of groupSightings(sightings.map(withoutZeroBytes))) {
    const issueId = (await addToHash(trx, dialect, group)) ?? (await addHash(trx, dialect, group))
    const before = touched.get(group.last.projectId)
    const isNewest = !before || group.last.timestamp >= before.at
    touched.set(group.last.projectId, {
      events: (before?.events ?? 0) + group.count,
      ...(isNewest
        ? { eventId: group.last.eventId, issueId, at: group.last.timestamp }
        : { eventId: before.eventId, issueId: before.issueId, at: before.at }),
    })
  }
  return touched
}

/** PostgreSQL has no place for U+0000 in a text, and SQLite cuts it there. */
const withoutZeroBytes = (sighting: Sighting): Sighting => {
  const { title, culprit, release } = sighting
  if (!`${title}${culprit}${release}`.includes('\0')) return sighting
  return {
    ...sighting,
    title: title.replaceAll('\0', ''),
    culprit: culprit.replaceAll('\0', ''),
    release: release.replaceAll('\0', ''),
  }
}
