/** Flattens attributes into the two maps of a row, texts and numbers. Booleans, arrays and objects become text. */
import { canonicalAddress } from '#lib/ip-address.ts'
import { isObject, setOwn } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import { hasLeaves, scrubLeaves } from '#scrubbing/scrub-leaves.ts'
import { isCardValue, scrubText } from '#scrubbing/scrub-text.ts'
import type { Attributes, Numbers } from '#store/telemetry/rows.ts'
import { limits } from '../limits.ts'
import { cleanTree } from '../normalize/clean-tree.ts'
import type { Notes } from '../notes.ts'
import type { InferSettings } from '../read/read-json.ts'
import type { RecordContext } from '../record-context.ts'
import { type Columns, type Facts, type KeyRole, noFacts, roleOf } from './facts.ts'

export type Flat = { attributes: Attributes; numbers: Numbers; facts: Facts }

export const emptyFlat = (): Flat => ({ attributes: {}, numbers: {}, facts: noFacts() })

type FlattenOptions = {
  /** Values are `{ value, type }`, as in v2 containers. */
  isTyped: boolean
  /** The result of `hasShapes` for the payload. */
  mayHaveShapes: boolean
  /** Left out of the attributes, because a column holds the same text. */
  columns: Columns
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
    if (options.isTyped && isObject(entry) && entry.value !== undefined) {
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
    notes.add('scrubbed', clipText(key, limits.tagKeyChars))
  }
  if (role.isAddress && typeof value === 'string') value = canonicalAddress(value)
  if (role.fact !== null) {
    flat.facts[role.fact] = value
    if (typeof value === 'string' && value.length <= limits.nameChars && options.columns.has(role.fact)) return
  }
  if (typeof value === 'number') putNumber(flat, key, value, notes)
  else putText(flat, key, role, textOfValue(value, key, options, notes), options, notes)
}

function putNumber(flat: Flat, key: string, value: number, notes: Notes): void {
  if (isCardValue(value)) {
    notes.add('scrubbed', key)
    setOwn(flat.attributes, key, '[scrubbed]')
  } else if (Number.isFinite(value)) setOwn(flat.numbers, key, value)
  // JSON allows 1e999, which a row cannot hold as a number. It is stored as text, so that no sum includes it.
  else {
    notes.add('invalid', key)
    setOwn(flat.attributes, key, String(value))
  }
}

function textOfValue(value: unknown, key: string, options: FlattenOptions, notes: Notes): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  // A list of plain values, such as a header's, is scrubbed as text.
  if (Array.isArray(value) && isFlat(value)) return listText(value)
  return JSON.stringify(cleanTree(value, key, options.mayHaveShapes, notes))
}

/** ASCII that JSON writes as it is. */
const plainText = /^[ !#-[\]-~]*$/

/** A span has two dozen headers, each a list of one text: JSON.stringify is skipped when nothing needs escaping. */
function listText(list: unknown[]): string {
  const [only] = list
  const isPlain = list.length === 1 && typeof only === 'string' && plainText.test(only)
  return isPlain ? `["${only}"]` : JSON.stringify(list)
}

function isFlat(list: unknown[]): boolean {
  if (list.length > limits.members) return false
  for (const member of list) if (typeof member === 'object' && member !== null) return false
  return true
}

function putText(flat: Flat, key: string, role: KeyRole, given: string, options: FlattenOptions, notes: Notes): void {
  let text = given
  if (text.length > limits.textChars) {
    notes.add('trimmed', key, `${text.length} chars`)
    text = clipText(text, limits.textChars)
  }
  const clean = role.isTechnical && !options.mayHaveShapes ? text : scrubText(text, options.mayHaveShapes)
  if (clean !== text) {
    notes.add('scrubbed', key)
    text = clean
    // The fact feeds a column, which must be scrubbed too.
    if (role.fact !== null) flat.facts[role.fact] = text
  }
  setOwn(flat.attributes, key, text)
}

/** Fills in the client's IP address and user agent when the SDK asks for it. */
export function inferClient({ attributes, facts }: Flat, settings: InferSettings, context: RecordContext): void {
  if (context.clientAddress === '') {
    // The project stores no IP addresses.
    if (facts.userIp === '{{auto}}') facts.userIp = undefined
  } else if (facts.userIp === '{{auto}}' || (settings.ip && facts.userIp === undefined)) {
    facts.userIp = context.clientAddress
    attributes['user.ip_address'] = context.clientAddress
  }
  if (settings.userAgent && facts.userAgent === undefined && context.userAgent !== '') {
    facts.userAgent = context.userAgent
    attributes['user_agent.original'] = context.userAgent
  }
}
