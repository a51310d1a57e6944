import { rememberLast } from '#lib/remember-last.ts'
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
  return kindByWording(value) ?? (error.type === 'ChunkLoadError' ? 'chunk' : null)
}

const kindByWording = rememberLast(
  (value): SkewKind | null =>
    skewWordings.find(({ wordings }) => wordings.some(wording => wording.test(value)))?.kind ?? null,
)
