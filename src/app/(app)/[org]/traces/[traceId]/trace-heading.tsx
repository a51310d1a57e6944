import type { Viewer } from '#domain/access/viewer.ts'
import type { Trace } from '#domain/traces/find-trace.ts'
import type { TraceLink } from '#domain/traces/previous-trace.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { formatDuration } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import { Wire } from '#ui/wire.tsx'

/** The route or name of the main span; empty for a trace without spans. */
export function traceName({ summary: { main }, segments }: Trace): string {
  return (main && segments.get(main.id)?.route) || main?.name || main?.id || ''
}

/** The main span of the trace with its time and duration, and totals of the trace. */
export function TraceHeading({ viewer, trace }: { viewer: Viewer; trace: Trace }) {
  const { summary, tree } = trace
  const { main, sides } = summary
  const segment = main ? trace.segments.get(main.id) : undefined
  const previous = segment?.previous ?? [...trace.segments.values()].find(each => each.previous)?.previous
  const projects = new Set([...trace.segments.keys()].map(id => id && projectOf(viewer, trace, id)).filter(Boolean))
  const releases = [...new Set([...trace.segments.values()].map(({ release }) => release))].filter(Boolean)
  const startedAt = trace.spanCount > 0 ? tree.startUs / 1_000 : (trace.errors[0]?.at ?? 0)
  return (
    <div className="thead">
      <div className="what">
        <p className="t3">
          {sides.map(side => (
            <Wire key={side} side={side} hasWord />
          ))}
          {main?.span?.op ? <span>{opLabel(main.span.op)}</span> : null}
          {startedAt > 0 ? <Moment at={startedAt} withMs /> : null}
        </p>
        <h1>
          {shorten(traceName(trace) || 'No spans received for this trace', 200)}{' '}
          {main && main.kind === 'span' ? <span>{formatDuration(main.durationUs)}</span> : null}
        </h1>
        {trace.spanCount === 0 ? (
          <p className="t2">The app may not send spans, or this trace was not sampled.</p>
        ) : null}
        {main && !tree.roots.includes(main) ? (
          <p className="t2" role="note">
            Its parent was not received: the caller may not send spans here.
          </p>
        ) : null}
        {segment?.ended ? <p className="t2">{segment.ended}</p> : null}
        {previous ? (
          <p>
            <Link className="link" href={previousHref(viewer, previous)}>
              Previous trace of this visitor
            </Link>
          </p>
        ) : null}
        {trace.isCut ? (
          <p className="t2" role="note">
            This trace has {formatWhole(trace.receivedCount)} spans. Only {formatWhole(trace.spanCount)} are shown, page
            views and requests first.
          </p>
        ) : null}
      </div>
      <dl>
        <Fact label="Spans" value={formatWhole(trace.spanCount)} />
        {summary.serverUs > 0 ? <Fact label="Server" value={formatDuration(summary.serverUs)} /> : null}
        {summary.queryCount > 0 ? (
          <Fact
            label="Database"
            value={`${summary.queryCount} ${summary.queryCount === 1 ? 'query' : 'queries'}, ${formatDuration(summary.queryUs)}`}
          />
        ) : null}
        {trace.errors.length > 0 ? (
          <div>
            <dt>Errors</dt>
            <dd>
              <a className="bad" href="#errors">
                {trace.errors.length}
              </a>
            </dd>
          </div>
        ) : null}
        {summary.failedCount > 0 ? <Fact label="Failed spans" value={String(summary.failedCount)} /> : null}
        {projects.size > 0 ? (
          <Fact label={projects.size === 1 ? 'Project' : 'Projects'} value={[...projects].join(', ')} />
        ) : null}
        {releases[0] ? (
          <Fact
            label="Release"
            value={releases.length === 1 ? shorten(releases[0], 40) : `${releases.length} releases`}
          />
        ) : null}
      </dl>
    </div>
  )
}

export const previousHref = (viewer: Viewer, { traceId, spanId }: TraceLink): string =>
  `/${viewer.organization.slug}/traces/${traceId}#span-${spanId}`

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function projectOf(viewer: Viewer, { segments }: Trace, id: string): string {
  const projectId = segments.get(id)?.projectId
  return viewer.projects.find(project => project.id === projectId)?.slug ?? ''
}

const opLabels: Record<string, string> = {
  pageload: 'Page load',
  navigation: 'Navigation',
  'http.server': 'Request',
  middleware: 'Middleware',
}
const opLabel = (op: string): string => (Object.hasOwn(opLabels, op) ? (opLabels[op] ?? '') : op)
