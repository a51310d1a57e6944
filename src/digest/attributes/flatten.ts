/** Attributes of any kind into the two maps of a row: texts and numbers. Booleans, arrays and objects become text. */
import { clipText } from '#lib/clip-text.ts'
import { isObject, setOwn } from '#lib/json-value.ts'
import { isCardValue } from '#scrub/scrub-cards.ts'
import { hasLeaves, scrubLeaves } from '#scrub/scrub-leaves.ts'
import { scrubText } from '#scrub/scrub-text.ts'
import type { Attributes, Numbers } from '#store/telemetry/rows.ts'
import { limits } from '../limits.ts'
import { cleanTree } from '../normalise/clean-tree.ts'
import type { Notes } from '../notes.ts'
import { type Facts, noFacts, roleOf } from './facts.ts'

export type Flat = { attributes: Attributes; numbers: Numbers; facts: Facts }

export const emptyFlat = (): Flat => ({ attributes: {}, numbers: {}, facts: noFacts() })

export type FlattenOptions = {
  /** Values stand in `{ value, type }`, as in v2 containers. */
  isTyped: boolean
  /** Whether a search over the payload's text found anything that may be a secret by its shape. */
  mayHaveShapes: boolean
  /** Leaves out what a column holds word for word. */
  dropsColumns: boolean
}

export function flattenInto(flat: Flat, source: unknown, options: FlattenOptions, notes: Notes): void {
  if (!isObject(source)) {
    if (source !== undefined && source !== null) notes.add('invalid', 'attributes')
    return
  }
  let count = 0
  for (const key in source) {
    if (++count > limits.attributes) {
      notes.add('trimmed', 'attributes', `${Object.keys(source).length} given`)
      return
    }
    const entry = source[key]
    if (options.isTyped && isObject(entry) && 'value' in entry) {
      put(flat, key, entry.value, options, notes)
      if (entry.unit !== undefined && entry.unit !== null) put(flat, `${key}.unit`, entry.unit, options, notes)
    } else put(flat, key, entry, options, notes)
  }
}

function put(flat: Flat, key: string, given: unknown, options: FlattenOptions, notes: Notes): void {
  if (given === null || given === undefined) return
  const role = roleOf(key)
  let value: unknown = given
  if (role.isSensitive && hasLeaves(value)) {
    value = scrubLeaves(value)
    notes.add('scrubbed', key.slice(0, limits.tagKeyChars))
  }
  if (role.fact !== null) {
    flat.facts[role.fact] = value
    if (role.isColumn && options.dropsColumns && typeof value === 'string' && value.length <= limits.nameChars) return
  }
  if (typeof value === 'number') putNumber(flat, key, value, notes)
  else putText(flat, key, role.fact !== null, textOfValue(value, key, options, notes), options, notes)
}

function putNumber(flat: Flat, key: string, value: number, notes: Notes): void {
  if (isCardValue(value)) {
    notes.add('scrubbed', key)
    setOwn(flat.attributes, key, '[scrubbed]')
  } else setOwn(flat.numbers, key, value)
}
function textOfValue(value: unknown, key: string, options: FlattenOptions, notes: Notes): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return JSON.stringify(cleanTree(value, key, options.mayHaveShapes, notes))
}

function putText(flat: Flat, key: string, isFact: boolean, given: string, options: FlattenOptions, notes: Notes): void {
  let text = given
  if (text.length > limits.textChars) {
    notes.add('trimmed', key, `${text.length} chars`)
    text = clipText(text, limits.textChars)
  }
  const hidden = scrubText(text, options.mayHaveShapes)
  if (hidden !== text) {
    notes.add('scrubbed', key)
    text = hidden
    if (isFact) rewriteFact(flat, key, text)
  }
  setOwn(flat.attributes, key, text)
}

/** A URL feeds a column too: what was hidden in the attribute must be hidden there. */
function rewriteFact(flat: Flat, key: string, text: string): void {
  const { fact } = roleOf(key)
  if (fact !== null) flat.facts[fact] = text
}
