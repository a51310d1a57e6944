'use client'
import { useMemo, useState } from 'react'
import { isFolded, rowKey, shapeTrace, type TraceRow, type TraceShape, unfoldTo, visibleRows } from './trace-rows.ts'
import { readTrace } from './trace-text.ts'

/** The visible time range, in microseconds of drawn time since the start of the trace (time-scale.ts). */
export type TimeWindow = { fromUs: number; toUs: number }

/** State that a reload may lose: folds, filter, window, cursor. The opened span is in the URL. */
export function useTraceView(packed: string, first: TimeWindow) {
  const shape = useMemo(() => shapeTrace(readTrace(packed)), [packed])
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [filter, setFilter] = useState('')
  const [zoom, setZoom] = useState<TimeWindow | null>(null)
  const [cursor, setCursor] = useState<string | null>(null)
  const rows = useMemo(() => visibleRows(shape, toggled, filter.trim()), [shape, toggled, filter])
  const indexes = useMemo(() => indexRows(rows), [rows])
  const cursorRow = useMemo(() => findRow(shape, cursor), [shape, cursor])

  return {
    shape,
    rows,
    filter,
    setFilter,
    window: zoom ?? drawFirst(shape, first),
    isZoomed: zoom !== null,
    setZoom,
    /** The row under the cursor, -1 for none, and its index among the visible rows. */
    cursorRow,
    cursorIndex: indexes.get(cursorRow) ?? -1,
    indexOf: (row: number) => indexes.get(row) ?? -1,
    setCursor: (row: number) => setCursor(rowKey(shape, row)),
    isFolded: (row: number) => isFolded(shape, row, toggled),
    toggle(row: number): void {
      const next = new Set(toggled)
      const key = rowKey(shape, row)
      if (!next.delete(key)) next.add(key)
      setToggled(next)
    },
    /** Makes a row visible: clears the filter and opens folds. */
    reveal(row: number): void {
      if (filter !== '') setFilter('')
      setToggled(unfoldTo(shape, row, toggled))
      setCursor(rowKey(shape, row))
    },
  }
}
const maxWhole = 2 // times as long as the first window; then bars are still half as wide

/** The first window is given in real time. If the rest of the trace is close behind it in the drawing, all of it is shown. */
function drawFirst({ scale }: TraceShape, first: TimeWindow): TimeWindow {
  const toUs = scale.draw(first.toUs)
  return {
    fromUs: scale.draw(first.fromUs),
    toUs: scale.wholeUs <= toUs * maxWhole ? Math.max(1, scale.wholeUs) : toUs,
  }
}

export type TraceView = ReturnType<typeof useTraceView>

function indexRows(rows: readonly TraceRow[]): Map<number, number> {
  const indexes = new Map<number, number>()
  for (const [index, row] of rows.entries()) if (row.kind === 'node') indexes.set(row.index, index)
  return indexes
}

function findRow(shape: TraceShape, key: string | null): number {
  if (key === null) return -1
  return shape.byId.get(key) ?? shape.columns.kind.findIndex((_, row) => rowKey(shape, row) === key)
}
