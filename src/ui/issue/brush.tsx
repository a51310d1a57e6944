'use client'
import { type PointerEvent, useState } from 'react'
import { formatAxis } from '../format.ts'
import { useNavigate } from '../navigation.tsx'
import { useZone } from '../time/zone-provider.tsx'
import { rangeHref } from './range-href.ts'

type Drag = { begun: number; now: number }
const minShare = 0.01 // a shorter drag is a click

/** Dragging over a chart puts the time range into the URL. */
export function Brush({ from, to, path, search }: { from: number; to: number; path: string; search: string }) {
  const navigate = useNavigate()
  const zone = useZone()
  const [drag, setDrag] = useState<Drag | null>(null)
  const at = (share: number) => from + (to - from) * share
  const span = drag && { start: Math.min(drag.begun, drag.now), end: Math.max(drag.begun, drag.now) }

  function begin(event: PointerEvent<HTMLDivElement>) {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const share = shareOf(event)
    setDrag({ begun: share, now: share })
  }
  function end() {
    setDrag(null)
    if (!span || span.end - span.start < minShare) return
    navigate(rangeHref(path, search, at(span.start), at(span.end)))
  }
  return (
    <div
      className="brush"
      onPointerDown={begin}
      onPointerMove={event => drag && setDrag({ ...drag, now: shareOf(event) })}
      onPointerUp={end}
      onPointerCancel={() => setDrag(null)}
    >
      {span ? (
        <div className="sel" style={{ left: `${span.start * 100}%`, width: `${(span.end - span.start) * 100}%` }}>
          <span>
            {formatAxis(at(span.start), to - from, zone)} – {formatAxis(at(span.end), to - from, zone)}
          </span>
        </div>
      ) : null}
    </div>
  )
}

function shareOf(event: PointerEvent<HTMLDivElement>): number {
  const { left, width } = event.currentTarget.getBoundingClientRect()
  return Math.min(1, Math.max(0, (event.clientX - left) / width))
}
