import { clipText } from '#lib/clip-text.ts'
import { textOf } from '#lib/json-value.ts'
import { scrubText } from '#scrub/scrub-text.ts'
import { limits } from '../limits.ts'
import type { Notes } from '../notes.ts'

export function spanName(value: unknown, mayHaveShapes: boolean, notes: Notes): string {
  const text = textOf(value)
  if (text.length > limits.messageChars) notes.add('trimmed', 'name', `${text.length} chars`)
  const short = clipText(text, limits.messageChars)
  const hidden = scrubText(short, mayHaveShapes)
  if (hidden !== short) notes.add('scrubbed', 'name')
  return hidden
}
