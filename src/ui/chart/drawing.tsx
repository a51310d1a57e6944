'use client'
import type { ReactNode } from 'react'
import { axisZone, formatSpan } from '../format.ts'
import { useZone } from '../time/zone-provider.tsx'

type Props = {
  from: number
  to: number
  stepMs: number
  className?: string
  width: number
  height: number
  /** What the drawing shows, without the time: `12 events`. */
  what: string
  /** What follows the time: `, max 3 per bar`. */
  rest?: string
  children: ReactNode
}

/** The drawing of a chart over time, with its finding and its times as text. */
export function Drawing({ from, to, stepMs, className, width, height, what, rest = '', children }: Props) {
  const zone = axisZone({ from, stepMs }, useZone())
  const time = formatSpan({ from, to }, zone).replace(' – ', ' and ')
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${what} between ${time}${rest}`}
    >
      {children}
    </svg>
  )
}
