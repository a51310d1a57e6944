import { clipText } from '#lib/clip-text.ts'
import { isObject, setOwn, textOf } from '#lib/json-value.ts'
import { limits } from '../limits.ts'
import { cleanTree } from '../normalise/clean-tree.ts'
import type { Notes } from '../notes.ts'

/** Tags as a map of texts, whether they came as an object or as a list of pairs. */
export function normaliseTags(given: unknown, notes: Notes): Record<string, string> {
  const tags: Record<string, string> = {}
  if (given === undefined || given === null) return tags
  let count = 0
  const put = (key: string, value: unknown) => {
    if (value === null || value === undefined) return
    if (++count > limits.tags) return
    setOwn(
      tags,
      clip(key, limits.tagKeyChars, key, notes),
      clip(tagText(key, value, notes), limits.tagValueChars, key, notes),
    )
  }
  if (Array.isArray(given)) {
    for (const pair of given) {
      if (Array.isArray(pair)) put(textOf(pair[0]), pair[1])
      else if (isObject(pair)) put(textOf(pair.key), pair.value)
      else notes.add('invalid', 'tags')
    }
  } else if (isObject(given)) for (const key in given) put(key, given[key])
  else notes.add('invalid', 'tags')
  if (count > limits.tags) notes.add('trimmed', 'tags', `${count} tags`)
  return tags
}

const tagText = (key: string, value: unknown, notes: Notes): string =>
  typeof value === 'object' ? JSON.stringify(cleanTree(value, `tags.${key}`, true, notes)) : textOf(value)

function clip(text: string, maxChars: number, key: string, notes: Notes): string {
  if (text.length <= maxChars) return text
  notes.add('trimmed', `tags.${key.slice(0, limits.tagKeyChars)}`, `${text.length} chars`)
  return clipText(text, maxChars)
}
