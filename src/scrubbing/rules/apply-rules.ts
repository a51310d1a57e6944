/**
 * Applies the rules of a project to a parsed value, in place. Deterministic: the same value and rules give the same result, so what it
 * may cost is counted in steps, not in time. When the steps are used up, fields that a rule would have to read are removed as a whole.
 */
import { isObject, type JsonObject } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import { scrubbed } from '../scrub-text.ts'
import { isAddressKey } from './address-fields.ts'
import { type CompiledRule, type HashText, isScrubbed, substitute } from './compile-rule.ts'
import { enter, enterPosition, isReached, type PathProgress, startOf } from './field-path.ts'
import { isProtectedAttribute, isProtectedField } from './protected-fields.ts'

export type RuleSet = {
  readonly rules: readonly CompiledRule[]
  /** IP addresses of clients are not stored. */
  readonly dropsAddresses: boolean
  readonly hash: HashText
}

/** Shared by the items of a record. */
export type StepBudget = { left: number }

/** About a second, if every text matches. */
export const maxSteps = 500_000
/** Characters that a pattern checks in the time of one step. */
const charsPerStep = 50

type FieldChange = (path: string, before: string, after: string | null) => void

type Options = {
  rules: RuleSet
  budget: StepBudget
  /** Called for every changed field; `after` is null for a removed one. */
  onChange?: FieldChange
  /** Longer texts are cut, as digest does it anyway. */
  maxTextChars?: number
}

/** `Open` is the state below a field: how far the path of each rule has matched, and the rules that apply to the field. */
type Walk = Options & { path: string[]; nested: number; isProtected(path: readonly string[]): boolean }
type Open = { progress: readonly PathProgress[]; active: readonly CompiledRule[] }

const removed = Symbol('removed')
const maxDepth = 60
/** Longer texts are dumps, and apps don't send JSON in JSON in JSON. */
const maxNestedChars = 262_144
const maxNested = 2

export function applyRules(value: JsonObject, options: Options): void {
  const walk: Walk = { ...options, path: [], nested: 0, isProtected: isProtectedField }
  visitObject(value, walk, startAll(options.rules), 0)
}

/** The attributes of a span, log or metric: names with dots that begin at the root. `isTyped`: values are `{ value, type }`. */
export function applyRulesToAttributes(attributes: unknown, isTyped: boolean, options: Options): void {
  if (!isObject(attributes)) return
  const walk: Walk = { ...options, path: [], nested: 0, isProtected: isProtectedAttribute }
  const open = startAll(options.rules)
  for (const key of Object.keys(attributes)) {
    const entry = attributes[key]
    const typed = isTyped && isObject(entry) && entry.value !== undefined ? entry : null
    const result = visitKey(key, typed === null ? entry : typed.value, walk, open, 0)
    if (result === removed) Reflect.deleteProperty(attributes, key)
    else if (typed !== null) typed.value = result
    else if (result !== entry) attributes[key] = result
  }
}

/** A text by itself, such as the name of a file; '' if it is removed. */
export function applyRulesToText(name: string, text: string, options: Options): string {
  const holder: JsonObject = { [name]: text }
  applyRules(holder, options)
  return typeof holder[name] === 'string' ? holder[name] : ''
}

const startAll = ({ rules }: RuleSet): Open => {
  const progress = rules.map(({ path }) => startOf(path))
  return { progress, active: rules.filter(({ path }, at) => isReached(path, progress[at] ?? [])) }
}

function visitObject(object: JsonObject, walk: Walk, open: Open, depth: number): unknown {
  let isChanged = false
  for (const key of Object.keys(object)) {
    const value = object[key]
    const result = visitKey(key, value, walk, open, depth + 1)
    if (result === value) continue
    isChanged = true
    if (result === removed) Reflect.deleteProperty(object, key)
    // In place, so that an own `__proto__` key stays an own key.
    else object[key] = result
  }
  return isChanged && Object.keys(object).length === 0 && walk.path.length > 1 ? removed : object
}

function visitArray(array: unknown[], walk: Walk, open: Open, depth: number): unknown {
  let kept = 0
  const { length } = array
  for (let at = 0; at < length; at++) {
    const inner = enterAll(walk, open, ({ path }, progress) => enterPosition(path, progress, at))
    const result = visit(array[at], walk, inner, depth + 1)
    if (result !== removed) array[kept++] = result
  }
  array.length = kept
  return kept === 0 && length > 0 ? removed : array
}

function visitKey(key: string, value: unknown, walk: Walk, open: Open, depth: number): unknown {
  if (value === null || value === undefined) return value
  const names = key.length > maxKeyChars ? [key.slice(0, maxKeyChars)] : key.split('.')
  let inner = open
  for (const name of names) {
    const lower = name.toLowerCase()
    walk.path.push(lower)
    inner = enterAll(walk, inner, ({ path }, progress) => enter(path, progress, lower))
  }
  const isAddress = walk.rules.dropsAddresses && isAddressKey(key) && !walk.isProtected(walk.path)
  const result = isAddress ? dropAddress(value, walk) : visit(value, walk, inner, depth)
  walk.path.length -= names.length
  return result
}

const maxKeyChars = 200

/** The open rules one level below. The same object if nothing changes, which is usual below a whole matched field. */
function enterAll(
  { rules: { rules } }: Walk,
  { progress, active }: Open,
  step: (rule: CompiledRule, progress: PathProgress) => PathProgress,
): Open {
  if (rules.length === 0) return { progress, active }
  const next: PathProgress[] = []
  const reached: CompiledRule[] = []
  for (const [at, rule] of rules.entries()) {
    const own = progress[at] ?? none
    const then = own.length === 0 ? none : step(rule, own)
    next.push(then)
    if (active.includes(rule) || isReached(rule.path, then)) reached.push(rule)
  }
  return { progress: next, active: reached }
}

const none: PathProgress = []

function visit(value: unknown, walk: Walk, open: Open, depth: number): unknown {
  if (value === null || value === undefined) return value
  const isOpen = open.active.length > 0 || open.progress.some(own => own.length > 0)
  if (!isOpen && !walk.rules.dropsAddresses) return value
  if (typeof value === 'object') {
    if (depth > maxDepth) return isOpen ? hide(value, walk) : value
    return Array.isArray(value)
      ? visitArray(value, walk, open, depth)
      : visitObject(value as JsonObject, walk, open, depth)
  }
  if (typeof value === 'string') return visitText(value, walk, open)
  return open.active.length === 0 ? value : scrubLeaf(value, walk, open.active)
}

function visitText(given: string, walk: Walk, open: Open): unknown {
  const inner = visitNestedJson(given, walk, open)
  return open.active.length === 0 ? inner : scrubLeaf(inner, walk, open.active)
}

/** Bodies of requests and the like are often JSON in a text. */
function visitNestedJson(text: string, walk: Walk, open: Open): string {
  const first = text.charCodeAt(0)
  if ((first !== 0x7b && first !== 0x5b) || text.length > maxNestedChars || walk.nested >= maxNested) return text
  const parsed = parseObject(text)
  if (parsed === null) return text
  const before = JSON.stringify(parsed)
  walk.nested++
  const result = Array.isArray(parsed) ? visitArray(parsed, walk, open, 0) : visitObject(parsed, walk, open, 0)
  walk.nested--
  const after = result === removed ? '' : JSON.stringify(parsed)
  return after === before ? text : after
}

function parseObject(text: string): JsonObject | unknown[] | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) || Array.isArray(parsed) ? parsed : null
  } catch {
    return null
  }
}

function scrubLeaf(value: unknown, walk: Walk, active: readonly CompiledRule[]): unknown {
  if (walk.isProtected(walk.path)) return value
  const given = String(value)
  const max = walk.maxTextChars ?? Number.POSITIVE_INFINITY
  const before = given.length > max ? clipText(given, max) : given
  const after = rewriteAll(before, typeof value, walk, active)
  if (after === before) return value
  walk.onChange?.(walk.path.join('.'), before, after)
  return after ?? removed
}

/** Null if the value is removed. */
function rewriteAll(
  given: string,
  type: string,
  { rules: { hash }, budget }: Walk,
  active: readonly CompiledRule[],
): string | null {
  let text = given
  for (const { pattern, action } of active) {
    if (text === '' || isScrubbed(text)) return text
    if (pattern === null) {
      if (action === 'remove') return null
      text = substitute(text, action, hash)
      continue
    }
    if (type === 'boolean') continue
    budget.left -= Math.ceil(text.length / charsPerStep)
    if (budget.left > 0 && !pattern.matches(text)) continue
    budget.left -= text.length * pattern.cost
    text = budget.left > 0 ? pattern.rewrite(text, hash) : scrubbed
  }
  return text
}

function dropAddress(value: unknown, walk: Walk): unknown {
  if (typeof value === 'boolean') return value
  if (value === '') return removed
  walk.onChange?.(walk.path.join('.'), typeof value === 'string' ? value : JSON.stringify(value), null)
  return removed
}

function hide(value: object, walk: Walk): string {
  walk.onChange?.(walk.path.join('.'), Array.isArray(value) ? '[…]' : '{…}', scrubbed)
  return scrubbed
}
