'use client'
import { X } from 'lucide-react'
import { CopyButton } from '../copy-button.tsx'
import { formatDuration } from '../format.ts'
import { Level } from '../level.tsx'
import { Link } from '../link.tsx'
import { Facts } from '../page-parts.tsx'
import { shorten } from '../shorten.ts'
import { isQueryOp, opFamily } from './op-family.tsx'
import type { SpanLink } from './span-body.tsx'
import { SpanBody } from './span-body.tsx'
import type { TraceShape } from './trace-rows.ts'
import type { Details } from './use-span-details.ts'

type Props = {
  shape: TraceShape
  row: number
  details: Details
  errors: SpanLink[]
  onClose: () => void
  onRetry: () => void
}

/** The details of a span. Data from the waterfall is shown at once; attributes are loaded. */
export function SpanDrawer({ shape, row, details, errors, onClose, onRetry }: Props) {
  const { columns } = shape
  const op = columns.strings[columns.op[row] ?? 0] ?? ''
  const name = columns.strings[columns.name[row] ?? 0] ?? ''
  return (
    <aside className="drawer" aria-label="Span">
      <header>
        <i style={{ background: `var(--op-${opFamily(op)})` }} />
        <span className="t3">{op || 'span'}</span>
        <button type="button" className="icon-btn" aria-label="Close" onClick={onClose}>
          <X className="i" aria-hidden="true" />
        </button>
      </header>
      <h2 className={isQueryOp(op) ? 'mono' : undefined}>{shorten(name || columns.id[row] || '', 400)}</h2>
      <p className="took">
        <b>{formatDuration(columns.duration[row] ?? 0)}</b>
        <span className="t3">+{formatDuration(columns.start[row] ?? 0)} from start</span>
        <span className="t3">{selfTime(shape, row)}</span>
      </p>
      {errors.length > 0 ? (
        <section>
          <h3>Errors</h3>
          <ul className="elist">
            {errors.map(({ href, label, level, title }) => (
              <li key={href}>
                <Level level={level} />
                <Link className="link cut" href={href}>
                  {title}
                </Link>
                <span className="t3">{label}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <Body details={details} onRetry={onRetry} />
      <section>
        <h3>IDs</h3>
        <Facts isWide facts={[{ label: 'span', value: <span className="mono">{columns.id[row]}</span> }]} />
        <CopyButton label="Copy link to this span" text={() => window.location.href} />
      </section>
    </aside>
  )
}

function Body({ details, onRetry }: { details: Details; onRetry: () => void }) {
  if (details.state === 'loaded') return <SpanBody view={details.view} />
  if (details.state === 'loading')
    return (
      <p className="t3" role="status">
        Loading attributes…
      </p>
    )
  if (details.state === 'missing') return <p className="t3">This span has not been received yet.</p>
  return (
    <p role="alert">
      Attributes could not be loaded.{' '}
      <button type="button" className="btn s" onClick={onRetry}>
        Try again
      </button>
    </p>
  )
}

/** The time that no child span covers. */
function selfTime({ columns, end }: TraceShape, row: number): string {
  const from = columns.start[row] ?? 0
  const to = from + (columns.duration[row] ?? 0)
  let covered = 0
  let reached = from
  let hasAny = false
  for (let child = row + 1; child < (end[row] ?? 0); child++) {
    if (columns.parent[child] !== row || columns.kind[child] === 3) continue
    hasAny = true
    const start = Math.max(reached, columns.start[child] ?? 0)
    const stop = Math.min(to, (columns.start[child] ?? 0) + (columns.duration[child] ?? 0))
    if (stop > start) covered += stop - start
    reached = Math.max(reached, stop)
  }
  return hasAny ? `${formatDuration(Math.max(0, to - from - covered))} self time` : ''
}
