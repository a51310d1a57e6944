import type { StoredEvent } from '#protocol/event.ts'
import { type SkewKind, skewWordings } from './skew-wordings.ts'

/** Chars. Longer texts are somebody's own. */
const maxChars = 2_000

/** How an event shows that a deploy has moved on under an open tab; null where it does not. */
export function findSkew(event: StoredEvent): SkewKind | null {
  const error = event.exception?.values.at(-1)
  if (error === undefined) return null
  const value = error.value ?? ''
  if (value.length > maxChars) return null
  const found = skewWordings.find(({ wordings }) => wordings.some(wording => wording.test(value)))
  if (found !== undefined) return found.kind
  return error.type === 'ChunkLoadError' ? 'chunk' : null
}
