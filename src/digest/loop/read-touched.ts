/** The issues that a batch's events belong to, as they are, with those events. */
import type { Transaction } from 'kysely'
import { chunkSize } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type Arrival, hashKey } from './arrival.ts'

export type TouchedIssue = Awaited<ReturnType<typeof readRows>>[number] & { arrivals: Arrival[] }
type Trx = Transaction<ControlSchema>

export async function readTouched(trx: Trx, arrivals: readonly Arrival[]): Promise<TouchedIssue[]> {
  const byHash = Map.groupBy(arrivals, hashKey)
  const firsts = [...byHash.values()].flatMap(group => group.slice(0, 1))
  const touched = new Map<number, TouchedIssue>()
  for (const group of Map.groupBy(firsts, ({ projectId, groupVersion }) => `${projectId}:${groupVersion}`).values())
    for (let start = 0; start < group.length; start += chunkSize)
      for (const row of await readRows(trx, group.slice(start, start + chunkSize))) {
        const own = byHash.get(hashKey({ ...row, projectId: row.project_id })) ?? []
        const issue = touched.get(row.id)
        if (issue) issue.arrivals.push(...own)
        else touched.set(row.id, { ...row, arrivals: [...own] })
      }
  return [...touched.values()].sort((a, b) => a.id - b.id)
}

/** All of one project and grouping version: the beginning of the key, so that each hash is one look-up. */
function readRows(trx: Trx, hashes: readonly Arrival[]) {
  const [first] = hashes
  return trx
    .selectFrom('issue_hash')
    .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
    .select([
      'issue.id',
      'issue.project_id',
      'issue.level',
      'issue.status',
      'issue.status_detail',
      'issue.status_at',
      'issue.substatus',
      'issue.substatus_at',
      'issue.is_unhandled',
      'issue.created_at',
      'issue_hash.group_version as groupVersion',
      'issue_hash.group_hash as groupHash',
    ])
    .where('issue_hash.project_id', '=', first?.projectId ?? 0)
    .where('issue_hash.group_version', '=', first?.groupVersion ?? 0)
    .where(
      'issue_hash.group_hash',
      'in',
      hashes.map(hash => hash.groupHash),
    )
    .execute()
}
