import type { Trace } from '#queries/trace/find-trace.ts'
import { listLooseLogs } from '#queries/trace/list-loose-logs.ts'
import type { Viewer } from '#queries/viewer.ts'

/** Log lines whose span was not received: no row of the waterfall can show them. */
export async function TraceLogs({ viewer, trace }: { viewer: Viewer; trace: Trace }) {
  if (trace.logs.size === 0) return null
  const near = trace.spanCount > 0 ? trace.tree.startUs / 1_000 : trace.errors[0]?.at
  const lines = await listLooseLogs(viewer, trace.traceId, near)
  if (lines.length === 0) return null
  return (
    <section className="terrors" aria-label="Log lines without a span">
      <details open={trace.spanCount === 0}>
        <summary>
          {lines.length === 1 ? '1 log line' : `${lines.length} log lines`} of this trace without a received span
        </summary>
        <ol className="loglines">
          {lines.map(({ id, at, level, body }) => (
            <li key={id}>
              <span className="t3">{new Date(at).toISOString().slice(11, 23)}</span>{' '}
              <span className={level === 'error' || level === 'fatal' ? 'bad' : 't2'}>{level}</span>{' '}
              <span className="mono">{body}</span>
            </li>
          ))}
        </ol>
      </details>
    </section>
  )
}
