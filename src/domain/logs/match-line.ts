/**
 * The search of log lines on a row in memory, for lines that have just been stored. The engine's rule is `log-condition.ts`;
 * `test/contract/logs.test.ts` compares both.
 */

import { isNumeric } from '#domain/events/event-condition.ts'
import { routeParts } from '#react/route.ts'
import { logSide } from '#react/side.ts'
import { withSpellings } from '#search/address-values.ts'
import { logFields } from '#search/log-fields.ts'
import { readMoment } from '#search/read-value.ts'
import { fieldKind, tagName } from '#search/search-fields.ts'
import type { Comparison, FieldTerm, SearchTerm, SearchValue } from '#search/search-term.ts'
import { levelsOf } from '#search/severity-levels.ts'
import { indexedWords, wordsIn } from '#search/text-words.ts'

/** What a search can ask about a line. Ids are hex digits; '' or zeros are none. */
export type MatchedLine = {
  projectId: number
  atUs: number
  level: string
  body: string
  template: string
  traceId: string
  spanId: string
  replayId: string
  pattern: string
  route: string
  release: string
  environment: string
  serverName: string
  userId: string
  hasUser: boolean
  origin: string
  sdkName: string
  sdkVersion: string
  attributes: Readonly<Record<string, string>>
  numbers: Readonly<Record<string, number>>
}

/** All terms must hold. They must be resolved (resolve-terms.ts). */
export const matchesLine = (line: MatchedLine, terms: readonly SearchTerm[]): boolean =>
  terms.every(term => holds(line, term))

function holds(line: MatchedLine, term: SearchTerm): boolean {
  if (term.kind === 'group') {
    const isMatch = term.match === 'some' ? term.of.some(each => holds(line, each)) : matchesLine(line, term.of)
    return isMatch !== term.isNegated
  }
  const isMatch = term.kind === 'text' ? hasText(line.body, term.value) : hasField(line, term)
  return isMatch !== term.isNegated
}

function hasText(body: string, value: SearchValue): boolean {
  const [text = ''] = value.parts
  if (!contains(body, value)) return false
  if (value.parts.length > 1) return true
  const wanted = indexedWords(text)
  if (wanted.length === 0) return true
  const words = new Set(wordsIn(body).map(word => word.toLowerCase()))
  return wanted.every(word => words.has(word))
}

function hasField(line: MatchedLine, term: FieldTerm): boolean {
  const { values } = withSpellings(term)
  const any = (test: (value: SearchValue) => boolean): boolean => values.some(test)
  switch (fieldKind(term.key, logFields)) {
    case 'severity':
      return levelsOf(term).includes(line.level)
    case 'side':
      return any(({ parts }) => parts[0] === logSide(line))
    case 'text':
      return any(value => contains(line.body, value))
    case 'time':
      return any(({ parts }) => hasTime(line.atUs / 1_000, term.comparison, parts[0] ?? ''))
    case 'attribute':
      return any(value => hasAttribute(line, term, value))
    case 'has':
      return any(({ parts }) => isPresent(line, parts[0] ?? ''))
    default:
      return any(value => isEqual(columnOf(line, term.key), asTyped(term.key, value)))
  }
}

/** Ids may be typed in upper case or with hyphens. */
function asTyped(key: string, { parts }: SearchValue): SearchValue {
  if (key === 'route') return { parts: routeParts(parts) }
  if (key === 'trace' || key === 'replay') return { parts: parts.map(part => part.replaceAll('-', '').toLowerCase()) }
  return key === 'span' || key === 'pattern' ? { parts: parts.map(part => part.toLowerCase()) } : { parts }
}

const none = /^0*$/
const idOf = (id: string): string => (none.test(id) ? '' : id)

function columnOf(line: MatchedLine, key: string): string {
  const columns: Readonly<Record<string, string>> = {
    route: line.route,
    release: line.release,
    environment: line.environment,
    server_name: line.serverName,
    'user.id': line.userId,
    trace: idOf(line.traceId),
    span: idOf(line.spanId),
    replay: idOf(line.replayId),
    template: line.template,
    pattern: idOf(line.pattern),
    origin: line.origin,
    'sdk.name': line.sdkName,
    'sdk.version': line.sdkVersion,
    project: String(line.projectId),
    level: line.level,
    message: line.body,
    side: logSide(line),
  }
  return Object.hasOwn(columns, key) ? (columns[key] ?? '') : ''
}

/** The value of a field or attribute as text; '' without one. */
export function fieldText(line: MatchedLine, key: string): string {
  if (fieldKind(key, logFields) !== 'attribute') return columnOf(line, key)
  const name = tagName(key)
  if (Object.hasOwn(line.numbers, name)) return String(line.numbers[name])
  return Object.hasOwn(line.attributes, name) ? (line.attributes[name] ?? '') : ''
}

function hasAttribute(
  { attributes, numbers }: MatchedLine,
  { key, comparison }: FieldTerm,
  value: SearchValue,
): boolean {
  const name = tagName(key)
  const number = Object.hasOwn(numbers, name) ? numbers[name] : undefined
  const [text = ''] = value.parts
  if (comparison !== '=') return number !== undefined && isOrdered(number, comparison, Number(text))
  if (isEqual(Object.hasOwn(attributes, name) ? (attributes[name] ?? '') : '', value)) return true
  return value.parts.length === 1 && isNumeric(text) && number === Number(text)
}

function isPresent(line: MatchedLine, name: string): boolean {
  if (name === 'user') return line.hasUser
  if (fieldKind(name, logFields) !== 'attribute') return columnOf(line, name) !== ''
  const key = tagName(name)
  return Object.hasOwn(line.attributes, key) || Object.hasOwn(line.numbers, key)
}

function hasTime(at: number, comparison: Comparison, text: string): boolean {
  const moment = readMoment(text, 0)?.at ?? 0
  if (comparison !== '=') return isOrdered(at, comparison, moment)
  return at >= moment && at < moment + (text.length === 10 ? 86_400_000 : 1)
}

function isOrdered(left: number, comparison: Exclude<Comparison, '='> | '=', right: number): boolean {
  switch (comparison) {
    case '=':
      return left === right
    case '>':
      return left > right
    case '>=':
      return left >= right
    case '<':
      return left < right
    case '<=':
      return left <= right
  }
}

/** Exact, or with wildcards and without regard to case. */
const isEqual = (text: string, { parts }: SearchValue): boolean =>
  parts.length === 1
    ? text === parts[0]
    : isLike(
        text.toLowerCase(),
        parts.map(part => part.toLowerCase()),
      )

const contains = (text: string, { parts }: SearchValue): boolean =>
  isLike(text.toLowerCase(), ['', ...parts.map(part => part.toLowerCase()), ''])

/** The first part at the beginning, the last at the end, the others between them in order. */
function isLike(text: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
