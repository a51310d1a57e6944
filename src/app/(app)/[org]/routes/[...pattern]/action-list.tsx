import { listServerActions } from '#queries/route-list/list-server-actions.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { formatCount } from '#ui/format-count.ts'
import { formatDuration } from '#ui/format-duration.ts'
import { Section } from '#ui/section.tsx'
import { showHidden } from '#ui/show-hidden.ts'
import { attempt } from '#web/attempt.ts'
import type { RouteView } from './route-screen.tsx'

export async function ActionList({ viewer, filter, route }: RouteView) {
  if (route.summary.actions.count === 0) return null
  const listed = await attempt('server actions', listServerActions(viewer, filter, route.route))
  return (
    <Section title="Server actions" note="called from this route in the last 2 days at most">
      {!listed.ok ? (
        <FailedPanel what="Server actions" reference={listed.reference} />
      ) : (
        <table className="tb work">
          <thead>
            <tr>
              <th>Action</th>
              <th className="num">Calls</th>
              <th className="num">p75</th>
              <th className="num">Failed</th>
            </tr>
          </thead>
          <tbody>
            {listed.value.map(({ name, isNamed, calls, failed, p75Us }) => (
              <tr key={name}>
                <td className="what mono" title={name}>
                  {isNamed ? showHidden(name) : `unnamed ${name.slice(0, 10)}`}
                </td>
                <td className="num">{formatCount(calls)}</td>
                <td className="num">{formatDuration(p75Us)}</td>
                <td className={failed > 0 ? 'num bad strong' : 'num'}>{formatCount(failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
