import { formatDuration } from '../format-duration.ts'
import { ticks } from './ticks.ts'
import type { TimeWindow } from './use-trace-view.ts'

const share = (us: number, window: TimeWindow) => `${(shareOf(us, window) * 100).toFixed(3)}%`

/** Round moments over the bars. */
export function Ruler({ window }: { window: TimeWindow }) {
  return (
    <div className="ticks" aria-hidden="true">
      {ticks(window.fromUs, window.toUs).map(us => (
        <span key={us} style={{ left: share(us, window) }}>
          {us === 0 ? '0' : formatDuration(us)}
        </span>
      ))}
    </div>
  )
}

export type VitalView = { label: string; text: string; verdict: string; atUs: number | null }

const labelShare = 0.12 // of the width that a label takes

/** Web vitals where they were decided. Those that fall together share a label, or they would hide each other. */
export function VitalRow({ vitals, window }: { vitals: VitalView[]; window: TimeWindow }) {
  return (
    <div className="vrow">
      {together(vitals, window).map(group => {
        const [{ atUs = 0 } = {}] = group
        const isLate = shareOf(atUs ?? 0, window) > 0.75
        return (
          <span key={atUs} className={isLate ? 'end' : undefined} style={{ left: share(atUs ?? 0, window) }}>
            {group.map(({ label, text, verdict }) => (
              <b key={label} className={verdict}>
                {label} {text}
              </b>
            ))}
          </span>
        )
      })}
    </div>
  )
}

const shareOf = (us: number, { fromUs, toUs }: TimeWindow): number => (us - fromUs) / (toUs - fromUs)

function together(vitals: VitalView[], window: TimeWindow): VitalView[][] {
  const groups: VitalView[][] = []
  const inside = vitals.filter(({ atUs }) => atUs !== null && atUs >= window.fromUs && atUs <= window.toUs)
  for (const vital of inside.toSorted((a, b) => (a.atUs ?? 0) - (b.atUs ?? 0))) {
    const last = groups.at(-1)
    const reached = shareOf(last?.[0]?.atUs ?? Number.NEGATIVE_INFINITY, window) + labelShare * (last?.length ?? 0)
    if (last && shareOf(vital.atUs ?? 0, window) < reached) last.push(vital)
    else groups.push([vital])
  }
  return groups
}

/** The same moments as lines down through all rows. */
export function TimeLines({ vitals, window }: { vitals: VitalView[]; window: TimeWindow }) {
  return (
    <div className="lines" aria-hidden="true">
      {ticks(window.fromUs, window.toUs).map(us => (
        <i key={us} style={{ left: share(us, window) }} />
      ))}
      {vitals
        .filter(({ atUs }) => atUs !== null && atUs >= window.fromUs && atUs <= window.toUs)
        .map(({ label, verdict, atUs }) => (
          <span key={label} className={`vt ${verdict}`} style={{ left: share(atUs ?? 0, window) }} />
        ))}
    </div>
  )
}
