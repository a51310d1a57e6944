import { formatDuration } from '../format.ts'
import { Level } from '../level.tsx'
import { Link } from '../link.tsx'
import { shorten } from '../shorten.ts'
import { Wire } from '../wire.tsx'
import { barPosition } from './bar-position.ts'
import { opFamily } from './op-family.tsx'

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

/** A few rows of a trace, rendered on the server, each linked to the full waterfall. */
export function MiniWaterfall({ rows }: { rows: MiniRow[] }) {
  const fromUs = Math.min(...rows.map(row => row.startUs))
  const toUs = Math.max(...rows.map(row => row.startUs + row.durationUs), fromUs + 1)
  return (
    <ol className="wf mini" aria-label="Spans around this event">
      {rows.map(row => {
        const bar = barPosition(row.startUs, row.durationUs, { fromUs, toUs })
        return (
          <li
            key={row.id}
            className={row.isHere ? 'wfr here' : 'wfr'}
            style={{ '--d': Math.min(row.depth, 8), '--op': `var(--op-${opFamily(row.op)})` } as React.CSSProperties}
          >
            <span className="nm">
              <Wire side={row.side} />
              {row.op === '' ? null : <span className="op">{shorten(row.op, 40)}</span>}
              <Link className="cut" href={row.href} aria-current={row.isHere ? 'true' : undefined}>
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
