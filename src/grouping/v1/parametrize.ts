import { isRandomId } from './file-traits.ts'

/** Chars. Later differences do not separate two bugs, and this bounds the cost of every step below. */
const maxChars = 1_000
/** Lines. The rest is often a dump. */
const maxLines = 2
const visible = /\S/
/** `status 404` is part of the problem, not a value. */
const statusBefore = /\bstatus(?: code)?:? $/i
const status = /^[1-5]\d\d$/
/** `order-1234`, `user_77`: the name stays. */
const numberInName = /(?<=[_-])\d{2,64}(?=[_-]|$)/g

/** Replaces every value in a message by its kind: `user 42 not found` → `user <number> not found`. */
export function parametrize(message: string): string {
  const head = firstLines(message)
  const found = variablePattern(head)
  if (found === null) return head
  const { pattern, kinds } = found
  return head.replace(pattern, (all: string, ...rest: (string | number | undefined)[]) => {
    const at = rest[kinds.length]
    for (let group = 0; group < kinds.length; group++)
      if (rest[group] !== undefined) return replacement(kinds[group] ?? '', all, head, typeof at === 'number' ? at : 0)
    return all
  })
}

function replacement(kind: string, text: string, whole: string, at: number): string {
  if (kind === 'id') return isRandomId(text) ? '<id>' : text.replace(numberInName, '<number>')
  if (kind === 'number' && status.test(text) && statusBefore.test(whole.slice(Math.max(0, at - 20), at))) return text
  return kind === 'time' ? '<date>' : `<${kind}>`
}

export function firstLines(message: string): string {
  const start = message.search(visible)
  if (start === -1) return ''
  const head = message.slice(start, start + maxChars)
  if (!head.includes('\n')) return head.trimEnd()
  const lines = head.split('\n').filter(line => line.trim() !== '')
  return lines.slice(0, maxLines).join('\n').trimEnd()
}

// One alternation for one pass over the message; the first pattern that matches wins. Every repetition is bounded.
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}'
const weekday = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}'
const clock =
  '\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?: ?[ap]m)?(?: ?(?:Z|(?:GMT|UTC)?[+-]\\d\\d:?\\d\\d|GMT|UTC)\\b)?'

/** Cheap hints that a kind may occur. Most messages have one or two of them, so the other patterns are skipped. */
const signs = ['quote', 'at', 'address', 'month', 'digit'] as const
const signPatterns = {
  quote: /["'`“‘]/,
  at: /@/,
  address: /:\/\//,
  month: new RegExp(`${month} ?\\d|\\d[ /-]${month}`, 'i'),
  digit: /\d/,
}

type Kind = { sign: (typeof signs)[number]; kind: string; patterns: string[] }
const kinds: Kind[] = [
  {
    sign: 'quote',
    kind: 'quoted',
    patterns: [
      `(?<!\\w)'[^'\\n]{0,200}'(?!\\w)`,
      '(?<!\\w)"[^"\\n]{0,200}"(?!\\w)',
      '`[^`\\n]{0,200}`',
      '[“‘][^”’\\n]{0,200}[”’]',
    ],
  },
  { sign: 'at', kind: 'email', patterns: ['[\\w.+-]{1,64}@[\\w-]{1,64}(?:\\.[\\w-]{1,64}){1,4}'] },
  { sign: 'address', kind: 'url', patterns: ['\\b[a-z][a-z0-9+.-]{1,15}:\\/\\/[^\\s"\'<>)]{1,1000}'] },
  {
    sign: 'month',
    kind: 'date',
    patterns: [
      `\\b(?:${weekday},? )?\\d{1,2}[ /-]${month}[ /-]\\d{4}(?:[ :]${clock})?`,
      `\\b(?:${weekday},? )?${month} \\d{1,2},? \\d{4}(?:,? ${clock})?`,
    ],
  },
]

/** All of these start a word with a digit in it, so one lookahead guards them. */
const digitKinds: [kind: string, ...patterns: string[]][] = [
  ['uuid', '[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\\b'],
  [
    'time',
    `\\d{4}-\\d\\d-\\d\\d(?:[T ]${clock})?`,
    `\\d{1,2}[/.]\\d{1,2}[/.]\\d{4}(?:,? ${clock})?`,
    '\\d{1,2}:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?![:\\w])',
  ],
  ['mac', '[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}\\b'],
  [
    'ip',
    '\\d{1,3}(?:\\.\\d{1,3}){3}\\b',
    '(?<!:)(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\\w:])',
    '(?<!:)(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}(?![\\w:])',
    '(?<!:)::[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6}(?![\\w:])',
  ],
  ['hex', '0x[0-9a-f]{1,64}\\b', '(?=\\d{0,63}[a-f])[0-9a-f]{7,128}\\b'],
  ['duration', '\\d{1,20}(?:\\.\\d{1,20})? ?(?:ns|us|µs|ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?)\\b'],
  ['size', '\\d{1,20}(?:\\.\\d{1,20})? ?(?:bytes?|b|kb|mb|gb|kib|mib|gib)\\b'],
  ['id', '(?=\\d{0,63}[a-z_-])[\\w-]{6,64}(?![\\w-])'],
  ['number', '(?<!#)[-+]?\\d{1,30}(?:[.,]\\d{1,30}){0,10}(?!\\w)'],
]

/** Numbered groups, because named ones allocate an object per match. */
const group = (patterns: string[]): string => `(${patterns.join('|')})`
const digits = `(?<!\\w)(?=[\\w:+-]{0,64}\\d)(?:${digitKinds.map(([, ...patterns]) => group(patterns)).join('|')})`

/** `kinds` has the order of the pattern's groups. */
export type VariablePattern = { pattern: RegExp; kinds: string[] }
const made = new Map<number, VariablePattern>()

/** The pattern for the kinds that the text may contain; null if it contains no values. */
export function variablePattern(text: string): VariablePattern | null {
  let mask = 0
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at]
    if (sign !== undefined && signPatterns[sign].test(text)) mask |= 1 << at
  }
  if (mask === 0) return null
  const known = made.get(mask) ?? make(mask)
  made.set(mask, known)
  return known
}

function make(mask: number): VariablePattern {
  const has = (sign: (typeof signs)[number]): boolean => (mask & (1 << signs.indexOf(sign))) !== 0
  const wanted = kinds.filter(({ sign }) => has(sign))
  const parts = [...wanted.map(({ patterns }) => group(patterns)), ...(has('digit') ? [digits] : [])]
  const names = [...wanted.map(({ kind }) => kind), ...(has('digit') ? digitKinds.map(([kind]) => kind) : [])]
  return { pattern: new RegExp(parts.join('|'), 'gi'), kinds: names }
}
