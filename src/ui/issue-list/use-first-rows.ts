'use client'
import { startTransition, useEffect, useState } from 'react'
import { useIsBrowser } from '../use-is-browser.ts'

/** The least height of a row, `--row-issue`. */
const rowPx = 52

/**
 * A navigation draws the rows of one screen and the others right after, because the list is half of what it waits for. The document
 * has all rows, and so has a list that the reader comes back to: its row gets focus.
 */
export function useFirstRows<Row>(list: string, rows: readonly Row[], isReturn: () => boolean): readonly Row[] {
  const isNavigation = useIsBrowser()
  const [whole, setWhole] = useState(() => (isNavigation ? null : list))
  // Without a transition React would draw them in the task that draws the first ones, before the browser paints.
  useEffect(() => startTransition(() => setWhole(list)), [list])
  return whole === list || isReturn() ? rows : rows.slice(0, Math.ceil(window.innerHeight / rowPx))
}
