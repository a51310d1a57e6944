/** A hash that nobody has counted yet: for the issue that an older grouping version knows it by, or for a new one. */
import type { Transaction } from 'kysely'
import type { ControlDialect } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { addToHash } from './add-to-hash.ts'
import { findOlderIssue, type OlderIssue } from './find-older-issue.ts'
import type { SightingGroup } from './group-sightings.ts'
import { sketchUsers } from './sketch-users.ts'

type Trx = Transaction<ControlSchema>

/** Locks the project's row first, so of two nodes with the same new hash the second finds what the first one added. */
export async function addHash(trx: Trx, dialect: ControlDialect, group: SightingGroup): Promise<number> {
  await lockProject(trx, group.first.projectId)
  const known = await addToHash(trx, dialect, group)
  if (known !== null) return known
  const issue: OlderIssue = (await findOlderIssue(trx, group)) ?? {
    issue_id: await createIssue(trx, group),
    home_issue_id: null,
  }
  const { first, last } = group
  await trx
    .insertInto('issue_hash')
    .values({
      project_id: first.projectId,
      group_version: first.groupVersion,
      group_hash: first.groupHash,
      ...issue,
      event_count: group.count,
      first_seen: first.timestamp,
      last_seen: last.timestamp,
      first_release: first.release,
      last_release: last.release,
      last_event_id: last.eventId,
      ...sketchUsers(null, group.users),
    })
    .execute()
  return issue.issue_id
}

/** An update that changes nothing locks on both engines. */
async function lockProject(trx: Trx, projectId: number): Promise<void> {
  await trx
    .updateTable('project')
    .set(eb => ({ last_issue_number: eb.ref('last_issue_number') }))
    .where('id', '=', projectId)
    .execute()
}

async function createIssue(trx: Trx, { first }: SightingGroup): Promise<number> {
  const project = await trx
    .updateTable('project')
    .set(eb => ({ last_issue_number: eb('last_issue_number', '+', 1) }))
    .where('id', '=', first.projectId)
    .returning('last_issue_number')
    .executeTakeFirstOrThrow()
  const { id } = await trx
    .insertInto('issue')
    .values({
      project_id: first.projectId,
      number: project.last_issue_number,
      title: first.title,
      culprit: first.culprit,
      kind: first.kind,
      level: first.level,
      place: first.place,
      status: 'unresolved',
      created_at: first.timestamp,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
