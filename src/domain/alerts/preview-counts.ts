import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams, eventCount, userCount } from '#domain/events/event-condition.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { describeCount } from './describe-rule.ts'
import type { CountCondition } from './rule.ts'
import type { IssueMessageType } from './stored-message.ts'

/** When a rule would have matched. */
export type Moment = { at: number; issueId: number; type: IssueMessageType; detail: string }

const row = z.object({
  project_id: z.coerce.number(),
  group_hash: z.string(),
  bucket: z.coerce.number(),
  quantity: z.coerce.number(),
})
const maxRows = 20_000

/** Windows by the clock in which an issue was above the threshold. A rule slides its window, so it may fire a little more often. */
export async function previewCounts(
  viewer: Viewer,
  scope: readonly number[] | undefined,
  counts: readonly CountCondition[],
  range: { from: number; to: number },
): Promise<Moment[]> {
  const moments: Moment[] = []
  for (const count of counts) {
    const rows = await readWindows(viewer, scope, count, range)
    const issueOf = await findIssues(viewer, rows)
    const sums = new Map<string, { issueId: number; bucket: number; quantity: number }>()
    for (const each of rows) {
      const issueId = issueOf.get(`${each.project_id} ${each.group_hash}`)
      if (issueId === undefined) continue
      const key = `${issueId} ${each.bucket}`
      const sum = sums.get(key) ?? { issueId, bucket: each.bucket, quantity: 0 }
      sum.quantity += each.quantity
      sums.set(key, sum)
    }
    for (const { issueId, bucket, quantity } of sums.values()) {
      const before = sums.get(`${issueId} ${bucket - 1}`)?.quantity ?? 0
      if (!isAbove(count, quantity, before)) continue
      const at = Math.min(range.to, (bucket + 1) * count.withinMs)
      const detail = `${formatWhole(Math.round(quantity))} ${count.of}; ${describeCount(count)}`
      moments.push({ at, issueId, type: 'issue.frequent', detail })
    }
  }
  return moments
}

/** Whether a window is above what the rule allows, given the window before. */
export function isAbove({ above, percentMore }: CountCondition, quantity: number, before: number): boolean {
  if (quantity <= above) return false
  return percentMore === null || quantity > before * (1 + percentMore / 100)
}

function readWindows(
  viewer: Viewer,
  scope: readonly number[] | undefined,
  { of, withinMs, percentMore, above }: CountCondition,
  { from, to }: { from: number; to: number },
) {
  const { params, bind } = boundParams()
  // A hash may be one of several of its issue, and the window before counts too: only a plain threshold can leave rows out here.
  const least = percentMore === null ? Math.max(1, Math.ceil(above / 4)) : 1
  return viewer.telemetry.within(scope).query({
    query: `
      SELECT project_id, toString(group_hash) AS group_hash,
        intDiv(toUnixTimestamp64Milli(timestamp), ${bind(withinMs, 'Int64')}) AS bucket,
        ${of === 'events' ? eventCount : userCount} AS quantity
      FROM event_index
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})
        AND timestamp <= fromUnixTimestamp64Milli(${bind(to, 'Int64')})
      GROUP BY project_id, group_hash, bucket
      HAVING quantity >= ${bind(least, 'UInt64')}
      ORDER BY quantity DESC LIMIT ${bind(maxRows, 'UInt32')}`,
    params,
    schema: row,
  })
}

async function findIssues(viewer: Viewer, rows: readonly { project_id: number; group_hash: string }[]) {
  const hashes = [...new Set(rows.map(each => each.group_hash))]
  const found = new Map<string, number>()
  for (let start = 0; start < hashes.length; start += 400)
    for (const each of await viewer.control
      .issueHashes()
      .select(['project_id', 'group_hash', 'issue_id'])
      .where('group_hash', 'in', hashes.slice(start, start + 400))
      .execute())
      found.set(`${each.project_id} ${each.group_hash}`, each.issue_id)
  return found
}
