import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import { cellSql } from '#domain/events/log-term.ts'
import type { ListedLine } from '../list-logs.ts'
import { type LogFilter, logScope } from '../log-condition.ts'
import { lineColumns, lineRow } from '../log-line.ts'

const dayMs = 86_400_000
const cells = z.object({ cells: z.array(z.string()), matched: z.coerce.number() })

type Wanted = {
  inboxId: string
  /** Without this one. */
  after: number
  upTo: number
  /** When the reader was last up to date. */
  since: number
}

/**
 * The newest matching lines of some batches, and how many there are. Lines whose own time is more than a day before `since` are left to
 * the search: the table is ordered by that time.
 */
export async function readBatches(
  viewer: Viewer,
  filter: Pick<LogFilter, 'terms' | 'projectIds' | 'environment'>,
  { inboxId, after, upTo, since }: Wanted,
  { columns, limit }: { columns: readonly string[]; limit: number },
): Promise<{ lines: ListedLine[]; matched: number }> {
  const { params, bind } = boundParams()
  const where = logScope(filter, { from: since - dayMs, to: viewer.now + dayMs }, bind)
  const number = `toUInt64OrZero(extract(batch_id, '^[^:]*:([0-9]+)'))`
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT ${lineColumns}, CAST([${columns.map(key => cellSql(key, bind)).join(', ')}], 'Array(String)') AS cells,
        count() OVER () AS matched
      FROM logs
      WHERE ${where} AND startsWith(batch_id, ${bind(`${inboxId}:`, 'String')})
        AND ${number} > ${bind(after, 'UInt64')} AND ${number} <= ${bind(upTo, 'UInt64')}
      ORDER BY ${number} DESC, timestamp DESC, sequence DESC, log_id DESC
      LIMIT ${bind(limit, 'UInt32')}`,
    params,
    schema: lineRow.and(cells),
  })
  return { lines: rows.map(({ matched: _, ...line }) => line), matched: rows[0]?.matched ?? 0 }
}
