import type { Trace } from '#queries/trace/find-trace.ts'
import type { Viewer } from '#queries/viewer.ts'
import { formatMany } from '#ui/format-many.ts'
import { formatOffset } from '#ui/format-offset.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'

const shown = 5

/** Every error of the trace: what, when, in which span, and the issue it belongs to. */
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
          its span
        </a>
      )}
    </li>
  ))
  return (
    <section className="terrors" id="errors" aria-label="Errors of this trace">
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
