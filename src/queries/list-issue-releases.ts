import { z } from 'zod'
import type { Issue } from './find-issue.ts'
import { type IssueEventFilter, issueEventScope } from './issue-event-scope.ts'
import type { Viewer } from './viewer.ts'

const row = z.object({ release: z.string(), first_seen: z.coerce.number(), quantity: z.coerce.number() })
const maxReleases = 6

/** The releases that an issue was seen in, by when it was first seen in each; the newest ones. */
export async function listIssueReleases(viewer: Viewer, issue: Issue, filter: IssueEventFilter) {
  const scope = issueEventScope(issue, filter)
  const rows = await viewer.telemetry.query({
    query: `
      SELECT release, toUnixTimestamp64Milli(min(timestamp)) AS first_seen, sum(weight) AS quantity
      FROM ${scope.source}
      WHERE ${scope.where} AND release != ''
      GROUP BY release
      ORDER BY first_seen DESC, release
      LIMIT {limit:UInt32}`,
    params: { ...scope.params, limit: maxReleases },
    schema: row,
  })
  return rows.map(({ release, first_seen, quantity }) => ({ release, firstSeen: first_seen, quantity })).reverse()
}
