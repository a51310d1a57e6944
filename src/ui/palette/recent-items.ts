/** What was opened last from the palette or as an issue page, per browser, organization and user. */
import type { PaletteLink } from './palette-entry.ts'

const prefix = 'hydrant-recent:'
const most = 8

/** `base` is the path of the organization: items of another one, or links to elsewhere, are not read. */
export type RecentScope = { base: string; userId: string }

const nameOf = ({ base, userId }: RecentScope): string => `${prefix}${base}:${userId}`

export function readRecent(scope: RecentScope): PaletteLink[] {
  try {
    const items: unknown = JSON.parse(localStorage.getItem(nameOf(scope)) ?? '[]')
    return Array.isArray(items) ? items.filter(item => isLink(item, scope.base)).slice(0, most) : []
  } catch {
    return []
  }
}

export function rememberItem(scope: RecentScope, { id, label, note = '', href }: PaletteLink): void {
  const others = readRecent(scope).filter(item => item.href !== href)
  try {
    localStorage.setItem(nameOf(scope), JSON.stringify([{ id, label, note, href }, ...others].slice(0, most)))
  } catch {
    // Storage is full or switched off: nothing is recent then.
  }
}

/** At sign-out: the titles belong to the account. */
export function forgetRecent(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name)
  } catch {
    // There is nothing to forget.
  }
}

function isLink(item: unknown, base: string): item is PaletteLink {
  if (typeof item !== 'object' || item === null) return false
  const { id, label, note, href } = item as Record<string, unknown>
  return (
    typeof id === 'string' &&
    typeof label === 'string' &&
    typeof note === 'string' &&
    typeof href === 'string' &&
    href.startsWith(`${base}/`)
  )
}
