'use client'
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { formatDuration } from '../format.ts'
import { opFamilies, opFamily } from './op-family.tsx'
import { flag } from './trace-columns.ts'
import type { TraceShape } from './trace-rows.ts'
import type { TimeWindow } from './use-trace-view.ts'

const width = 1_000
const height = 44
const maxSpans = 300 // the longest ones, and as many spread evenly: shorter ones are less than a pixel wide
const minShare = 0.001

type Props = { shape: TraceShape; window: TimeWindow; onWindow: (window: TimeWindow) => void }

/** An overview of the whole trace with the visible time window. Drag to zoom, or move a handle by pointer or arrow keys. */
export function Minimap({ shape, window, onWindow }: Props) {
  const { wholeUs, undraw, gaps } = shape.scale
  const paths = useMemo(() => drawPaths(shape), [shape])
  const map = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<number | null>(null)
  const shareOf = (us: number) => Math.min(1, Math.max(0, wholeUs === 0 ? 0 : us / wholeUs))

  function at(event: PointerEvent): number {
    const box = map.current?.getBoundingClientRect()
    return box ? Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * wholeUs : 0
  }
  function choose(a: number, b: number): void {
    const minUs = Math.max(1, wholeUs * minShare)
    if (Math.abs(b - a) > minUs) onWindow({ fromUs: Math.min(a, b), toUs: Math.max(a, b) })
  }
  function press(event: KeyboardEvent, edge: 'fromUs' | 'toUs'): void {
    const by = { ArrowLeft: -0.02, ArrowRight: 0.02, Home: -1, End: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const moved = { ...window, [edge]: Math.min(wholeUs, Math.max(0, window[edge] + by * wholeUs)) }
    if (moved.toUs - moved.fromUs > wholeUs * minShare) onWindow(moved)
  }
  const left = shareOf(window.fromUs) * 100
  const right = shareOf(window.toUs) * 100
  const handle = (edge: 'fromUs' | 'toUs', label: string, percent: number) => (
    <span
      role="slider"
      tabIndex={0}
      className="hnd"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(undraw(wholeUs))}
      aria-valuenow={Math.round(undraw(window[edge]))}
      aria-valuetext={formatDuration(undraw(window[edge]))}
      style={{ '--at': `${percent}%` } as React.CSSProperties}
      onKeyDown={event => press(event, edge)}
      onPointerDown={event => {
        if (event.button !== 0) return
        // The map follows the pointer; the other edge stays.
        event.stopPropagation()
        map.current?.setPointerCapture(event.pointerId)
        setDrag(window[edge === 'fromUs' ? 'toUs' : 'fromUs'])
      }}
    />
  )
  return (
    <div
      className="minimap"
      ref={map}
      onPointerDown={event => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag(at(event))
      }}
      onPointerMove={event => drag !== null && choose(drag, at(event))}
      onPointerUp={() => setDrag(null)}
      onPointerCancel={() => setDrag(null)}
    >
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {paths.map(({ name, d }) => (
          <path key={name} d={d} style={{ stroke: `var(--${name})` }} />
        ))}
      </svg>
      {gaps.map(({ fromUs, toUs, drawnAtUs, drawnUs }) => (
        <span
          key={fromUs}
          className="idle"
          title={`${formatDuration(toUs - fromUs)} without spans`}
          style={{ left: `${shareOf(drawnAtUs) * 100}%`, width: `${shareOf(drawnUs) * 100}%` }}
        />
      ))}
      <span className="win" style={{ left: `${left}%`, width: `${right - left}%` }} />
      {handle('fromUs', 'Start of the time window', left)}
      {handle('toUs', 'End of the time window', right)}
    </div>
  )
}

/** One path per color: ten thousand elements would cost more than all rows. */
function drawPaths({ columns, scale }: TraceShape): { name: string; d: string }[] {
  const { kind, start, duration } = columns
  const { wholeUs, draw } = scale
  const rows = kind.flatMap((each, row) => (each === 0 ? [row] : []))
  const longest = rows.toSorted((a, b) => (duration[b] ?? 0) - (duration[a] ?? 0)).slice(0, maxSpans)
  const every = Math.max(1, Math.ceil(rows.length / maxSpans))
  const shown = new Set([...longest, ...rows.filter((_, at) => at % every === 0)])
  const paths = new Map<string, string>()
  for (const row of shown) {
    const isBad = ((columns.flags[row] ?? 0) & flag.failed) !== 0
    const name = isBad ? 'error-solid' : `op-${opFamily(columns.strings[columns.op[row] ?? 0] ?? '')}`
    const from = draw(start[row] ?? 0)
    const to = draw((start[row] ?? 0) + (duration[row] ?? 0))
    const x = wholeUs === 0 ? 0 : (from / wholeUs) * width
    const length = wholeUs === 0 ? 1 : Math.max(1.5, ((to - from) / wholeUs) * width)
    const y = 3 + (row / Math.max(1, kind.length - 1)) * (height - 6)
    paths.set(name, `${paths.get(name) ?? ''}M${x.toFixed(1)} ${y.toFixed(1)}h${length.toFixed(1)}`)
  }
  const order = [...Object.keys(opFamilies).map(family => `op-${family}`), 'error-solid']
  return order.flatMap(name => (paths.has(name) ? [{ name, d: paths.get(name) ?? '' }] : []))
}
