import styles from './player.module.css'
import type { SyncRow } from './replay-data.ts'

const [width, height] = [400, 60]

/** An area over the time of the replay, with the playhead. The rows below it say the same, so readers of the page skip it. */
export function AmountChart({ rows, durationMs, at }: { rows: readonly SyncRow[]; durationMs: number; at: number }) {
  const most = Math.max(1, ...rows.map(({ amount = 0 }) => amount))
  const x = (ms: number): string => ((width * Math.min(ms, durationMs)) / Math.max(1, durationMs)).toFixed(1)
  const points = rows.map(
    ({ at: ms, amount = 0 }) => `${x(ms)},${(height - 4 - (height - 8) * (amount / most)).toFixed(1)}`,
  )
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined || first === last) return null
  return (
    <svg className={styles.amounts} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <polygon points={`${x(first.at)},${height} ${points.join(' ')} ${x(last.at)},${height}`} />
      <polyline points={points.join(' ')} />
      <line x1={x(at)} x2={x(at)} y1={0} y2={height} />
    </svg>
  )
}
