'use client'
import { type Command, ownKeys } from '../commands/command.ts'
import { useCommands } from '../commands/use-commands.ts'
import { hasChildren, troubledRows } from './trace-rows.ts'
import type { TraceView } from './use-trace-view.ts'

type TraceActions = {
  view: TraceView
  goTo: (row: number) => void
  open: (row: number) => void
  close: () => void
  focusFilter: () => void
}

/** The commands of the waterfall, for the row under the cursor. */
export function useTraceCommands({ view, goTo, open, close, focusFilter }: TraceActions): void {
  const { shape, rows, cursorRow, cursorIndex } = view

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
    const { start, duration } = shape.columns
    const { wholeUs, draw } = shape.scale
    const { fromUs, toUs } = view.window
    const startUs = start[cursorRow] ?? 0
    const middle =
      cursorRow < 0 ? (fromUs + toUs) / 2 : (draw(startUs) + draw(startUs + (duration[cursorRow] ?? 0))) / 2
    const half = Math.min(wholeUs, Math.max(wholeUs / 10_000, (toUs - fromUs) * factor)) / 2
    const left = Math.min(Math.max(0, middle - half), Math.max(0, wholeUs - 2 * half))
    view.setZoom({ fromUs: left, toUs: left + 2 * half })
  }

  const hasCursor = () => cursorRow >= 0
  const command = (kind: Command['kind'], id: string, rest: Omit<Command, 'id' | 'kind'>): Command => ({
    id: `trace.${id}`,
    kind,
    acceptsFocus: isInTrace,
    ...rest,
  })
  const spans = 'Next, previous span'
  const folds = 'Expand or go to child, collapse or go to parent'
  const errors = 'Next, previous error'
  const zooms = 'Zoom out, zoom in'
  useCommands([
    command('move', 'next', {
      label: 'Next span',
      help: spans,
      shortcut: 'j',
      aliases: ['ArrowDown'],
      run: () => step(1),
    }),
    command('move', 'previous', {
      label: 'Previous span',
      help: spans,
      shortcut: 'k',
      aliases: ['ArrowUp'],
      run: () => step(-1),
    }),
    command('move', 'first', { label: 'First span', aliases: ['Home'], run: () => nearest(0, 1) }),
    command('move', 'last', { label: 'Last span', aliases: ['End'], run: () => nearest(rows.length - 1, -1) }),
    command('move', 'page-down', { label: '20 spans down', aliases: ['PageDown'], run: () => step(20) }),
    command('move', 'page-up', { label: '20 spans up', aliases: ['PageUp'], run: () => step(-20) }),
    command('move', 'inward', {
      label: 'Expand or go to child',
      help: folds,
      shortcut: 'ArrowRight',
      isAvailable: hasCursor,
      run: inward,
    }),
    command('move', 'outward', {
      label: 'Collapse or go to parent',
      help: folds,
      shortcut: 'ArrowLeft',
      isAvailable: hasCursor,
      run: outward,
    }),
    command('move', 'fold', {
      label: 'Expand or collapse',
      aliases: [' '],
      isAvailable: () => hasCursor() && hasChildren(shape, cursorRow),
      run: () => view.toggle(cursorRow),
    }),
    command('move', 'open', {
      label: 'Show span details',
      shortcut: 'Enter',
      isAvailable: hasCursor,
      run: () => open(cursorRow),
    }),
    command('move', 'next-error', { label: 'Next error', help: errors, shortcut: 'n', run: () => stepToError(1) }),
    command('move', 'previous-error', {
      label: 'Previous error',
      help: errors,
      shortcut: 'Shift+n',
      run: () => stepToError(-1),
    }),
    command('view', 'zoom-out', { label: 'Zoom out', help: zooms, shortcut: '[', run: () => zoomBy(2) }),
    command('view', 'zoom-in', { label: 'Zoom in', help: zooms, shortcut: ']', run: () => zoomBy(0.5) }),
    command('view', 'filter', { label: 'Filter spans', shortcut: 'f', run: focusFilter }),
    command('move', 'close', { label: 'Close the details', shortcut: 'Escape', run: close }),
  ])
}

/** Links, buttons, sliders and separators handle their own keys. */
const isInTrace = (focused: Element): boolean =>
  focused.closest(`${ownKeys}, summary, a, button, [role=slider], [role=separator]`) === null
