'use client'
import { useMemo, useState } from 'react'
import { isFolded, rowKey, shapeTrace, type TraceRow, type TraceShape, unfoldTo, visibleRows } from './trace-rows.ts'
import { readTrace } from './trace-text.ts'

/** The stretch of time that is drawn, in microseconds since the trace began. */
export type TimeWindow = { fromUs: number; toUs: number }

/** What a reload may lose: folds, filter, window, cursor. The opened span is in the address. */
export function useTraceView(packed: string, first: TimeWindow) {
  const shape = useMemo(() => shapeTrace(readTrace(packed)), [packed])
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const [filter, setFilter] = useState('')
  const [zoom, setZoom] = useState<TimeWindow | null>(null)
  const [cursor, setCursor] = useState<string | null>(null)
  const rows = useMemo(() => visibleRows(shape, turned, filter.trim()), [shape, turned, filter])
  const place = useMemo(() => placesOf(rows), [rows])
  const cursorRow = useMemo(() => findRow(shape, cursor), [shape, cursor])

  return {
    shape,
    rows,
    filter,
    setFilter,
    window: zoom ?? first,
    isZoomed: zoom !== null,
    setZoom,
    /** Row of the columns under the cursor, -1 for none, and where it stands among the drawn ones. */
    cursorRow,
    cursorPlace: place.get(cursorRow) ?? -1,
    placeOf: (row: number) => place.get(row) ?? -1,
    setCursor: (row: number) => setCursor(rowKey(shape, row)),
    isFolded: (row: number) => isFolded(shape, row, turned),
    toggle(row: number): void {
      const next = new Set(turned)
      const key = rowKey(shape, row)
      if (!next.delete(key)) next.add(key)
      setTurned(next)
    },
    /** Makes a row visible, whatever hides it. */
    reveal(row: number): void {
      if (filter !== '') setFilter('')
      setTurned(unfoldTo(shape, row, turned))
      setCursor(rowKey(shape, row))
    },
  }
}
export type TraceView = ReturnType<typeof useTraceView>

function placesOf(rows: readonly TraceRow[]): Map<number, number> {
  const places = new Map<number, number>()
  for (const [place, row] of rows.entries()) if (row.kind === 'node') places.set(row.index, place)
  return places
}

function findRow(shape: TraceShape, key: string | null): number {
  if (key === null) return -1
  return shape.byId.get(key) ?? shape.columns.kind.findIndex((_, row) => rowKey(shape, row) === key)
}
