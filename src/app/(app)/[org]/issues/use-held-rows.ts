'use client'
import { useState } from 'react'
import type { IssueRowData } from '#ui/issue-list/issue-row.tsx'

/**
 * Nothing moves unless asked: the order is held, the numbers in it are the newest. Issues that were not there wait until
 * they are shown. One's own change is asking: then the list is drawn as it now is.
 */
export function useHeldRows(newest: IssueRowData[], changes: readonly unknown[]) {
  const [held, setHeld] = useState({ rows: newest, changes })
  const isAsked = changes.some((change, index) => change !== held.changes[index])
  // Where nothing is, nothing can be moved.
  if (isAsked || (held.rows.length === 0 && newest.length > 0)) setHeld({ rows: newest, changes })
  const byId = new Map(newest.map(row => [row.id, row]))
  const known = new Set(held.rows.map(row => row.id))
  return {
    rows: held.rows.map(row => byId.get(row.id) ?? row),
    fresh: newest.filter(row => !known.has(row.id)).length,
    adopt: () => setHeld({ rows: newest, changes }),
  }
}
