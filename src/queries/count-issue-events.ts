import { z } from 'zod'
import type { Issue } from './find-issue.ts'
import { type IssueEventFilter, issueEventScope } from './issue-event-scope.ts'
import type { Viewer } from './viewer.ts'

export const barCount = 60

export type EventBars = { from: number; to: number; stepMs: number; counts: number[] }

const row = z.object({ bar: z.coerce.number(), quantity: z.coerce.number() })
const maxSpanMs = 30 * 24 * 3_600_000
const minSpanMs = 3_600_000

/** Events of an issue over its life, or over the span that the address names, in bars of equal length. */
export async function countIssueEvents(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<EventBars> {
  const to = filter.to ?? viewer.now
  const from = filter.from ?? Math.min(Math.max(issue.firstSeen, to - maxSpanMs), to - minSpanMs)
  const stepMs = Math.max(1, Math.ceil((to - from) / barCount))
  const scope = issueEventScope(issue, { ...filter, from, to })
  const rows = await viewer.telemetry.query({
    query: `
      SELECT intDiv(toUnixTimestamp64Milli(timestamp) - {start:Int64}, {stepMs:Int64}) AS bar, sum(weight) AS quantity
      FROM ${scope.source}
      WHERE ${scope.where}
      GROUP BY bar
      ORDER BY bar
      LIMIT {limit:UInt32}`,
    params: { ...scope.params, start: from, stepMs, limit: barCount + 1 },
    schema: row,
  })
  const counts = Array.from({ length: barCount }, () => 0)
  for (const { bar, quantity } of rows) {
    const index = Math.min(Math.max(bar, 0), barCount - 1)
    counts[index] = (counts[index] ?? 0) + Math.round(quantity)
  }
  return { from, to, stepMs, counts }
}
