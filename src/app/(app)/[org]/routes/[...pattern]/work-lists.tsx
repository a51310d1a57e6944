import { exampleRange, listLongFrames, listServerActions, listServerWork } from '#domain/routes/route-spans.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { formatCount, formatDuration } from '#ui/format.ts'
import { Section } from '#ui/page-parts.tsx'
import { showHidden } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import type { RouteView } from './route-view.ts'

export async function ActionList({ viewer, filter, route }: RouteView) {
  if (route.summary.actions.count === 0) return null
  const listed = await attempt('server actions', listServerActions(viewer, filter, route.route))
  return (
    <Section
      title="Server actions"
      note={
        filter.to === undefined
          ? 'called from this route, last 2 days at most'
          : 'called from this route, 2 days at most'
      }
    >
      {!listed.ok ? (
        <FailedPanel what="Server actions" reference={listed.reference} />
      ) : (
        <DataTable
          label="Server actions"
          look="work"
          columns={['Action', numeric('Calls'), numeric('p75'), numeric('Failed')]}
        >
          {listed.value.map(({ name, isNamed, file, calls, failed, p75Us }) => (
            <tr key={`${name} ${file}`}>
              <td className="what mono" title={file === '' ? name : `${name} in ${file}`}>
                {isNamed ? showHidden(name) : `unnamed ${name.slice(0, 10)}`.trim()}
                {file === '' ? null : <span className="t3"> {showHidden(file)}</span>}
              </td>
              <td className="num">{formatCount(calls)}</td>
              <td className="num">{formatDuration(p75Us)}</td>
              <td className={failed > 0 ? 'num bad strong' : 'num'}>{formatCount(failed)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </Section>
  )
}

/** Of a chosen time, its end. */
const newestWords = ({ rangeMs, to }: RouteView['filter']): string =>
  `last ${formatDuration(rangeMs * 1e3)}${to === undefined ? '' : ' of this time'}`

export async function FrameList({ viewer, filter, route }: RouteView) {
  if (route.summary.longFrames.count === 0) return null
  const newest = exampleRange(filter, route.summary)
  const listed = await attempt('long frames', listLongFrames(viewer, newest, route.route))
  return (
    <Section title="Long frames" note={`main thread blocked, ${newestWords(newest)}`}>
      {!listed.ok ? (
        <FailedPanel what="Long frames" reference={listed.reference} />
      ) : listed.value.length === 0 ? (
        <p className="t3">No long frames in this time range.</p>
      ) : (
        <DataTable label="Long frames" look="work" columns={['Script', numeric('Frames'), numeric('p75')]}>
          {listed.value.map(({ script, frames, p75Us }) => (
            <tr key={script}>
              <td className="what mono" title={script}>
                {script === '' ? <span className="t3">unknown script</span> : showHidden(script)}
              </td>
              <td className="num">{formatCount(frames)}</td>
              <td className="num">{formatDuration(p75Us)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </Section>
  )
}

export async function ServerWorkList({ viewer, filter, route }: RouteView) {
  if (route.summary.requests.count === 0) return null
  const newest = exampleRange(filter, route.summary)
  const listed = await attempt('server work', listServerWork(viewer, newest, route.route))
  return (
    <Section title="Server time" note={`per request, ${newestWords(newest)}`}>
      {!listed.ok ? (
        <FailedPanel what="Server time" reference={listed.reference} />
      ) : listed.value.length === 0 ? (
        <p className="t3">No child spans were received for these requests.</p>
      ) : (
        <DataTable label="Server time" look="work" columns={['Work', numeric('Calls'), numeric('p75')]}>
          {listed.value.map(({ op, summary, calls, requests, p75Us, mostCalls, isRepeated }) => (
            <tr key={`${op} ${summary}`}>
              <td className="what mono" title={`${op} ${summary}`}>
                {showHidden(summary || op)}
              </td>
              <td
                className={isRepeated ? 'num meh' : 'num t2'}
                title={
                  isRepeated
                    ? 'The same query runs many times in one request. Try to replace it with one query.'
                    : undefined
                }
              >
                {isRepeated
                  ? `up to ${formatCount(mostCalls)} ×`
                  : `${(calls / requests).toFixed(1).replace('.0', '')} ×`}
              </td>
              <td className="num">{formatDuration(p75Us)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </Section>
  )
}
