'use client'
import { useEffect, useState } from 'react'
import { useIsBrowser } from '../use-is-browser.ts'

/** More than a screen has, and half of a page of the list. */
const firstRows = 25

/**
 * A navigation draws the rows of one screen and the others right after, because the list is half of what it waits for. The document
 * has all rows, and so has a list that the reader comes back to: its row gets focus.
 */
export function useFirstRows<Row>(rows: readonly Row[], isReturn: () => boolean): readonly Row[] {
  const isNavigation = useIsBrowser()
  const [isWhole, setIsWhole] = useState(() => !isNavigation || isReturn())
  useEffect(() => setIsWhole(true), [])
  return isWhole ? rows : rows.slice(0, firstRows)
}
