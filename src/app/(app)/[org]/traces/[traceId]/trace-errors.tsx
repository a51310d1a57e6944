import type { Viewer } from '#domain/access/viewer.ts'
import type { Trace } from '#domain/traces/find-trace.ts'
import { listLooseLogs } from '#domain/traces/trace-logs.ts'
import { formatMany, formatOffset } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { ClockTime } from '#ui/time/clock-time.tsx'

const shown = 5

/** The errors of the trace, with their time, span and issue. */
export function TraceErrors({ viewer, trace }: { viewer: Viewer; trace: Trace }) {
  if (trace.errors.length === 0) return null
  const base = `/${viewer.organization.slug}/issues`
  const lines = trace.errors.map(error => (
    <li key={error.eventId}>
      <Level level={error.level} />
      {error.issue ? (
        <Link className="link cut" href={`${base}/${error.issue.id}/events/${error.eventId}`}>
          {shorten(error.title, 200)}
        </Link>
      ) : (
        <span className="cut">{shorten(error.title, 200)}</span>
      )}
      <span className="t3">{error.issue?.shortId}</span>
      <span className="t3">
        {trace.spanCount > 0 ? formatOffset(Math.round(error.at - trace.tree.startUs / 1_000)) : ''}
      </span>
      {error.spanId === '' || trace.spanCount === 0 ? null : (
        <a className="link" href={`#span-${error.spanId}`}>
          show span
        </a>
      )}
    </li>
  ))
  return (
    <section className="terrors" id="errors" aria-label="Errors in this trace">
      {trace.spanCount === 0 ? <h2>{formatMany(lines.length, 'error')}</h2> : null}
      <ul className="elist">{lines.slice(0, shown)}</ul>
      {lines.length > shown ? (
        <details>
          <summary>{lines.length - shown} more errors</summary>
          <ul className="elist">{lines.slice(shown)}</ul>
        </details>
      ) : null}
    </section>
  )
}

/** Log lines whose span was not received, so that no row of the waterfall can show them. */
export async function TraceLogs({ viewer, trace }: { viewer: Viewer; trace: Trace }) {
  if (trace.logs.size === 0) return null
  const near = trace.spanCount > 0 ? trace.tree.startUs / 1_000 : trace.errors[0]?.at
  const lines = await listLooseLogs(viewer, trace.traceId, near)
  const count = [...trace.logs.values()].reduce((sum, each) => sum + each, 0)
  const all = (
    <Link className="link" href={`/${viewer.organization.slug}/logs?${traceSearch(trace.traceId, near)}`}>
      {count === 1 ? 'The log line' : `All ${formatMany(count, 'log line')}`} of this trace
    </Link>
  )
  if (lines.length === 0) return <p className="terrors">{all}</p>
  return (
    <section className="terrors" aria-label="Log lines without a span">
      <p>{all}</p>
      {trace.spanCount === 0 ? (
        <>
          <h2>{formatMany(lines.length, 'log line')}</h2>
          <Lines lines={lines} />
        </>
      ) : (
        <details>
          <summary>{formatMany(lines.length, 'log line')} without a received span</summary>
          <Lines lines={lines} />
        </details>
      )}
    </section>
  )
}

const dayMs = 86_400_000

/** The search for the lines of a trace, a day around a time. */
export const traceSearch = (traceId: string, near: number | undefined): URLSearchParams =>
  new URLSearchParams({
    q: `trace:${traceId}`,
    ...(near === undefined
      ? { range: '30d' }
      : { start: String(Math.floor(near) - dayMs), end: String(Math.ceil(near) + dayMs) }),
  })

function Lines({ lines }: { lines: Awaited<ReturnType<typeof listLooseLogs>> }) {
  return (
    <ol className="loglines timed">
      {lines.map(({ id, at, level, body }) => (
        <li key={id}>
          <span className="t3">
            <ClockTime at={at} />
          </span>{' '}
          <span className={level === 'error' || level === 'fatal' ? 'bad' : 't2'}>{level}</span>{' '}
          <span className="mono">{body}</span>
        </li>
      ))}
    </ol>
  )
}
