import { listServerWork } from '#queries/route-list/list-server-work.ts'
import { newestExamples } from '#queries/route-list/newest-examples.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { formatCount } from '#ui/format-count.ts'
import { formatDuration } from '#ui/format-duration.ts'
import { Section } from '#ui/section.tsx'
import { showHidden } from '#ui/show-hidden.ts'
import { attempt } from '#web/attempt.ts'
import type { RouteView } from './route-screen.tsx'

export async function ServerWorkList({ viewer, filter, route }: RouteView) {
  if (route.summary.requests.count === 0) return null
  const newest = newestExamples(filter, route.summary)
  const listed = await attempt('server work', listServerWork(viewer, newest, route.route))
  return (
    <Section title="Where the server time goes" note={`per request, last ${formatDuration(newest.rangeMs * 1e3)}`}>
      {!listed.ok ? (
        <FailedPanel what="Server time" reference={listed.reference} />
      ) : listed.value.length === 0 ? (
        <p className="t3">No span inside these requests was sent.</p>
      ) : (
        <table className="tb work">
          <thead>
            <tr>
              <th>Work</th>
              <th className="num">Calls</th>
              <th className="num">p75</th>
            </tr>
          </thead>
          <tbody>
            {listed.value.map(({ op, summary, calls, requests, p75Us, mostCalls, isRepeated }) => (
              <tr key={`${op} ${summary}`}>
                <td className="what mono" title={`${op} ${summary}`}>
                  {showHidden(summary || op)}
                </td>
                <td
                  className={isRepeated ? 'num meh' : 'num t2'}
                  title={isRepeated ? 'The same query again and again in one request: one query could do' : undefined}
                >
                  {isRepeated
                    ? `up to ${formatCount(mostCalls)} ×`
                    : `${(calls / requests).toFixed(1).replace('.0', '')} ×`}
                </td>
                <td className="num">{formatDuration(p75Us)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
