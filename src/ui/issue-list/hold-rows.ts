/** Which rows a list shows while newer ones arrive, and which row is next when one leaves. */
type Row = { id: number; lastSeen: number }

export type HeldRows<Each> = {
  rows: readonly Each[]
  /** When the list was first read: what was last seen later is news. */
  at: number
  /** Rows that have moved up from the next page. */
  followers: ReadonlySet<number>
}

const noFollowers: ReadonlySet<number> = new Set()

/** The list as it was read. */
export const holdAll = <Each>(rows: readonly Each[], at: number): HeldRows<Each> => ({
  rows,
  at,
  followers: noFollowers,
})

/**
 * Rows keep their order while their counts update. A row leaves if the viewer has changed it and the newest list lacks it, and comes back
 * to its place after Undo. Rows that move up from the next page follow at the end, and go back there after Undo. Everything else is news,
 * which appears on request: it would push the rows under the reader's eyes.
 */
export function holdRows<Each extends Row>(
  held: HeldRows<Each>,
  newest: readonly Each[],
  changed: ReadonlySet<number>,
): { rows: Each[]; fresh: number; followers: ReadonlySet<number> } {
  // An empty list has no order to keep.
  if (held.rows.length === 0) return { rows: [...newest], fresh: 0, followers: noFollowers }
  const byId = new Map(newest.map(row => [row.id, row]))
  const mayLeave = (id: number) => changed.has(id) || held.followers.has(id)
  const rows = held.rows.flatMap(row => byId.get(row.id) ?? (mayLeave(row.id) ? [] : [row]))
  const followers = new Set(held.followers)
  const known = new Set(held.rows.map(({ id }) => id))
  const lastKept = newest.findLastIndex(({ id }) => known.has(id))
  let fresh = 0
  for (const [index, row] of newest.entries()) {
    if (known.has(row.id)) continue
    if (changed.has(row.id)) rows.splice(placeOf(index, newest, rows), 0, row)
    else if (index > lastKept && row.lastSeen <= held.at) {
      rows.push(row)
      followers.add(row.id)
    } else fresh++
  }
  return { rows, fresh, followers }
}

/** After the nearest row above it that is shown. */
function placeOf(index: number, newest: readonly Row[], rows: readonly Row[]): number {
  for (const above of newest.slice(0, index).toReversed()) {
    const at = rows.findIndex(({ id }) => id === above.id)
    if (at >= 0) return at + 1
  }
  return 0
}

/** Where the cursor goes from a row: to the next one that qualifies, else to the previous one. */
export function nearestRow(order: readonly number[], from: number, qualifies: (id: number) => boolean): number | null {
  const at = order.indexOf(from)
  return order.slice(at + 1).find(qualifies) ?? order.slice(0, Math.max(at, 0)).findLast(qualifies) ?? null
}
