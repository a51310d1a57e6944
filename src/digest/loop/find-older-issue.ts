import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import type { SightingGroup } from './group-sightings.ts'

/** Hashes. More than one batch can hold of one group only when they say nothing about each other. */
const maxFallbacks = 100

export type OlderIssue = { issue_id: number; home_issue_id: number | null }

/**
 * The issue that an older grouping version put these events into: the newest version's, and of several the largest. It keeps its
 * hashes; ours is added, with the same home, so that what was merged by hand can be taken apart with it.
 */
export async function findOlderIssue(
  trx: Transaction<ControlSchema>,
  group: SightingGroup,
): Promise<OlderIssue | null> {
  const fallbacks = [...group.fallbacks.values()].slice(0, maxFallbacks)
  if (fallbacks.length === 0) return null
  const row = await trx
    .selectFrom('issue_hash')
    .select(['issue_id', 'home_issue_id'])
    .where('project_id', '=', group.first.projectId)
    .where(({ or, and, eb }) =>
      or(fallbacks.map(({ version, hash }) => and([eb('group_version', '=', version), eb('group_hash', '=', hash)]))),
    )
    .orderBy('group_version', 'desc')
    .orderBy('event_count', 'desc')
    .orderBy('issue_id')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
