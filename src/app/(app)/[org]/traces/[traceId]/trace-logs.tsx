import type { Trace } from '#queries/trace/find-trace.ts'
import { listLooseLogs } from '#queries/trace/list-loose-logs.ts'
import type { Viewer } from '#queries/viewer.ts'
import { formatMany } from '#ui/format-many.ts'

/** Log lines whose span was not received: no row of the waterfall can show them. */
export async function TraceLogs({ viewer, trace }: { viewer: Viewer; trace: Trace }) {
  if (trace.logs.size === 0) return null
  const near = trace.spanCount > 0 ? trace.tree.startUs / 1_000 : trace.errors[0]?.at
  const lines = await listLooseLogs(viewer, trace.traceId, near)
  if (lines.length === 0) return null
  return (
    <section className="terrors" aria-label="Log lines without a span">
      {trace.spanCount === 0 ? (
        <>
          <h2>{formatMany(lines.length, 'log line')}</h2>
          <Lines lines={lines} />
        </>
      ) : (
        <details>
          <summary>{formatMany(lines.length, 'log line')} of this trace without a received span</summary>
          <Lines lines={lines} />
        </details>
      )}
    </section>
  )
}

function Lines({ lines }: { lines: Awaited<ReturnType<typeof listLooseLogs>> }) {
  return (
    <ol className="loglines timed">
      {lines.map(({ id, at, level, body }) => (
        <li key={id}>
          <span className="t3">{new Date(at).toISOString().slice(11, 23)}</span>{' '}
          <span className={level === 'error' || level === 'fatal' ? 'bad' : 't2'}>{level}</span>{' '}
          <span className="mono">{body}</span>
        </li>
      ))}
    </ol>
  )
}
