import { type Column, DataTable, numeric } from '../data-table.tsx'
import { formatDuration } from '../format.ts'
import { Link } from '../link.tsx'
import { shorten } from '../shorten.ts'
import { Ago } from '../time/ago.tsx'
import styles from '../trace/trace-list-table.module.css'
import { Wire } from '../wire.tsx'

type ProfileView = {
  spanId: string
  href: string
  at: number
  durationUs: number
  name: string
  op: string
  route: string
  platform: string
  side: string
  release: string
  environment: string
  project: string
}
type Sorted = NonNullable<Column['sort']>
type Props = { rows: ProfileView[]; now: number; sorts: { duration: Sorted; at: Sorted } }

/** One row per page view or request that was profiled, linked to its flame chart. */
export function ProfileTable({ rows, now, sorts }: Props) {
  return (
    <DataTable
      label="Profiles"
      look={`page ${styles.traces}`}
      columns={[
        'Profile',
        { ...numeric('Duration'), sort: sorts.duration },
        { label: 'Platform', look: 'wide' },
        { label: 'Project', look: 'wide' },
        { label: 'Release', look: 'wide' },
        { label: 'Environment', look: 'wide' },
        { ...numeric('When'), sort: sorts.at },
      ]}
    >
      {rows.map(row => (
        <tr key={row.href}>
          <td>
            <Link className={styles.name} href={row.href}>
              <Wire side={row.side} />
              {row.op === '' ? null : <span className={styles.op}>{shorten(row.op, 40)}</span>}
              <span className="cut">{shorten(row.route || row.name || row.spanId, 160)}</span>
            </Link>
          </td>
          <td className="num">{formatDuration(row.durationUs)}</td>
          <td className="wide">{platformName(row.platform)}</td>
          <td className="wide">{row.project}</td>
          <td className="wide mono cut">{shorten(row.release, 30)}</td>
          <td className="wide cut">{shorten(row.environment, 24)}</td>
          <td className="num">
            <Ago at={row.at} now={now} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

const platformName = (platform: string): string =>
  platform === 'node' ? 'Node' : platform === 'javascript' ? 'Browser' : shorten(platform, 24)
