'use client'
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Row heights in the style sheet: taller for touch, and with the bar below the name on narrow screens. */
const heights = { wide: 26, touch: 36, narrow: 44 }

/** The row height, and the offset of the grid on the page for the virtual list. */
export function useRowHeight(grid: RefObject<HTMLElement | null>): { rowHeight: number; scrollMargin: number } {
  const [measured, setMeasured] = useState({ rowHeight: heights.wide, scrollMargin: 0 })
  useLayoutEffect(() => {
    const measure = () => {
      const isNarrow = matchMedia('(max-width: 720px)').matches
      const isTouch = matchMedia('(pointer: coarse)').matches
      const rowHeight = isNarrow ? heights.narrow : isTouch ? heights.touch : heights.wide
      const scrollMargin = Math.round((grid.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
      setMeasured(before =>
        before.rowHeight === rowHeight && before.scrollMargin === scrollMargin ? before : { rowHeight, scrollMargin },
      )
    }
    measure()
    // Content above the grid can grow (fonts, new errors) without a resize event.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [grid])
  return measured
}
