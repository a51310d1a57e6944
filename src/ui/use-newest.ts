'use client'
import { useCallback, useLayoutEffect, useRef } from 'react'

/** Always the same function, which calls the newest one: for memoized components. */
export function useNewest<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const newest = useRef(run)
  useLayoutEffect(() => {
    newest.current = run
  })
  return useCallback((...args: Args) => newest.current(...args), [])
}
