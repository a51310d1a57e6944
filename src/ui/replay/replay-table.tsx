import { formatWhole } from '#lib/format-whole.ts'
import { type Column, DataTable, numeric } from '../data-table.tsx'
import { formatMany } from '../format.ts'
import { Link } from '../link.tsx'
import { shorten } from '../shorten.ts'
import { Ago } from '../time/ago.tsx'
import { formatLength } from './format-offset.ts'
import styles from './replay-table.module.css'
import { nameVisitor, type Visitor } from './visitor.ts'

export type ReplayRow = {
  replayId: string
  href: string
  startedAt: number
  endedAt: number
  urls: readonly string[]
  errors: number
  rageClicks: number
  deadClicks: number
  activity: number
  user: Visitor
  browser: string
  os: string
  release: string
  segmentCount: number
  missingSegments: readonly number[]
}
type Sorted = NonNullable<Column['sort']>
type Props = {
  rows: readonly ReplayRow[]
  now: number
  sorts: { duration: Sorted; errors: Sorted; rage: Sorted; activity: Sorted; at: Sorted }
}

/** One row per replay: who, where, for how long, and what went wrong. */
export function ReplayTable({ rows, now, sorts }: Props) {
  return (
    <DataTable
      label="Replays"
      look={`page ${styles.replays}`}
      columns={[
        'User',
        { label: 'Pages', look: 'wide' },
        { ...numeric('Length'), sort: sorts.duration },
        { ...numeric('Errors'), sort: sorts.errors },
        { ...numeric('Dead'), look: 'wide' },
        { ...numeric('Rage'), sort: sorts.rage },
        { label: 'Activity', look: 'wide', sort: sorts.activity },
        { label: 'Browser', look: 'wide' },
        { label: 'Release', look: 'wide' },
        { ...numeric('Started'), sort: sorts.at },
      ]}
    >
      {rows.map(row => (
        <tr key={row.replayId}>
          <td>
            <Link className={styles.name} href={row.href}>
              <b className="cut">{shorten(nameVisitor(row.user, row.replayId), 60)}</b>
              <span className="cut">{describeRow(row)}</span>
            </Link>
          </td>
          <td className="wide">
            <Pages urls={row.urls} />
          </td>
          <td className="num">{formatLength(row.endedAt - row.startedAt)}</td>
          <td className={row.errors > 0 ? 'num bad' : 'num'}>{formatWhole(row.errors)}</td>
          <td className="num wide">{formatWhole(row.deadClicks)}</td>
          <td className={row.rageClicks > 0 ? `num ${styles.rage}` : 'num'}>{formatWhole(row.rageClicks)}</td>
          <td className="wide">
            <Activity of={row.activity} />
          </td>
          <td className="wide cut">{[majorOf(row.browser), row.os.split(' ')[0]].filter(Boolean).join(', ')}</td>
          <td className="wide mono cut">{shorten(row.release, 30)}</td>
          <td className="num">
            <Ago at={row.startedAt} now={now} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

/** `Chrome 156.0.1` as `Chrome 156`. */
const majorOf = (browser: string): string => browser.split('.', 1)[0] ?? browser

function describeRow({ missingSegments, segmentCount, user, urls }: ReplayRow): string {
  if (missingSegments.length > 0) return `${missingSegments.length} of ${segmentCount} segments missing`
  if (user.id === '' && user.email === '' && user.name === '') return 'not signed in'
  return formatMany(urls.length, 'page')
}

const shownPages = 4

/** The first pages and the last one. */
function Pages({ urls }: { urls: readonly string[] }) {
  const paths = urls.map(pathOnly).filter((path, index, all) => path !== all[index - 1])
  const isLong = paths.length > shownPages
  const shown = isLong
    ? [...paths.slice(0, shownPages - 1), `+${paths.length - shownPages}`, paths.at(-1) ?? '']
    : paths
  return (
    <span className={styles.pages} title={paths.slice(0, 30).join(' › ')}>
      {shown.map((path, index) => (
        <span key={index} className="cut">
          {shorten(path, 40)}
        </span>
      ))}
    </span>
  )
}

const pathOnly = (url: string): string => URL.parse(url, 'http://page.invalid')?.pathname ?? url

function Activity({ of }: { of: number }) {
  return (
    <span className={styles.activity} role="img" aria-label={`activity ${of} of 10`}>
      {Array.from({ length: 10 }, (_, index) => (
        <i key={index} className={index < of ? styles.on : undefined} />
      ))}
    </span>
  )
}
