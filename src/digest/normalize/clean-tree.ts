/** Cleans a parsed value in place, in one walk: scrubs private values, and cuts long texts, large collections and deep nesting. */
import { isObject, type JsonObject } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import { isSensitiveKey } from '#scrubbing/is-sensitive-key.ts'
import { hasLeaves, scrubLeaves } from '#scrubbing/scrub-leaves.ts'
import { isCardValue, scrubbed, scrubCode, scrubText } from '#scrubbing/scrub-text.ts'
import { limits } from '../limits.ts'
import type { Notes } from '../notes.ts'

type Walk = {
  notes: Notes
  /** True inside the SDK's own data, where keys are package names; one package is called `cookie`. */
  keysAreNames: boolean
  mayHaveShapes: boolean
  /** How many characters of text may still be kept. */
  charsLeft: number
  path: (string | number)[]
}

/** Source code of a frame: `token = read()` is not a secret there, a private key is. */
const codeKeys = new Set(['context_line', 'pre_context', 'post_context', 'function', 'module', 'filename', 'abs_path'])

const sdkKeys = new Set(['modules', 'sdk', 'debug_meta'])

export function cleanTree(
  value: unknown,
  root: string,
  mayHaveShapes: boolean,
  notes: Notes,
  charsLeft: number = Number.POSITIVE_INFINITY,
): unknown {
  return clean(
    value,
    { notes, mayHaveShapes, charsLeft, keysAreNames: false, path: root === '' ? [] : [pathPart(root)] },
    0,
    false,
  )
}

function clean(value: unknown, walk: Walk, depth: number, isCode: boolean): unknown {
  if (typeof value === 'string') return cleanText(value, walk, isCode)
  if (typeof value === 'number') return value >= 2e12 && isCardValue(value) ? hide(walk) : value
  if (typeof value !== 'object' || value === null) return value
  if (depth >= limits.depth) {
    walk.notes.add('depth', walk.path.join('.'))
    return '[nested too deep]'
  }
  if (Array.isArray(value)) return cleanArray(value, walk, depth, isCode)
  cleanObject(value as JsonObject, walk, depth)
  return value
}

/** Each note contains its path: with a key of a megabyte, a thousand notes would take seconds. */
const pathPart = (key: string): string => (key.length > limits.tagKeyChars ? clipText(key, limits.tagKeyChars) : key)

function cleanObject(object: JsonObject, walk: Walk, depth: number): void {
  let count = 0
  for (const key in object) {
    const value = object[key]
    walk.path.push(pathPart(key))
    if (++count > limits.members) {
      if (count === limits.members + 1) walk.notes.add('trimmed', walk.path.slice(0, -1).join('.'), 'too many keys')
      Reflect.deleteProperty(object, key)
    } else if (!walk.keysAreNames && isSensitiveKey(key) && hasLeaves(value)) {
      object[key] = scrubLeaves(value)
      walk.notes.add('scrubbed', walk.path.join('.'))
    } else {
      const isSdkData = depth === 0 && sdkKeys.has(key)
      if (isSdkData) walk.keysAreNames = true
      const cleaned = clean(value, walk, depth + 1, walk.keysAreNames || codeKeys.has(key))
      if (isSdkData) walk.keysAreNames = false
      if (cleaned !== value) object[key] = cleaned
    }
    walk.path.pop()
  }
}

function cleanArray(array: unknown[], walk: Walk, depth: number, isCode: boolean): unknown[] {
  if (array.length > limits.members) {
    walk.notes.add('trimmed', walk.path.join('.'), `${array.length} members`)
    array.length = limits.members
  }
  for (let at = 0; at < array.length; at++) {
    walk.path.push(at)
    const member = array[at]
    const valueKey = privatePair(member)
    if (valueKey !== null && hasLeaves((member as JsonObject)[valueKey])) {
      const pair = member as JsonObject
      pair[valueKey] = scrubLeaves(pair[valueKey])
      walk.notes.add('scrubbed', walk.path.join('.'))
    }
    const cleaned = clean(member, walk, depth + 1, isCode)
    if (cleaned !== member) array[at] = cleaned
    walk.path.pop()
  }
  return array
}

/** Headers, cookies and query strings may be lists: `['cookie', '…']` or `{ name: 'cookie', value: '…' }`. */
function privatePair(member: unknown): '1' | 'value' | null {
  if (Array.isArray(member)) {
    return member.length === 2 && typeof member[0] === 'string' && isSensitiveKey(member[0]) ? '1' : null
  }
  if (!isObject(member) || member.value === undefined) return null
  const name = member.name ?? member.key
  return typeof name === 'string' && isSensitiveKey(name) ? 'value' : null
}

function cleanText(given: string, walk: Walk, isCode: boolean): string {
  let text = given
  if (text.length > limits.textChars || text.length > walk.charsLeft) {
    walk.notes.add('trimmed', walk.path.join('.'), `${text.length} chars`)
    text = clipText(text, Math.max(0, Math.min(limits.textChars, walk.charsLeft)))
  }
  walk.charsLeft -= text.length
  const clean = (isCode ? scrubCode : scrubText)(text, walk.mayHaveShapes)
  if (clean === text) return text
  walk.notes.add('scrubbed', walk.path.join('.'))
  return clean
}

function hide(walk: Walk): string {
  walk.notes.add('scrubbed', walk.path.join('.'))
  return scrubbed
}
