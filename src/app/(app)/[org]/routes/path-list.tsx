import type { Viewer } from '#domain/access/viewer.ts'
import { listPaths } from '#domain/routes/list-paths.ts'
import type { RouteFilter } from '#domain/routes/route-sums.ts'
import { Blank, FailedPanel } from '#ui/blank.tsx'
import { DataTable, numeric, stacked } from '#ui/data-table.tsx'
import { formatCount } from '#ui/format.ts'
import { showHidden } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { attempt } from '#web/attempt.ts'
import styles from './route-table.module.css'

type Props = { viewer: Viewer; filter: RouteFilter; kind: 'unmatched' | 'not-found' }

/** Paths with the pages that led to them. */
export async function PathList({ viewer, filter, kind }: Props) {
  const listed = await attempt('paths', listPaths(viewer, filter, kind))
  if (!listed.ok) return <FailedPanel what="Paths" reference={listed.reference} />
  if (listed.value.length === 0)
    return kind === 'unmatched' ? (
      <p className="t3">No such paths in the last two days of this time range.</p>
    ) : (
      <Blank title="No 404s in the last two days of this time range">
        Paths that a server answers with 404, and pages without a route, are listed here with the page that led to them.
      </Blank>
    )
  return (
    <DataTable
      label={kind === 'unmatched' ? 'Paths' : 'Not found'}
      look={`${kind === 'unmatched' ? 'work' : 'page'} ${styles.paths}`}
      isStacked
      columns={['Path', 'From', numeric('Page views'), numeric('Requests'), numeric('Last seen')]}
    >
      {listed.value.map(({ path, from, views, requests, lastAt }) => (
        <tr key={`${path} ${from}`} {...stacked.row}>
          <td {...stacked.cell} className={`what mono ${styles.path}`} title={path}>
            {showHidden(path)}
          </td>
          <td {...stacked.cell} data-label="From" className={`what mono t2 ${styles.from}`} title={from}>
            {from === '' ? <span className="t3">unknown</span> : showHidden(from)}
          </td>
          <td {...stacked.cell} data-label="Page views" className="num">
            {views === 0 ? '–' : formatCount(views)}
          </td>
          <td {...stacked.cell} data-label="Requests" className="num">
            {requests === 0 ? '–' : formatCount(requests)}
          </td>
          <td {...stacked.cell} data-label="Last seen" className="num t2">
            <Ago at={lastAt} now={viewer.now} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
