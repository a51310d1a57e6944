import { listLongFrames } from '#queries/route-list/list-long-frames.ts'
import { newestExamples } from '#queries/route-list/newest-examples.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { formatCount } from '#ui/format-count.ts'
import { formatDuration } from '#ui/format-duration.ts'
import { Section } from '#ui/section.tsx'
import { showHidden } from '#ui/show-hidden.ts'
import { attempt } from '#web/attempt.ts'
import type { RouteView } from './route-screen.tsx'

export async function FrameList({ viewer, filter, route }: RouteView) {
  if (route.summary.longFrames.count === 0) return null
  const newest = newestExamples(filter, route.summary)
  const listed = await attempt('long frames', listLongFrames(viewer, newest, route.route))
  return (
    <Section title="Long frames" note={`the page could not answer, last ${formatDuration(newest.rangeMs * 1e3)}`}>
      {!listed.ok ? (
        <FailedPanel what="Long frames" reference={listed.reference} />
      ) : listed.value.length === 0 ? (
        <p className="t3">None lately.</p>
      ) : (
        <table className="tb work">
          <thead>
            <tr>
              <th>Blamed</th>
              <th className="num">Frames</th>
              <th className="num">p75</th>
            </tr>
          </thead>
          <tbody>
            {listed.value.map(({ script, frames, p75Us }) => (
              <tr key={script}>
                <td className="what mono" title={script}>
                  {script === '' ? <span className="t3">no script named</span> : showHidden(script)}
                </td>
                <td className="num">{formatCount(frames)}</td>
                <td className="num">{formatDuration(p75Us)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
