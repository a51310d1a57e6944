/** Adds a batch's sightings to their hash rows; a hash nobody has seen gets an issue of its own. */
import type { Transaction } from 'kysely'
import { addUsers, countUsers, decodeUserSketch, emptyUserSketch, encodeUserSketch } from '#lib/user-sketch.ts'
import type { ControlDialect } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { Sighting } from '../yield.ts'

/** What happened in one project: the newest event and the issue it went to. */
export type IssueTouch = { events: number; eventId: string; issueId: number; at: number }

type Group = { first: Sighting; last: Sighting; count: number; users: Set<string> }
type Trx = Transaction<ControlSchema>

export async function countSightings(
  trx: Trx,
  dialect: ControlDialect,
  sightings: Sighting[],
): Promise<Map<number, IssueTouch>> {
  const touched = new Map<number, IssueTouch>()
  for (const group of groupSightings(sightings.map(withoutZeroBytes))) {
    const issueId = (await addToHash(trx, dialect, group)) ?? (await createIssue(trx, group))
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

/** In the order of their keys: two nodes that count the same hashes lock them in the same order. */
function groupSightings(sightings: Sighting[]): Group[] {
  const groups = new Map<string, Group>()
  for (const sighting of sightings) {
    const key = `${sighting.projectId}:${sighting.groupVersion}:${sighting.groupHash}`
    const group = groups.get(key) ?? { first: sighting, last: sighting, count: 0, users: new Set() }
    groups.set(key, group)
    group.count += sighting.weight
    if (sighting.timestamp < group.first.timestamp) group.first = sighting
    if (sighting.timestamp >= group.last.timestamp) group.last = sighting
    if (sighting.userHash !== '0') group.users.add(sighting.userHash)
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

/** The issue id, or null when the hash is new. The row is read and written back because the sketch is ours, so it is locked first. */
async function addToHash(trx: Trx, dialect: ControlDialect, group: Group): Promise<number | null> {
  const { projectId, groupVersion, groupHash } = group.first
  const row = await trx
    .selectFrom('issue_hash')
    .select(['issue_id', 'first_seen', 'last_seen', 'user_sketch'])
    .where('project_id', '=', projectId)
    .where('group_version', '=', groupVersion)
    .where('group_hash', '=', groupHash)
    .$if(dialect === 'postgres', query => query.forUpdate())
    .executeTakeFirst()
  if (!row) return null
  const users = sketchUsers(row.user_sketch, group.users)
  const isNewer = group.last.timestamp >= row.last_seen
  await trx
    .updateTable('issue_hash')
    .set(eb => ({
      event_count: eb('event_count', '+', group.count),
      first_seen: Math.min(row.first_seen, group.first.timestamp),
      last_seen: Math.max(row.last_seen, group.last.timestamp),
      ...(isNewer ? { last_event_id: group.last.eventId, last_release: group.last.release } : {}),
      ...users,
    }))
    .where('project_id', '=', projectId)
    .where('group_version', '=', groupVersion)
    .where('group_hash', '=', groupHash)
    .execute()
  return row.issue_id
}

/** Taking the next number locks the project's row, so of two nodes with the same new hash the second finds the first one's issue. */
async function createIssue(trx: Trx, group: Group): Promise<number> {
  const { first, last } = group
  const { projectId, groupVersion, groupHash } = first
  const project = await trx
    .updateTable('project')
    .set(eb => ({ last_issue_number: eb('last_issue_number', '+', 1) }))
    .where('id', '=', projectId)
    .returning('last_issue_number')
    .executeTakeFirstOrThrow()
  const known = await addToHash(trx, 'sqlite', group)
  if (known !== null) return known
  const { id } = await trx
    .insertInto('issue')
    .values({
      project_id: projectId,
      number: project.last_issue_number,
      title: first.title,
      culprit: first.culprit,
      kind: first.kind,
      level: first.level,
      status: 'unresolved',
      created_at: first.timestamp,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('issue_hash')
    .values({
      project_id: projectId,
      group_version: groupVersion,
      group_hash: groupHash,
      issue_id: id,
      event_count: group.count,
      first_seen: first.timestamp,
      last_seen: last.timestamp,
      first_release: first.release,
      last_release: last.release,
      last_event_id: last.eventId,
      ...sketchUsers(null, group.users),
    })
    .execute()
  return id
}

function sketchUsers(stored: Uint8Array | null, users: Set<string>): { user_sketch: Uint8Array; user_count: number } {
  const sketch = addUsers(stored === null ? emptyUserSketch : decodeUserSketch(stored), users)
  return { user_sketch: encodeUserSketch(sketch), user_count: countUsers(sketch) }
}
