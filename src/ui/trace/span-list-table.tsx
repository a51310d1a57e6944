import { Ago } from '../ago.tsx'
import { DataTable, numeric } from '../data-table.tsx'
import { formatDuration } from '../format.ts'
import { Level } from '../level.tsx'
import { Link } from '../link.tsx'
import { shorten } from '../shorten.ts'
import { Wire } from '../wire.tsx'

type SpanListView = {
  spanId: string
  traceId: string
  href: string
  at: number
  durationUs: number
  name: string
  op: string
  side: string
  isFailed: boolean
  statusCode: number
  release: string
  environment: string
  userId: string
  browser: string
  project: string
}

/** Spans of many traces, each linked to its trace. */
export function SpanListTable({ rows, now }: { rows: SpanListView[]; now: number }) {
  const longestUs = Math.max(1, ...rows.map(({ durationUs }) => durationUs))
  return (
    <DataTable
      label="Spans"
      look="page tspans"
      columns={[
        'Span',
        numeric('Duration'),
        { label: 'Share of the longest', look: 'wide', isHidden: true },
        'Status',
        { label: 'Project', look: 'wide' },
        { label: 'Release', look: 'wide' },
        { label: 'User', look: 'wide' },
        numeric('When'),
      ]}
    >
      {rows.map(row => (
        <tr key={`${row.traceId}${row.spanId}`}>
          <td>
            <Link className="spanlink" href={row.href}>
              <Wire side={row.side} />
              {row.op === '' ? null : <span className="op">{shorten(row.op, 40)}</span>}
              <span className="cut nm">{shorten(row.name || row.spanId, 160)}</span>
            </Link>
          </td>
          <td className="num">{formatDuration(row.durationUs)}</td>
          <td className="wide" aria-hidden="true">
            <span className="meter">
              <i style={{ width: `${Math.max(1, (row.durationUs / longestUs) * 100).toFixed(1)}%` }} />
            </span>
          </td>
          <td>
            <span className={row.isFailed ? 'state bad' : 'state'}>
              {row.isFailed ? <Level level="error" /> : null}
              {statusWord(row)}
            </span>
          </td>
          <td className="wide">{row.project}</td>
          <td className="wide mono cut">{shorten(row.release, 30)}</td>
          <td className="wide cut">{shorten(row.userId, 24)}</td>
          <td className="num">
            <Ago at={row.at} now={now} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

const statusWord = ({ statusCode, isFailed }: SpanListView): string =>
  statusCode > 0 ? String(statusCode) : isFailed ? 'failed' : 'ok'
