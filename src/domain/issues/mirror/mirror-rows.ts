import type { Kysely } from 'kysely'
import { ascendingChunks, chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { ScopedControl } from '#store/control/scoped-control.ts'

type Db = Kysely<ControlSchema>
type Hashes = ReturnType<ScopedControl['issueHashes']>

/** The columns of `issue_state` that mirror control, with the type of each as a parameter. */
export const mirrorColumns = {
  project_id: 'UInt64',
  group_hash: 'String',
  issue_id: 'UInt64',
  number: 'UInt64',
  status: 'String',
  substatus: 'String',
  assignee: 'String',
  priority: 'String',
  level: 'String',
  is_unhandled: 'UInt8',
  title: 'String',
  culprit: 'String',
  first_seen: 'Int64',
  kind: 'String',
  impact: 'UInt16',
} as const
export type MirrorColumn = keyof typeof mirrorColumns
export type MirrorRow = Awaited<ReturnType<ReturnType<typeof withIssues>['execute']>>[number]

const selectHashes = (db: Db) => withIssues(db.selectFrom('issue_hash'))

function withIssues(hashes: Hashes) {
  return hashes
    .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
    .select([
      'issue_hash.project_id',
      'issue_hash.group_hash',
      'issue.id as issue_id',
      'issue.number',
      'issue.status',
      'issue.substatus',
      'issue.assignee',
      'issue.priority',
      'issue.level',
      'issue.is_unhandled',
      'issue.title',
      'issue.culprit',
      'issue_hash.first_seen',
      'issue.kind',
      'issue.impact',
    ])
}

/** The hashes of some issues. `hashes` starts the query: those of all projects, or of a viewer's. */
export async function readMirrorRows(hashes: () => Hashes, issueIds: Iterable<number>): Promise<MirrorRow[]> {
  const rows: MirrorRow[] = []
  for (const ids of ascendingChunks(issueIds))
    for (const row of await withIssues(hashes()).where('issue_hash.issue_id', 'in', ids).execute()) rows.push(row)
  return rows
}

/** The rows of some hashes of a project, whichever issues they belong to by now. */
export async function readRowsOfHashes(db: Db, projectId: number, hashes: readonly string[]): Promise<MirrorRow[]> {
  const rows: MirrorRow[] = []
  for (const chunk of chunksOf(hashes))
    rows.push(
      ...(await selectHashes(db)
        .where('issue_hash.project_id', '=', projectId)
        .where('issue_hash.group_hash', 'in', chunk)
        .execute()),
    )
  return rows
}

const issuesPerRead = 500

/** All hashes, in portions, so that memory stays bounded and the process responsive. */
export async function* readAllMirrorRows(db: Db): AsyncGenerator<MirrorRow[]> {
  const newest = await db
    .selectFrom('issue')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  for (let from = 0; from < (newest?.id ?? 0); from += issuesPerRead)
    yield await selectHashes(db)
      .where('issue_hash.issue_id', '>', from)
      .where('issue_hash.issue_id', '<=', from + issuesPerRead)
      .execute()
}
