import { formatDuration } from '../format.ts'
import { barPosition } from './bar-position.ts'
import { isQueryOp, opFamily, opLabel } from './op-family.tsx'
import { flag } from './trace-columns.ts'
import type { TraceShape } from './trace-rows.ts'

const maxRows = 200 // more would be slow to send and to read

/** The first spans as a list, for browsers without JavaScript. */
export function PlainWaterfall({ shape: { columns, depth, scale } }: { shape: TraceShape }) {
  const whole = { fromUs: 0, toUs: scale.wholeUs }
  const rows = columns.kind.flatMap((kind, row) => (kind === 3 ? [] : [row])).slice(0, maxRows)
  return (
    <div className="wf plain">
      {columns.kind.length > maxRows ? (
        <p className="t3">Showing the first {maxRows} rows. Enable JavaScript to see all.</p>
      ) : null}
      <ol>
        {rows.map(row => {
          const op = columns.strings[columns.op[row] ?? 0] ?? ''
          const bar = barPosition(columns.start[row] ?? 0, columns.duration[row] ?? 0, whole, scale)
          const isBad = ((columns.flags[row] ?? 0) & flag.failed) !== 0
          return (
            <li key={row} className="wfr" style={{ '--d': depth[row] } as React.CSSProperties}>
              <span className="nm">
                <span className="op">{opLabel(op)}</span>{' '}
                <a className={isQueryOp(op) ? 'cut mono' : 'cut'} href={`?span=${columns.id[row]}#span`}>
                  {columns.strings[columns.name[row] ?? 0] || `span ${columns.id[row]}`}
                </a>
                {isBad ? <b className="bad">failed</b> : null}
                <span className="du">{formatDuration(columns.duration[row] ?? 0)}</span>
              </span>
              <span className="ln">
                {bar ? (
                  <span
                    className={isBad ? 'b err' : 'b'}
                    style={{
                      left: `${bar.left}%`,
                      width: `${bar.width}%`,
                      background: `var(--op-${opFamily(op)})`,
                    }}
                  />
                ) : null}
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
