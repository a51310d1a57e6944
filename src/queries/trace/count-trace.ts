import { explore } from '../explore/explore.ts'
import { readUuid } from '../explore/read-value.ts'
import type { Viewer } from '../viewer.ts'
import type { TraceRange } from './list-trace-spans.ts'

const maxGroups = 1_000

/** What a trace holds, counted by kind, by operation and by segment. */
export async function countTrace(viewer: Viewer, traceId: string, range: TraceRange) {
  const isTrace = readUuid(traceId) !== null
  const count = async (dataset: string, group: string[]) => {
    const question = { dataset, fields: [...group, 'count()'], query: `trace:${traceId}`, sort: ['-count()'] }
    const found = isTrace ? await explore(viewer, question, range, { limit: maxGroups, offset: 0 }) : null
    const rows = found?.ok ? found.rows : []
    return rows.map((row): [string, number] => [String(row[group[0] ?? ''] ?? ''), Number(row['count()'] ?? 0)])
  }
  const [errors, logs, byOp, bySegment] = await Promise.all([
    count('errors', []),
    count('logs', []),
    count('spans', ['span.op']),
    count('spans', ['segment.id']),
  ])
  return {
    errors: errors[0]?.[1] ?? 0,
    logs: logs[0]?.[1] ?? 0,
    spans: byOp.reduce((sum, [, quantity]) => sum + quantity, 0),
    spansByOp: Object.fromEntries(byOp),
    spansBySegment: bySegment,
  }
}
