'use client'
import { type RefObject, useLayoutEffect, useState } from 'react'

/** As the style sheet draws rows: taller for fingers, and with the bar under the name where it is narrow. */
const heights = { wide: 26, touch: 36, narrow: 44 }

/** How tall a row is, and how far down the page the grid begins: the virtual list counts from there. */
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
    // What stands above the grid may grow (fonts, errors that arrive) without the window changing.
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
