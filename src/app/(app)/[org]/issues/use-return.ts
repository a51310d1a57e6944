'use client'
import { type RefObject, useEffect } from 'react'

type Kept = { issueRow?: string } | null

/** Back brings the focus to the row one came from. It is kept with the entry of the history that it belongs to. */
export function useReturn(board: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const list = board.current
    const kept = (history.state as Kept)?.issueRow
    if (kept) list?.querySelector<HTMLElement>(`[data-issue="${CSS.escape(kept)}"] a`)?.focus({ preventScroll: true })
    const remember = (event: Event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-issue]') : null
      if (row) history.replaceState({ ...(history.state as object | null), issueRow: row.dataset.issue }, '')
    }
    list?.addEventListener('click', remember, { capture: true })
    return () => list?.removeEventListener('click', remember, { capture: true })
  }, [board])
}
