import { z } from 'zod'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

const perRead = 2_000

/** A row of the mirror, in the order of `mirrorColumns`. */
export type MirrorRow = readonly [
  projectId: number,
  groupHash: string,
  issueId: number,
  number: number,
  status: string,
  substatus: string,
  assignee: string,
  priority: string,
  level: string,
  isUnhandled: number,
  title: string,
  culprit: string,
  firstSeen: number,
]
export const mirrorColumns = [
  'project_id',
  'group_hash',
  'issue_id',
  'number',
  'status',
  'substatus',
  'assignee',
  'priority',
  'level',
  'is_unhandled',
  'title',
  'culprit',
  'first_seen',
]

function readHashes({ db }: Control) {
  return db
    .selectFrom('issue_hash')
    .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
    .select([
      'issue_hash.project_id',
      'issue_hash.group_hash',
      'issue.id',
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
    ])
}

type Read = Awaited<ReturnType<ReturnType<typeof readHashes>['execute']>>[number]

const toMirrorRow = (row: Read): MirrorRow => [
  row.project_id,
  row.group_hash,
  row.id,
  row.number,
  row.status,
  row.substatus,
  row.assignee,
  row.priority,
  row.level,
  row.is_unhandled,
  row.title,
  row.culprit,
  row.first_seen,
]

/** The hashes of some issues. */
export async function readMirrorRows(control: Control, issueIds: number[]): Promise<MirrorRow[]> {
  const rows: MirrorRow[] = []
  for (let start = 0; start < issueIds.length; start += 500) {
    const part = await readHashes(control)
      .where('issue_hash.issue_id', 'in', issueIds.slice(start, start + 500))
      .execute()
    rows.push(...part.map(toMirrorRow))
  }
  return rows
}

/** The current rows of hashes that have left their issue. */
export async function readMovedRows(control: Control, hashes: string[]): Promise<MirrorRow[]> {
  if (hashes.length === 0) return []
  const rows = await readHashes(control).where('issue_hash.group_hash', 'in', hashes.slice(0, 500)).execute()
  return rows.map(toMirrorRow)
}

/** All hashes, in chunks, so that the process stays responsive. */
export async function* readAllMirrorRows(control: Control): AsyncGenerator<MirrorRow[]> {
  const newest = await control.db
    .selectFrom('issue')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  for (let from = 0; from <= (newest?.id ?? 0); from += perRead) {
    const rows = await readHashes(control)
      .where('issue_hash.issue_id', '>', from)
      .where('issue_hash.issue_id', '<=', from + perRead)
      .execute()
    yield rows.map(toMirrorRow)
  }
}

const row = z.tuple([
  z.coerce.number(),
  z.string(),
  z.coerce.number(),
  z.coerce.number(),
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.coerce.number(),
  z.string(),
  z.string(),
  z.coerce.number(),
])
const writtenPerRead = 50_000

/** The rows that an earlier process wrote: unchanged ones are not written again. */
export async function* readWrittenRows(telemetry: Telemetry): AsyncGenerator<MirrorRow[]> {
  for (let last: MirrorRow | undefined, isFirst = true; isFirst || last; isFirst = false) {
    const rows = await telemetry.query({
      query: `
        SELECT [${mirrorColumns.map(column => `toString(${column})`).join(', ')}] AS fields
        FROM issue_state FINAL
        WHERE is_deleted = 0 AND (project_id, toString(group_hash)) > ({project:UInt64}, {hash:String})
        ORDER BY project_id, group_hash
        LIMIT {limit:UInt32}`,
      params: { project: last?.[0] ?? 0, hash: last?.[1] ?? '', limit: writtenPerRead },
      schema: z.object({ fields: row }),
    })
    yield rows.map(({ fields }) => fields)
    last = rows.length === writtenPerRead ? rows.at(-1)?.fields : undefined
  }
}
