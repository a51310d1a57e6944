/**
 * Paths of fields in scrubbing rules: `user.email`, `request.headers.x-*`, `**.phone`. `*` stands for one name or a part of it, `**` for
 * any number of names. Matching ignores case, and positions in lists are optional: `breadcrumbs.message` is the message of every
 * breadcrumb.
 */
export type FieldPath = readonly string[]

/** How far a path has matched the names from the root to a field: the number of its parts. */
export type PathProgress = readonly number[]

const any = '**'
export const maxPathChars = 200
const maxParts = 20

/** Null if it has no valid form. An empty path stands for every field. */
export function parsePath(given: string): FieldPath | null {
  const text = given.trim().toLowerCase()
  if (text === '' || text === any) return []
  if (text.length > maxPathChars) return null
  const parts = text.split('.')
  if (parts.length > maxParts || parts.some(part => part === '' || (part.includes(any) && part !== any))) return null
  return parts
}

export const startOf = (path: FieldPath): PathProgress => close(path, [0])

/** The progress after the name of a field, in lower case and without dots. */
export function enter(path: FieldPath, progress: PathProgress, name: string): PathProgress {
  const next: number[] = []
  for (const at of progress) {
    const part = path[at]
    if (part === undefined) continue
    if (part === any) next.push(at)
    else if (part === name || (part.includes('*') && matchesGlob(part, name))) next.push(at + 1)
  }
  return next.length === 0 ? next : close(path, next)
}

/** The progress after a position in a list. A path doesn't have to name the position. */
export function enterPosition(path: FieldPath, progress: PathProgress, position: number): PathProgress {
  const named = enter(path, progress, String(position))
  return named.length === 0 ? progress : [...new Set([...progress, ...named])]
}

export const isReached = (path: FieldPath, progress: PathProgress): boolean => progress.includes(path.length)

/** `**` may stand for no name at all. */
function close(path: FieldPath, progress: readonly number[]): PathProgress {
  const all = new Set(progress)
  for (const at of all) if (path[at] === any) all.add(at + 1)
  return [...all]
}

/** With two cursors, so that many `*` cost no more than pattern times name. */
function matchesGlob(pattern: string, name: string): boolean {
  let at = 0
  let from = 0
  let star = -1
  let resume = 0
  while (at < name.length) {
    if (pattern[from] === '*') {
      star = from++
      resume = at
    } else if (pattern[from] === name[at]) {
      from++
      at++
    } else if (star === -1) return false
    else {
      from = star + 1
      at = ++resume
    }
  }
  while (pattern[from] === '*') from++
  return from === pattern.length
}
