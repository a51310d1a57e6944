'use client'
import { useState } from 'react'
import type { IssueRowData } from '#ui/issue-list/issue-row.tsx'

/**
 * Nothing moves unless asked: the order is held, the numbers in it are the newest. Issues that were not there wait until
 * they are shown. One's own change is asking: then the list is drawn as it now is.
 */
export function useHeldRows(newest: IssueRowData[], change: unknown) {
  const [held, setHeld] = useState({ rows: newest, change })
  if (held.change !== change) setHeld({ rows: newest, change })
  const byId = new Map(newest.map(row => [row.id, row]))
  const known = new Set(held.rows.map(row => row.id))
  return {
    rows: held.rows.map(row => byId.get(row.id) ?? row),
    fresh: newest.filter(row => !known.has(row.id)).length,
    adopt: () => setHeld({ rows: newest, change }),
  }
}
