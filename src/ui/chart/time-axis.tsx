'use client'
import { axisZone, formatAxis } from '../format.ts'
import { useZone } from '../time/zone-provider.tsx'
import styles from './chart.module.css'

type Props = { from: number; to: number; stepMs: number; className: string | undefined; ticks?: number }

/** Times under a chart, evenly spaced; on a phone every second one. */
export function TimeAxis({ from, to, stepMs, className, ticks = 5 }: Props) {
  const own = useZone()
  const zone = axisZone({ from, stepMs }, own)
  return (
    <div className={className} aria-hidden="true">
      {Array.from({ length: ticks }, (_, index) => {
        const time = formatAxis(from + ((to - from) * index) / (ticks - 1), to - from, zone)
        // The reader expects another zone than that of UTC days.
        return (
          <span
            key={index}
            className={ticks > 3 && index % 2 === 1 ? styles.between : undefined}
            suppressHydrationWarning
          >
            {index === 0 && zone !== own ? `${time} UTC` : time}
          </span>
        )
      })}
    </div>
  )
}
