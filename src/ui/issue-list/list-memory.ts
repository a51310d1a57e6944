/**
 * What this tab remembers of the last issue list: its rows, so that the issue page can go to the next one, and the issue that was looked
 * at last and how far the list was scrolled, so that Back returns there. Without session storage it remembers nothing.
 */
/** A link keeps the list's filter. */
type RowLink = { id: number; href: string }
type ListMemory = { href: string; rows: RowLink[]; lookedAt: number | null; top: number | null }

const name = 'hydrant-list'

function read(): ListMemory | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null')
    return isMemory(value) ? value : null
  } catch {
    return null
  }
}

function write(memory: ListMemory): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(memory))
  } catch {
    // Storage is full or switched off.
  }
}

const isMemory = (value: unknown): value is ListMemory =>
  typeof value === 'object' &&
  value !== null &&
  'href' in value &&
  typeof value.href === 'string' &&
  'rows' in value &&
  Array.isArray(value.rows) &&
  'top' in value &&
  value.rows.every(row => Number.isSafeInteger(row?.id) && typeof row?.href === 'string' && row.href.startsWith('/'))

/** The list at this URL shows these issues. */
export function rememberRows(href: string, rows: readonly RowLink[]): void {
  const known = read()
  write({
    href,
    rows: rows.map(row => ({ id: row.id, href: row.href })),
    lookedAt: known?.href === href ? known.lookedAt : null,
    top: known?.href === href ? known.top : null,
  })
}

export function rememberLookedAt(issueId: number): void {
  const known = read()
  if (known) write({ ...known, lookedAt: issueId })
}

/** The list at this URL is scrolled this far. */
export function rememberTop(href: string, top: number): void {
  const known = read()
  if (known?.href === href) write({ ...known, top })
}

export function recallTop(href: string): number | null {
  const known = read()
  return known?.href === href ? known.top : null
}

/** The issue of the list at this URL that was looked at last. */
export function recallLookedAt(href: string): number | null {
  const known = read()
  return known?.href === href ? known.lookedAt : null
}

/** The link to the issue before or after this one in the list that was open last. */
export function recallNeighbor(issueId: number, by: 1 | -1): string | null {
  const rows = read()?.rows ?? []
  const at = rows.findIndex(({ id }) => id === issueId)
  return at < 0 ? null : (rows[at + by]?.href ?? null)
}
