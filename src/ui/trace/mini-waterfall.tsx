import { formatDuration } from '../format.ts'
import { Level } from '../level.tsx'
import { Link } from '../link.tsx'
import { shorten } from '../shorten.ts'
import { Wire } from '../wire.tsx'
import { barPosition } from './bar-position.ts'
import { isQueryOp, opFamily, opLabel } from './op-family.tsx'

export type MiniRow = {
  id: string
  href: string
  depth: number
  side: string
  op: string
  name: string
  startUs: number
  durationUs: number
  isBad: boolean
  isHere: boolean
}

/** A few spans that are close together: their drawing has no gaps. */
const toScale = { draw: (us: number) => us }

/** The time from the first start to the last end of some rows. */
export function shownTime(rows: readonly { startUs: number; durationUs: number }[]): { fromUs: number; toUs: number } {
  const fromUs = Math.min(...rows.map(row => row.startUs))
  return { fromUs, toUs: Math.max(...rows.map(row => row.startUs + row.durationUs), fromUs + 1) }
}

/** A few rows of a trace, rendered on the server, each linked to the full waterfall. */
export function MiniWaterfall({ rows }: { rows: MiniRow[] }) {
  const window = shownTime(rows)
  return (
    <ol className="wf mini" aria-label="Spans around this event">
      {rows.map(row => {
        const bar = barPosition(row.startUs, row.durationUs, window, toScale)
        return (
          <li
            key={row.id}
            className={row.isHere ? 'wfr here' : 'wfr'}
            style={{ '--d': Math.min(row.depth, 8), '--op': `var(--op-${opFamily(row.op)})` } as React.CSSProperties}
          >
            <span className="nm">
              <Wire side={row.side} />
              {row.op === '' ? null : <span className="op">{shorten(opLabel(row.op), 40)}</span>}
              <Link
                className={isQueryOp(row.op) ? 'cut mono' : 'cut'}
                href={row.href}
                aria-current={row.isHere ? 'true' : undefined}
              >
                {shorten(row.name, 120)}
              </Link>
              {row.isBad ? <Level level="error" /> : null}
              <span className="du">{formatDuration(row.durationUs)}</span>
            </span>
            <span className="ln">
              {bar ? (
                <span className={row.isBad ? 'b err' : 'b'} style={{ left: `${bar.left}%`, width: `${bar.width}%` }} />
              ) : null}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
