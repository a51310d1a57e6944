import type { FlameBox, FlameView } from './flame-view.ts'

export const rowHeight = 19
const gap = 1
const charWidth = 6.7 // of 11 px monospace
const least = 0.4 // px: narrower boxes are drawn as part of the row behind them

/** Milliseconds at the left and at the right edge. */
export type Zoom = { from: number; to: number }

export type Colors = Record<'own' | 'ownText' | 'other' | 'otherText' | 'faint' | 'mark' | 'markText' | 'line', string>

export type Drawing = {
  view: FlameView
  zoom: Zoom
  width: number
  colors: Colors
  /** Boxes of other functions are faint; null without a search. */
  isFound: ((frame: number) => boolean) | null
  selected: number | null
  hovered: number | null
}

export function drawFlame(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const { view, zoom, width, colors, isFound, selected, hovered } = drawing
  const scale = window.devicePixelRatio || 1
  const height = heightOf(view)
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  context.scale(scale, scale)
  context.font = '11px ui-monospace, SFMono-Regular, Menlo, monospace'
  context.textBaseline = 'middle'
  const pixel = width / (zoom.to - zoom.from)
  for (const [index, box] of view.boxes.entries()) {
    const [frame, depth, from, to] = box
    if (to < zoom.from || from > zoom.to || (to - from) * pixel < least) continue
    const x = Math.max(0, (from - zoom.from) * pixel)
    const end = Math.min(width, (to - zoom.from) * pixel)
    const y = depth * rowHeight
    const isOwn = view.frames[frame]?.isOwn ?? false
    const isFaint = isFound !== null && !isFound(frame)
    const isMarked = index === selected
    context.fillStyle = isMarked ? colors.mark : isFaint ? colors.faint : isOwn ? colors.own : colors.other
    context.fillRect(x, y, Math.max(least, end - x - gap), rowHeight - gap)
    if (index === hovered || isMarked) {
      context.strokeStyle = colors.line
      context.lineWidth = 1.5
      context.strokeRect(x + 0.75, y + 0.75, Math.max(1, end - x - gap - 1.5), rowHeight - gap - 1.5)
    }
    const room = Math.floor((end - x - 8) / charWidth)
    if (room < 2) continue
    const name = view.frames[frame]?.name ?? ''
    context.fillStyle = isMarked ? colors.markText : isOwn && !isFaint ? colors.ownText : colors.otherText
    context.fillText(name.length > room ? `${name.slice(0, room - 1)}…` : name, x + 4, y + rowHeight / 2)
  }
}

export const heightOf = ({ boxes }: FlameView): number =>
  (boxes.reduce((deepest, [, depth]) => Math.max(deepest, depth), 0) + 1) * rowHeight

/** The box at a place of the canvas. Of narrow neighbors the last one is meant, as it is drawn last. */
export function boxAt(
  { view, zoom, width }: Pick<Drawing, 'view' | 'zoom' | 'width'>,
  x: number,
  y: number,
): number | null {
  const depth = Math.floor(y / rowHeight)
  const at = zoom.from + (x / width) * (zoom.to - zoom.from)
  const found = view.boxes.findLastIndex(([, row, from, to]) => row === depth && from <= at && to >= at)
  return found === -1 ? null : found
}

/** Zooms around a moment, within the chart. */
export function zoomBy({ from, to }: Zoom, factor: number, at: number, lengthMs: number): Zoom {
  const length = Math.min(lengthMs, Math.max(0.5, (to - from) * factor))
  const start = at - ((at - from) / (to - from)) * length
  return within({ from: start, to: start + length }, lengthMs)
}

/** By a part of what is shown. */
export const moved = ({ from, to }: Zoom, by: number, lengthMs: number): Zoom =>
  within({ from: from + by * (to - from), to: to + by * (to - from) }, lengthMs)

/** Null for a key that does nothing here. */
export function zoomByKey(key: string, zoom: Zoom, lengthMs: number, box: FlameBox | undefined): Zoom | null {
  const middle = (zoom.from + zoom.to) / 2
  if (key === '+' || key === '=') return zoomBy(zoom, 1 / 1.5, middle, lengthMs)
  if (key === '-') return zoomBy(zoom, 1.5, middle, lengthMs)
  if (key === '0') return { from: 0, to: lengthMs }
  if (key === 'ArrowLeft') return moved(zoom, -0.2, lengthMs)
  if (key === 'ArrowRight') return moved(zoom, 0.2, lengthMs)
  return key === 'Enter' && box ? zoomTo(box) : null
}

function within({ from, to }: Zoom, lengthMs: number): Zoom {
  const length = Math.min(to - from, lengthMs)
  const start = Math.min(Math.max(0, from), lengthMs - length)
  return { from: start, to: start + length }
}

export const zoomTo = ([, , from, to]: FlameBox): Zoom => ({ from, to })

export function readColors(element: Element): Colors {
  const style = getComputedStyle(element)
  const color = (name: string): string => style.getPropertyValue(name)
  // Canvas knows no light-dark(): the resolved color of an element does.
  const probe = document.createElement('span')
  element.append(probe)
  const resolve = (name: string): string => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color || color(name)
  }
  const colors = {
    own: resolve('--server-mark'),
    ownText: resolve('--text'),
    other: resolve('--bg-active'),
    otherText: resolve('--text-2'),
    faint: resolve('--bg-sunken'),
    mark: resolve('--error-soft'),
    markText: resolve('--error'),
    line: resolve('--text'),
  }
  probe.remove()
  return colors
}
