import { formatWhole } from '#lib/format-whole.ts'
import { type Column, DataTable, numeric } from '../data-table.tsx'
import { formatDuration } from '../format.ts'
import { Level } from '../level.tsx'
import { Link } from '../link.tsx'
import { shorten } from '../shorten.ts'
import { Ago } from '../time/ago.tsx'
import { Wire } from '../wire.tsx'
import { isQueryOp, opLabel } from './op-family.tsx'
import styles from './trace-list-table.module.css'

type TraceListView = {
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
  userId: string
  project: string
  matchCount: number
  failedCount: number
  spanCount: number
}
type Sorted = NonNullable<Column['sort']>
type Props = { rows: TraceListView[]; now: number; sorts: { duration: Sorted; failed: Sorted; at: Sorted } }

/** One row per trace, named by the longest of its matching spans and linked to it. */
export function TraceListTable({ rows, now, sorts }: Props) {
  const longestUs = Math.max(1, ...rows.map(({ durationUs }) => durationUs))
  return (
    <DataTable
      label="Traces"
      look={`page ${styles.traces}`}
      columns={[
        'Trace',
        { ...numeric('Duration'), sort: sorts.duration },
        { label: 'Share of the longest', look: 'wide', isHidden: true },
        { ...numeric('Failed'), sort: sorts.failed },
        { ...numeric('Spans'), look: 'wide' },
        { label: 'Status', look: 'wide' },
        { label: 'Project', look: 'wide' },
        { label: 'Release', look: 'wide' },
        { label: 'User', look: 'wide' },
        { ...numeric('When'), sort: sorts.at },
      ]}
    >
      {rows.map(row => (
        <tr key={row.traceId}>
          <td>
            <Link className={styles.name} href={row.href}>
              <Wire side={row.side} />
              {row.op === '' ? null : <span className={styles.op}>{shorten(opLabel(row.op), 40)}</span>}
              <span className={isQueryOp(row.op) ? 'cut mono' : 'cut'}>{shorten(row.name || row.spanId, 160)}</span>
              {row.matchCount > 1 ? (
                <span className={styles.more} title={`${formatWhole(row.matchCount)} spans match`}>
                  +{formatWhole(row.matchCount - 1)}
                </span>
              ) : null}
            </Link>
          </td>
          <td className="num">{formatDuration(row.durationUs)}</td>
          <td className="wide" aria-hidden="true">
            <span className={styles.meter}>
              <i style={{ width: `${Math.max(1, (row.durationUs / longestUs) * 100).toFixed(1)}%` }} />
            </span>
          </td>
          <td className={row.failedCount > 0 ? 'num bad' : 'num'}>
            {row.failedCount > 0 ? <Level level="error" /> : null} {formatWhole(row.failedCount)}
          </td>
          <td className="num wide">{formatWhole(row.spanCount)}</td>
          <td className="wide">{statusWord(row)}</td>
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

const statusWord = ({ statusCode, isFailed }: TraceListView): string =>
  statusCode > 0 ? String(statusCode) : isFailed ? 'failed' : 'ok'
