import type { Cell } from '../explore/cell.ts'
import { explore } from '../explore/explore.ts'
import { readUuid } from '../explore/read-value.ts'
import type { Viewer } from '../viewer.ts'
import type { TraceRange } from './list-trace-spans.ts'

const fields = [
  'id',
  'issue.id',
  'issue',
  'project.id',
  'project',
  'title',
  'culprit',
  'level',
  'timestamp',
  'span_id',
  'transaction',
]
const maxErrors = 100

/** The errors of a trace, the newest first. */
export async function exploreTraceErrors(
  viewer: Viewer,
  traceId: string,
  range: TraceRange,
): Promise<Record<string, Cell>[]> {
  if (readUuid(traceId) === null) return []
  const question = { dataset: 'errors', fields, query: `trace:${traceId}`, sort: ['-timestamp'] }
  const found = await explore(viewer, question, range, { limit: maxErrors, offset: 0 })
  return found.ok ? found.rows : []
}
