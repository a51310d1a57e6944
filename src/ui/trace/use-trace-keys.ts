'use client'
import { useEffect, useEffectEvent } from 'react'
import type { KeyRow } from '../keys/key-help.tsx'
import { hasChildren, troubledRows } from './trace-rows.ts'
import type { TraceView } from './use-trace-view.ts'

type TraceActions = {
  view: TraceView
  goTo: (row: number) => void
  open: (row: number) => void
  close: () => void
  focusFilter: () => void
}

/** Keyboard shortcuts of the waterfall, for the row under the cursor. */
export function useTraceKeys({ view, goTo, open, close, focusFilter }: TraceActions): void {
  const { shape, rows, cursorRow, cursorIndex } = view

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event.target)) return
    const act = actionOf(event.key)
    if (!act) return
    event.preventDefault()
    act()
  })

  function actionOf(key: string): (() => void) | null {
    switch (key) {
      case 'j':
      case 'ArrowDown':
        return () => step(1)
      case 'k':
      case 'ArrowUp':
        return () => step(-1)
      case 'Home':
        return () => nearest(0, 1)
      case 'End':
        return () => nearest(rows.length - 1, -1)
      case 'PageDown':
        return () => step(20)
      case 'PageUp':
        return () => step(-20)
      case 'ArrowRight':
        return cursorRow < 0 ? null : inward
      case 'ArrowLeft':
        return cursorRow < 0 ? null : outward
      case 'Enter':
        return cursorRow < 0 ? null : () => open(cursorRow)
      case ' ':
        return cursorRow >= 0 && hasChildren(shape, cursorRow) ? () => view.toggle(cursorRow) : null
      case 'Escape':
        return close
      case 'n':
        return () => stepToError(1)
      case 'N':
        return () => stepToError(-1)
      case ']':
        return () => zoomBy(0.5)
      case '[':
        return () => zoomBy(2)
      case 'f':
        return focusFilter
      default:
        return null
    }
  }

  function step(by: number): void {
    const from = cursorIndex < 0 ? (by > 0 ? -1 : rows.length) : cursorIndex
    nearest(Math.min(rows.length - 1, Math.max(0, from + by)), by > 0 ? 1 : -1)
  }
  /** Skips the headings of lanes. */
  function nearest(index: number, by: 1 | -1): void {
    let at = index
    while (rows[at]?.kind === 'lane') at += by
    const row = rows[at]
    if (row?.kind === 'node') goTo(row.index)
  }
  function inward(): void {
    if (!hasChildren(shape, cursorRow)) return
    if (view.isFolded(cursorRow)) view.toggle(cursorRow)
    else goTo(cursorRow + 1)
  }
  function outward(): void {
    if (hasChildren(shape, cursorRow) && !view.isFolded(cursorRow)) view.toggle(cursorRow)
    else if ((shape.columns.parent[cursorRow] ?? -1) >= 0) goTo(shape.columns.parent[cursorRow] ?? 0)
  }
  function stepToError(by: 1 | -1): void {
    const troubled = troubledRows(shape)
    const next =
      by === 1 ? troubled.find(row => row > cursorRow) : troubled.findLast(row => row < cursorRow || cursorRow < 0)
    const found = next ?? (by === 1 ? troubled[0] : troubled.at(-1))
    if (found !== undefined) goTo(found)
  }
  function zoomBy(factor: number): void {
    const { wholeUs, start, duration } = shape.columns
    const { fromUs, toUs } = view.window
    const middle =
      cursorRow < 0 ? (fromUs + toUs) / 2 : (start[cursorRow] ?? 0) + Math.min(duration[cursorRow] ?? 0, wholeUs) / 2
    const half = Math.min(wholeUs, Math.max(wholeUs / 10_000, (toUs - fromUs) * factor)) / 2
    const left = Math.min(Math.max(0, middle - half), Math.max(0, wholeUs - 2 * half))
    view.setZoom({ fromUs: left, toUs: left + 2 * half })
  }

  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Fields, menus and dialogs handle their own keys, as do links and buttons. */
function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  return (
    target.closest('input, textarea, select, dialog, summary, a, button, [role=slider], [contenteditable], .pop') !==
    null
  )
}

export const traceKeys: KeyRow[] = [
  { keys: ['J', 'K'], does: 'Next, previous span' },
  { keys: ['→', '←'], does: 'Expand or go to child, collapse or go to parent' },
  { keys: ['↵'], does: 'Show span details' },
  { keys: ['N', '⇧N'], does: 'Next, previous error' },
  { keys: ['[', ']'], does: 'Zoom out, zoom in' },
  { keys: ['F'], does: 'Filter spans' },
  { keys: ['Esc'], does: 'Close the details' },
  { keys: ['?'], does: 'Show shortcuts' },
]
