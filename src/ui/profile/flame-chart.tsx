'use client'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { boxAt, drawFlame, heightOf, moved, readColors, type Zoom, zoomBy, zoomByKey, zoomTo } from './draw-flame.ts'
import { type FlameView, formatSampled } from './flame-view.ts'
import styles from './profile.module.css'

type Props = {
  view: FlameView
  isFound: ((frame: number) => boolean) | null
  /** The function that was chosen in the table, or here. */
  chosen: number | null
  onChoose: (frame: number | null) => void
}

/**
 * The chart on a canvas: wheel or + and − zoom, dragging or arrows move, a click chooses, a double click or Enter zooms to the box. The
 * table below says the same in words.
 */
export function FlameChart({ view, isFound, chosen, onChoose }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(0)
  const [zoom, setZoom] = useState<Zoom>({ from: 0, to: view.lengthMs })
  const [hovered, setHovered] = useState<number | null>(null)
  const [selected, setSelected] = useState<number | null>(null)
  const drag = useRef<{ x: number; zoom: Zoom; hasMoved: boolean } | null>(null)
  const marked = selected !== null && view.boxes[selected]?.[0] === chosen ? selected : longest(view, chosen)

  useEffect(() => {
    const element = canvas.current?.parentElement
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = canvas.current
    if (!element || width === 0) return
    const draw = () =>
      drawFlame(element, {
        view,
        zoom,
        width,
        isFound,
        selected: marked,
        hovered,
        colors: readColors(element.parentElement ?? element),
      })
    draw()
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', draw)
    return () => scheme.removeEventListener('change', draw)
  }, [view, zoom, width, isFound, marked, hovered])
  useEffect(() => {
    const element = canvas.current
    if (!element || width === 0) return
    // React's wheel listeners are passive, and the page would scroll.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey && Math.abs(event.deltaX) < Math.abs(event.deltaY) && !event.shiftKey) return
      event.preventDefault()
      const at = zoom.from + (event.offsetX / width) * (zoom.to - zoom.from)
      if (event.ctrlKey || event.metaKey) setZoom(zoomBy(zoom, event.deltaY > 0 ? 1.2 : 1 / 1.2, at, view.lengthMs))
      else setZoom(moved(zoom, (event.deltaX + (event.shiftKey ? event.deltaY : 0)) / width, view.lengthMs))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [zoom, width, view.lengthMs])

  const at = (event: PointerEvent<HTMLCanvasElement>) =>
    boxAt({ view, zoom, width }, event.nativeEvent.offsetX, event.nativeEvent.offsetY)
  function onPointerMove(event: PointerEvent<HTMLCanvasElement>): void {
    const start = drag.current
    if (start === null) {
      setHovered(at(event))
      return
    }
    const byPx = start.x - event.clientX
    if (Math.abs(byPx) > 3) start.hasMoved = true
    if (start.hasMoved) setZoom(moved(start.zoom, byPx / width, view.lengthMs))
  }
  function choose(index: number | null): void {
    setSelected(index)
    onChoose(index === null ? null : (view.boxes[index]?.[0] ?? null))
  }
  function onKeyDown(event: KeyboardEvent<HTMLCanvasElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const to = zoomByKey(event.key, zoom, view.lengthMs, marked === null ? undefined : view.boxes[marked])
    if (to === null) return
    event.preventDefault()
    setZoom(to)
  }
  const shown = view.boxes[hovered ?? marked ?? -1]
  const frame = shown && view.frames[shown[0]]
  return (
    <div className={styles.chart}>
      <div className={styles.axis} aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map(part => (
          <span key={part}>{formatSampled(zoom.from + part * (zoom.to - zoom.from), view.intervalMs)}</span>
        ))}
      </div>
      <div className={styles.deep}>
        <div className={styles.canvas} style={{ height: heightOf(view) }}>
          <canvas
            ref={canvas}
            className={styles.flame}
            tabIndex={0}
            role="img"
            aria-label="Flame chart. Plus and minus zoom, arrows move, 0 shows everything. The table below has the same data."
            onKeyDown={onKeyDown}
            onPointerDown={event => {
              event.currentTarget.setPointerCapture(event.pointerId)
              drag.current = { x: event.clientX, zoom, hasMoved: false }
            }}
            onPointerMove={onPointerMove}
            onPointerUp={event => {
              const hasMoved = drag.current?.hasMoved ?? false
              drag.current = null
              if (!hasMoved) choose(at(event))
            }}
            onPointerLeave={() => setHovered(null)}
            onDoubleClick={event => {
              const index = boxAt({ view, zoom, width }, event.nativeEvent.offsetX, event.nativeEvent.offsetY)
              const box = index === null ? undefined : view.boxes[index]
              setZoom(box ? zoomTo(box) : { from: 0, to: view.lengthMs })
            }}
          />
        </div>
      </div>
      <p className={styles.legend}>
        <span className={styles.own}>your code</span>
        <span className={styles.other}>libraries and runtime</span>
        {shown && frame ? (
          <output className="mono cut">
            {frame.name} {formatSampled(shown[3] - shown[2], view.intervalMs)}, {shown[4]}{' '}
            {shown[4] === 1 ? 'sample' : 'samples'} {frame.where}
          </output>
        ) : null}
      </p>
    </div>
  )
}

/** Of the chosen function, the box that took longest. */
function longest({ boxes }: FlameView, chosen: number | null): number | null {
  if (chosen === null) return null
  let found: number | null = null
  for (const [index, [frame, , from, to]] of boxes.entries()) {
    const best = found === null ? undefined : boxes[found]
    if (frame === chosen && (best === undefined || to - from > best[3] - best[2])) found = index
  }
  return found
}
