import { type FieldTable, fieldKey } from './search-fields.ts'

/** A field whose name differs by a letter or two, or of which the key is one part: `email` for `user.email`. */
export function nearestField(key: string, table: FieldTable, shortest = shortestWord): string | null {
  const near = nearestName(key, [...Object.keys(table.fields), ...Object.keys(table.aliases ?? {})], shortest)
  if (near !== null) return fieldKey(near, table)
  const typed = key.toLowerCase()
  return Object.keys(table.fields).find(name => name.includes('.') && name.split('.').at(-1) === typed) ?? null
}

/** Of a shorter word that may be meant, a letter is too much. */
const shortestWord = 4

/** The name that differs least, if that is little. */
export function nearestName(typed: string, names: readonly string[], shortest = shortestWord): string | null {
  const most = typed.length < shortest ? 0 : typed.length < 7 ? 1 : 2
  if (most === 0) return null
  const near = names
    .map(name => ({ name, distance: editDistance(typed.toLowerCase(), name.toLowerCase(), most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)[0]
  return near?.name ?? null
}

/** Inserted, removed, changed and swapped letters; more than `most` is reported as that plus one. */
function editDistance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1
  let before: number[] = []
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let at = 1; at <= left.length; at++) {
    const next = [at]
    for (let to = 1; to <= right.length; to++) {
      const isSame = left[at - 1] === right[to - 1]
      const isSwap = at > 1 && to > 1 && left[at - 1] === right[to - 2] && left[at - 2] === right[to - 1]
      next[to] = Math.min(
        (row[to] ?? 0) + 1,
        (next[to - 1] ?? 0) + 1,
        (row[to - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return row[right.length] ?? most + 1
}
