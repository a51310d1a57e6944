import { z } from 'zod'
import type { Issue } from './find-issue.ts'
import { type IssueEventFilter, issueEventScope } from './issue-event-scope.ts'
import { rememberOfIssue } from './remember-of-issue.ts'
import { tagPairs, tagPairsSource } from './tag-pairs.ts'
import { usualShares } from './usual-shares.ts'
import type { Viewer } from './viewer.ts'

/** `usual` is the share in the whole project; null where that is not known. */
export type TagShare = { key: string; values: { value: string; share: number; usual: number | null }[]; more: number }

const row = z.object({
  key: z.string(),
  quantity: z.coerce.number(),
  distinct: z.coerce.number(),
  top: z.array(z.tuple([z.string(), z.coerce.number()])),
})
const newestEvents = 5_000 // enough for a share; an issue may have millions
const tagsPerEvent = 60
const maxKeys = 30
const valuesPerKey = 5

/** What the events of an issue have in common: the most frequent values of every tag, among its newest events. */
export async function listTagShares(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<TagShare[]> {
  const rows = await rememberOfIssue(viewer, issue, { name: 'tags', filter }, () => readTags(viewer, issue, filter))
  const usual = usualShares(viewer, issue.projectId)
  return rows.map(({ key, quantity, distinct, top }) => ({
    key,
    values: top.map(([value, seen]) => ({
      value,
      share: seen / quantity,
      usual: usual === null ? null : (usual.get(key)?.get(value) ?? 0),
    })),
    more: Math.max(0, distinct - top.length),
  }))
}

function readTags(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<z.output<typeof row>[]> {
  const scope = issueEventScope(issue, filter)
  return viewer.telemetry.query({
    query: `
      WITH newest AS (
        SELECT ${tagPairsSource}
        FROM ${scope.source}
        WHERE ${scope.where}
        ORDER BY timestamp DESC
        LIMIT {newest:UInt32}
      )
      SELECT key, sum(seen) AS quantity, count() AS distinct,
        arraySlice(arrayReverseSort(pair -> pair.2, groupArray((value, seen))), 1, {perKey:UInt32}) AS top
      FROM (
        SELECT pair.1 AS key, substring(pair.2, 1, 200) AS value, count() AS seen
        FROM newest
        ARRAY JOIN ${tagPairs} AS pair
        WHERE pair.2 != ''
        GROUP BY key, value
      )
      GROUP BY key
      ORDER BY quantity DESC, key
      LIMIT {limit:UInt32}`,
    params: {
      ...scope.params,
      newest: newestEvents,
      perEvent: tagsPerEvent,
      perKey: valuesPerKey,
      limit: maxKeys,
    },
    schema: row,
  })
}
