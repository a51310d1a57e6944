import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { lockIssues, logIssueChanges } from './change-issues.ts'
import { writeActivity } from './write-activity.ts'

export type MergeIssues = { projectId: number; targetIssueId: number; issueIds: readonly number[] }
type MergeIssuesResult =
  | {
      ok: true
      /** The moved hashes, for `undoMerge`. */
      moved: HashRow[]
    }
  | { ok: false; code: 'issue_not_found' | 'nothing_to_merge' | 'too_many_issues' }

/** Issues. All their hashes move in one transaction. */
const maxIssues = 500

/**
 * Moves all hash rows of the issues to the target, with counts and users. Each hash keeps its first issue as `home_issue_id`;
 * that issue keeps its number, state and history, and is not listed while it has no hash.
 */
export function mergeIssues(
  context: CommandContext,
  { projectId, targetIssueId, issueIds }: MergeIssues,
): Promise<MergeIssuesResult> {
  return inTransaction<MergeIssuesResult>(context, async inner => {
    const sources = [...new Set(issueIds)].filter(id => id !== targetIssueId)
    if (sources.length === 0) return { ok: false, code: 'nothing_to_merge' }
    if (sources.length > maxIssues) return { ok: false, code: 'too_many_issues' }
    const wanted = [targetIssueId, ...sources]
    const found = await lockIssues(inner, projectId, wanted)
    if (found === null) return { ok: false, code: 'issue_not_found' }
    const moved = await readIssueHashes(inner, sources)
    for (const row of moved) await moveHash(inner, row, { issueId: targetIssueId, homeId: row.homeId ?? row.issueId })
    await writeActivity(inner, '', [
      { issueId: targetIssueId, projectId, kind: 'merged', detail: { issues: await nameIssues(inner, sources) } },
    ])
    await logIssueChanges(
      inner,
      'merged',
      wanted.map(id => ({ issue: { id, project_id: projectId } })),
    )
    await writeAudit(inner, {
      organizationId: found.organizationId,
      action: 'issue.merge',
      target: `issue:${targetIssueId}`,
      detail: { project: projectId, issues: sources.join(','), hashes: moved.length },
    })
    return { ok: true, moved }
  })
}

/** Title and looks of an issue, from one of its events. */
export type IssueLook = { title: string; culprit: string; kind: string; level: string }

type UnmergeIssues = {
  projectId: number
  issueId: number
  hashes: readonly { version: number; hash: string }[]
  /** For the new issue, if groups that weren't merged leave. Without it, that issue gets the title of this one. */
  look?: IssueLook | null
}
type UnmergeIssuesResult =
  | {
      ok: true
      /** Issues that got hashes back, and the new issue for hashes that have always been here. */
      revivedIssueIds: number[]
      newIssueId: number | null
    }
  | { ok: false; code: 'issue_not_found' | 'hash_not_found' | 'nothing_would_stay' }

/**
 * Moves hashes out of an issue: merged ones go back to their home issue with everything counted since, others go to a new issue. An issue
 * keeps at least one hash that wasn't merged, because its title names that error: when all of those are named, the merged ones go home instead.
 */
export function unmergeIssues(
  context: CommandContext,
  { projectId, issueId, hashes, look = null }: UnmergeIssues,
): Promise<UnmergeIssuesResult> {
  return inTransaction<UnmergeIssuesResult>(context, async inner => {
    const found = await lockIssues(inner, projectId, [issueId])
    if (found === null) return { ok: false, code: 'issue_not_found' }
    const present = await readIssueHashes(inner, [issueId])
    const wanted = new Set(hashes.map(keyOf))
    const named = present.filter(row => wanted.has(keyOf(row)))
    if (named.length === 0 || named.length < wanted.size) return { ok: false, code: 'hash_not_found' }
    const keepsOwn = present.some(row => row.homeId === null && !named.includes(row))
    const taken = keepsOwn ? named : present.filter(row => row.homeId !== null)
    const guests = taken.filter(row => row.homeId !== null)
    const natives = taken.filter(row => row.homeId === null)
    if (guests.length + natives.length === 0) return { ok: false, code: 'nothing_would_stay' }
    const newIssueId = natives.length > 0 ? await createIssueLike(inner, issueId, look) : null
    // In the order in which they were read, as digest locks them.
    for (const row of taken) {
      const goesTo = row.homeId ?? (natives.includes(row) ? newIssueId : null)
      if (goesTo !== null) await moveHash(inner, row, { issueId: goesTo, homeId: row.homeId ?? issueId })
    }
    const revivedIssueIds = homesOf(guests)
    const targets = [...revivedIssueIds, ...(newIssueId === null ? [] : [newIssueId])]
    const issues = await nameIssues(inner, targets)
    await writeActivity(inner, '', [{ issueId, projectId, kind: 'unmerged', detail: { issues } }])
    await logIssueChanges(
      inner,
      'unmerged',
      [issueId, ...targets].map(id => ({ issue: { id, project_id: projectId } })),
    )
    await writeAudit(inner, {
      organizationId: found.organizationId,
      action: 'issue.unmerge',
      target: `issue:${issueId}`,
      detail: { project: projectId, hashes: guests.length + natives.length, newIssue: newIssueId ?? 0 },
    })
    return { ok: true, revivedIssueIds, newIssueId }
  })
}

const keyOf = ({ version, hash }: { version: number; hash: string }): string => `${version}:${hash}`
const homesOf = (rows: HashRow[]): number[] =>
  [...new Set(rows.flatMap(row => row.homeId ?? []))].toSorted((a, b) => a - b)

/** One statement per hash: a single one for all would lock them in an arbitrary order. */
export async function moveHash(
  { db }: CommandContext,
  { projectId, version, hash }: HashRow,
  { issueId, homeId }: { issueId: number; homeId: number | null },
): Promise<void> {
  await db
    .updateTable('issue_hash')
    .set({ issue_id: issueId, home_issue_id: homeId === issueId ? null : homeId })
    .where('project_id', '=', projectId)
    .where('group_version', '=', version)
    .where('group_hash', '=', hash)
    .execute()
}

/** A hash, the issue it counts for, and its home issue; `homeId` is null while both are the same. */
export type HashRow = { projectId: number; version: number; hash: string; issueId: number; homeId: number | null }

/** In the order in which digest locks them, so that the two cannot deadlock. */
export async function readIssueHashes({ db }: CommandContext, issueIds: readonly number[]): Promise<HashRow[]> {
  const rows = await db
    .selectFrom('issue_hash')
    .select(['project_id', 'group_version', 'group_hash', 'issue_id', 'home_issue_id'])
    .where('issue_id', 'in', issueIds)
    .orderBy('group_version')
    .orderBy('group_hash')
    .execute()
  return rows.map(row => ({
    projectId: row.project_id,
    version: row.group_version,
    hash: row.group_hash,
    issueId: row.issue_id,
    homeId: row.home_issue_id,
  }))
}

const maxNamed = 20 // in one activity entry; the rest is a number

/** Short ids like `WEB-42`, for an activity entry. */
async function nameIssues({ db }: CommandContext, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.number', 'project.slug'])
    .where('issue.id', 'in', ids)
    .orderBy('issue.number')
    .execute()
  const names = rows.map(({ number, slug }) => `${slug.toUpperCase()}-${number}`)
  return names.length > maxNamed ? [...names.slice(0, maxNamed), `${names.length - maxNamed} more`] : names
}

/** Every column of a hash row, for copies to `deleted_hash` and back. */
export const hashColumns = [
  'project_id',
  'group_version',
  'group_hash',
  'issue_id',
  'event_count',
  'first_seen',
  'last_seen',
  'first_release',
  'last_release',
  'last_event_id',
  'user_sketch',
  'user_count',
  'home_issue_id',
] as const

/** Creates an issue with the project's next number. Hashes don't have titles, so it copies the given issue unless there is a better look. */
async function createIssueLike({ db, now }: CommandContext, issueId: number, look: IssueLook | null): Promise<number> {
  const like = await db
    .selectFrom('issue')
    .select(['project_id', 'title', 'culprit', 'kind', 'level', 'side', 'priority', 'is_unhandled'])
    .where('id', '=', issueId)
    .executeTakeFirstOrThrow()
  const project = await db
    .updateTable('project')
    .set(eb => ({ last_issue_number: eb('last_issue_number', '+', 1) }))
    .where('id', '=', like.project_id)
    .returning('last_issue_number')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('issue')
    .values({ ...like, ...look, number: project.last_issue_number, status: 'unresolved', created_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
