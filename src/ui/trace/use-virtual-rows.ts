'use client'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { useRowHeight } from './use-row-height.ts'
import type { TraceView } from './use-trace-view.ts'

/** Only the rows near the screen are rendered. The page scrolls, not the grid. */
export function useVirtualRows(grid: RefObject<HTMLElement | null>, view: TraceView) {
  const { rowHeight, scrollMargin } = useRowHeight(grid)
  const virtual = useWindowVirtualizer({
    count: view.rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin,
    scrollPaddingStart: 200,
    scrollPaddingEnd: 80,
    initialRect: { width: 1_000, height: 800 },
  })
  const remeasure = useEffectEvent((_height: number) => virtual.measure())
  useEffect(() => remeasure(rowHeight), [rowHeight])

  const scrollTarget = useRef(-1)
  // The row only has an index to scroll to after the folds around it are open.
  useEffect(() => {
    const index = scrollTarget.current < 0 ? -1 : view.indexOf(scrollTarget.current)
    if (index < 0) return
    scrollTarget.current = -1
    virtual.scrollToIndex(index, { align: 'auto' })
  })

  return {
    totalHeight: virtual.getTotalSize(),
    /** The rendered rows with their distance from the top of the grid. */
    items: virtual.getVirtualItems().map(({ index, start }) => ({ index, top: start - scrollMargin })),
    /** Makes a row visible and moves the cursor and the focus to it. */
    goTo(row: number): void {
      view.reveal(row)
      scrollTarget.current = row
      grid.current?.focus({ preventScroll: true })
    },
  }
}
export type VirtualRows = ReturnType<typeof useVirtualRows>
