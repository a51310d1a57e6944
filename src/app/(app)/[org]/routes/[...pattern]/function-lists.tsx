import { listRouteFunctions, type RouteFunction } from '#domain/routes/list-route-functions.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { formatDuration, formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/page-parts.tsx'
import { shorten, showHidden } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { getSymbolicator } from '#web/get-symbolicator.ts'
import type { RouteView } from './route-view.ts'

/** Where profiles say that the time of the route goes: functions of own code, and the components among them. */
export async function FunctionLists({ viewer, filter, route }: RouteView) {
  const listed = await attempt('profiles', listRouteFunctions(viewer, getSymbolicator(), filter, route.route))
  if (!listed.ok) return <FailedPanel what="Profiles" reference={listed.reference} />
  if (listed.value === null) return null
  const { functions, components, totalMs, spans, isMinified } = listed.value
  const base = `/${viewer.organization.slug}/traces`
  return (
    <>
      <Section title="Slowest functions" note={`of your code, in ${formatMany(spans, 'profiled span')}`}>
        {functions.length === 0 ? (
          <p className="t3">None of your functions was running when samples were taken.</p>
        ) : (
          <Functions label="Slowest functions" of="selfMs" {...{ functions, totalMs, spans, base }} />
        )}
        {isMinified ? (
          <p className="t3">Some names are minified: upload source maps of these builds to see their functions.</p>
        ) : null}
      </Section>
      {components.length === 0 ? null : (
        <Section title="React components" note="time to render, per profiled span">
          <Functions label="React components" of="totalMs" {...{ functions: components, totalMs, spans, base }} />
        </Section>
      )}
    </>
  )
}

type Props = {
  label: string
  functions: readonly RouteFunction[]
  of: 'selfMs' | 'totalMs'
  totalMs: number
  spans: number
  base: string
}

function Functions({ label, functions, of, totalMs, spans, base }: Props) {
  return (
    <DataTable
      label={label}
      look="work"
      columns={[label === 'React components' ? 'Component' : 'Function', numeric('Per span'), numeric('Share')]}
    >
      {functions.map(({ name, file, line, example, ...times }) => (
        <tr key={`${name} ${file} ${line}`}>
          <td className="what mono" title={`${file}${line > 0 ? `:${line}` : ''}`}>
            <Link className="link" href={`${base}/${example.traceId}/spans/${example.spanId}/profile`}>
              {shorten(showHidden(name), 80)}
            </Link>{' '}
            <span className="t3">
              {showHidden(fileName(file))}
              {line > 0 && name.startsWith('(') ? `:${line}` : ''}
            </span>
          </td>
          <td className="num">{formatDuration(Math.round(times[of] / Math.max(1, spans)) * 1e3)}</td>
          <td className="num t2">{`${Math.round((100 * times[of]) / Math.max(1, totalMs))} %`}</td>
        </tr>
      ))}
    </DataTable>
  )
}

const fileName = (file: string): string => shorten(file.split(/[?#]/, 1)[0]?.split(/[/\\]/).at(-1) ?? file, 40)
