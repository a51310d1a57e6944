/**
 * Version 3 of the values in a message. Numbers, ids and codes are one kind, because the same slot may hold any of them: some hashes
 * have only digits. Quoted words are names unless they look like values.
 */

import { firstLines } from '../v1/parametrize.ts'
import { isTechnicalName, withoutValues } from './words.ts'

/** Replaces every value in a message by its kind: `Order #42 not found` → `Order #<value> not found`. */
export function parametrize(message: string): string {
  const head = firstLines(message)
  return replaceValues(head).replace(listOfValues, '<value>').replace(padding, '<value>').replace(plural, '<value> $1')
}

/** `1, 2, 3`, `555 12 34`, `+1-555` and `3/10`: how many there are is chance. */
const listOfValues = /(?:(?<![\w<>])\+)?<value>(?:(?:, ?|[ /-])<value>)+|(?<![\w<>])\+<value>/g
/** At the end of Base64. */
const padding = /<value>={1,2}(?=[\s.,;)\]]|$)/g
/** `1 item left` and `12 items left`. */
const plural = /<value> (?!this\b|does\b|goes\b|always\b)([a-z]{2,30}[a-rt-z])s\b/g

type Kind = keyof typeof replacements
type Match = { text: string; head: string; at: number }

/** The replacement for each kind. */
const replacements = {
  quoted: replaceQuoted,
  url: replaceUrl,
  email: () => '<email>',
  date: ({ text }: Match) => (bareClock.test(text) ? text.replace(/\d+/g, '<value>') : '<date>'),
  ip: () => '<ip>',
  duration: () => '<duration>',
  size: () => '<size>',
  id: () => '<value>',
  host: replaceHost,
  number: (match: Match) => (isCode(match) ? match.text : '<value>'),
  word: (match: Match) => (isCode(match) ? match.text : withoutValues(match.text)),
  boolean: (match: Match) => (isExpected(match) ? match.text : '<boolean>'),
}

/** `10:30` may also be a line and a column, or a share. */
const bareClock = /^\d{1,2}:\d\d(?::\d\d)?$/

// One alternation for one pass over the message; the first pattern that matches wins. Every repetition is bounded.
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const weekday = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?'
const zone =
  '(?: ?(?:Z(?:\\d\\d:\\d\\d)?|(?:GMT|UTC)?[+-]\\d\\d:?\\d\\d|GMT|UTC|[PMCE][SD]T|CES?T|BST|IST)\\b(?: \\([a-z][a-z ]{1,60}\\))?)?'
const clock = `\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?: ?[ap]m)?${zone}`
const day = '\\d{1,2}(?:st|nd|rd|th)?'
const unit = '(?:ns|us|µs|ms|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?)'
const amount = '\\d{1,20}(?:[.,]\\d{1,20})?'
/** Endings that don't occur in property chains: `this.props.shop` isn't a host. */
const ofTwo = 'com|org|net|ai|dev|edu|gov|eu|de|fr|uk|nl|jp|br|ru|cz|se|dk|fi|ch|pl|au|example|internal'
const ofMore = 'io|app|cloud|corp|svc|lan|local|test|co|tv|es|us|ca|cn|kr|za|mx'
const label = '[a-z0-9](?:[a-z0-9-]{0,62})\\.'
/** Where a word with a digit begins. */
const digits = '(?<!\\w)(?=[\\w:+-]{0,64}\\d)'

type Pattern = { kind: Kind; sign: keyof typeof signs; sources: string[] }

/** Cheap hints that a kind may occur. Most messages have one or two of them, so the other patterns are skipped. */
const signs = {
  quote: /["'`“‘„«]/,
  address: /:\/\//,
  at: /@/,
  month: new RegExp(`${month} {1,2}\\d|\\d[ /-]${month}`, 'i'),
  digit: /\d/,
  dot: /[a-z0-9]\.[a-z]/i,
  hex: /[a-f]{8}/i,
  truth: /true|false/i,
}

const patterns: readonly Pattern[] = [
  {
    kind: 'quoted',
    sign: 'quote',
    sources: [
      `(?<!\\w)'[^'\\n]{0,200}'(?!\\w)`,
      '(?<!\\w)"[^"\\n]{0,200}"(?!\\w)',
      '`[^`\\n]{0,200}`',
      '[“‘„«][^”’“»\\n]{0,200}[”’“»]',
    ],
  },
  { kind: 'url', sign: 'address', sources: ['\\b[a-z][a-z0-9+.-]{1,15}:\\/\\/[^\\s"\'<>)]{1,1000}'] },
  { kind: 'email', sign: 'at', sources: ['[\\w.+-]{1,64}@[\\w-]{1,64}(?:\\.[\\w-]{1,64}){1,4}'] },
  {
    kind: 'date',
    sign: 'month',
    sources: [
      `\\b${weekday}${day}[ /-]${month}[ /-]\\d{2,4}(?:[ :]${clock})?(?!\\w)`,
      `\\b${weekday}${month} {1,2}${day}(?:,? \\d{4}(?!:)(?:,? ${clock})?|,? ${clock}(?: \\d{4})?)(?!\\w)`,
    ],
  },
  {
    kind: 'date',
    sign: 'digit',
    sources: [
      `${digits}\\d{4}(?:-\\d\\d-|\\/\\d\\d\\/)\\d\\d(?:[T ]${clock})?(?!\\w)`,
      `${digits}\\d{8}T\\d{4,6}(?:\\.\\d{1,9})?Z?(?!\\w)`,
      `${digits}\\d{1,2}[/.]\\d{1,2}[/.]\\d{4}(?:,? ${clock})?(?!\\w)`,
      `${digits}(?<!:)${clock}(?![:\\w])`,
      `${digits}\\d{1,2} ?[ap]m(?!\\w)`,
    ],
  },
  {
    kind: 'id',
    sign: 'digit',
    sources: [
      `${digits}[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\\b`,
      `${digits}[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}\\b`,
      // A version before its release.
      `${digits}v?\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}-[0-9a-z]{1,32}(?:[.-][0-9a-z]{1,32}){0,4}(?![\\w-])`,
    ],
  },
  // A JSON web token.
  { kind: 'id', sign: 'dot', sources: ['(?<![\\w-])eyJ[\\w-]{4,4000}\\.[\\w-]{2,4000}(?:\\.[\\w-]{0,4000})?'] },
  {
    kind: 'ip',
    sign: 'digit',
    sources: [
      `${digits}\\d{1,3}(?:\\.\\d{1,3}){3}\\b`,
      `${digits}(?<!:)(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\\w:])`,
      `${digits}(?<!:)(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}(?![\\w:])`,
      `${digits}(?<!:)::[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6}(?![\\w:])`,
    ],
  },
  {
    kind: 'duration',
    sign: 'digit',
    sources: [`${digits}${amount}(?: ?${unit}|m)(?:(?:,? (?:and )?)?${amount}(?: ?${unit}|m)){0,3}(?![\\w-])`],
  },
  { kind: 'size', sign: 'digit', sources: [`${digits}${amount} ?(?:bytes?|b|[kmgt]i?b)(?!\\w)`] },
  {
    kind: 'host',
    sign: 'dot',
    sources: [
      `(?<![\\w.@/$-])(?:${label}){1,6}(?:${ofTwo})(?![\\w-]|\\.\\w)`,
      `(?<![\\w.@/$-])(?:${label}){2,6}(?:${ofMore})(?![\\w-]|\\.\\w)`,
    ],
  },
  {
    kind: 'number',
    sign: 'digit',
    sources: [
      `${digits}[-+]?(?:v(?=\\d{1,9}\\.))?\\d{1,30}(?:[.,]\\d{1,30}){0,10}(?:e[-+]?\\d{1,4}|x|px|r?em|v[hw]|pt|fps|[kmg]?hz)?(?![\\w]|-\\w)`,
    ],
  },
  { kind: 'word', sign: 'digit', sources: ['(?<!\\w)(?=[a-z_-]{0,128}\\d)[\\w-]{2,128}'] },
  { kind: 'word', sign: 'hex', sources: ['(?<![a-z0-9])[a-f]{8,64}(?![a-z0-9])'] },
  { kind: 'boolean', sign: 'truth', sources: ['(?<![\\w$.-])(?:true|false)(?![\\w-]|\\.\\w)'] },
]

type Matcher = { values: RegExp; kinds: Kind[] }
const made = new Map<number, Matcher | null>()

/** The pattern for the kinds that the text may contain; null if it contains no values. */
export function matcherFor(text: string): Matcher | null {
  let mask = 0
  let bit = 1
  for (const sign of Object.values(signs)) {
    if (sign.test(text)) mask |= bit
    bit <<= 1
  }
  let known = made.get(mask)
  if (known === undefined) {
    known = makeMatcher(text)
    made.set(mask, known)
  }
  return known
}

function makeMatcher(text: string): Matcher | null {
  const wanted = patterns.filter(({ sign }) => signs[sign].test(text))
  if (wanted.length === 0) return null
  // Numbered groups, because named ones allocate an object per match.
  const source = wanted.map(({ sources }) => `(${sources.join('|')})`).join('|')
  return { values: new RegExp(source, 'gi'), kinds: wanted.map(({ kind }) => kind) }
}

function replaceValues(head: string): string {
  const matcher = matcherFor(head)
  if (matcher === null) return head
  const { values, kinds } = matcher
  return head.replace(values, (text: string, ...rest: (string | number | undefined)[]) => {
    const kind = kinds[rest.findIndex(each => each !== undefined)]
    const at = rest[kinds.length]
    return kind === undefined ? text : replacements[kind]({ text, head, at: typeof at === 'number' ? at : 0 })
  })
}

/** Chars. A longer word is a token. */
const maxWordChars = 64
const fourWords = /\S\s{1,200}\S{1,200}\s{1,200}\S{1,200}\s{1,200}\S/
/** The other words name the module: `'./page-2'`, `'@shop/ui-v2/card'`. */
const modulePath = /^(?:\.{1,2}|~|@[\w-]{1,64})\//
const wordsWithDigits = /[\w-]{0,200}\d[\w-]{0,200}/g

/** `'./checkout'` and `"email"` name the bug. `"ada@example.com"`, `'SPRING-24'` and whole sentences are values. */
function replaceQuoted({ text, head, at }: Match): string {
  const content = text.slice(1, -1)
  if (content.length > maxWordChars || fourWords.test(content)) return '<quoted>'
  if (isCode({ text: content, head, at })) return text
  const inner = replaceValues(content)
  if (isNetworkFailure(head) && isHost(content)) return text[0] + inner + text.slice(-1)
  if (modulePath.test(content)) return text[0] + inner + text.slice(-1)
  if (inner !== content) return '<quoted>'
  return (content.match(wordsWithDigits) ?? []).every(isTechnicalName) ? text : '<quoted>'
}

/** In these the host names the bug: another service is down. */
const networkFailure =
  /\bnetwork\b|\bfetch\b|\bgetaddrinfo\b|\bE(?:NOTFOUND|CONN(?:REFUSED|RESET|ABORTED)|TIMEDOUT|AI_AGAIN|HOSTUNREACH|NETUNREACH|PIPE)\b|\bconnect(?:ion|ing)? (?:to|with)\b/i
const isNetworkFailure = (head: string): boolean => networkFailure.test(head)

const hostPattern = new RegExp(`^(?:(?:${label}){1,6}(?:${ofTwo})|(?:${label}){2,6}(?:${ofMore}))$`)
const isHost = (text: string): boolean => hostPattern.test(text)

/** `ASP.NET` is a name. */
function replaceHost({ text, head }: Match): string {
  if (text !== text.toLowerCase()) return text
  return isNetworkFailure(head) ? nodeName(text) : '<host>'
}

/** `db-3.internal` and `db-4.internal` are nodes of one service. */
const nodeName = (host: string): string =>
  host
    .split('.')
    .map(part => (isTechnicalName(part) ? part : withoutValues(part).replace(/\d{1,64}/g, '<value>')))
    .join('.')

const hostOfUrl = /:\/\/(?:[^/?#@]{0,200}@)?([^/?#:@]{1,255})/

function replaceUrl({ text, head }: Match): string {
  if (!isNetworkFailure(head)) return '<url>'
  const host = hostOfUrl.exec(text)?.[1]?.toLowerCase() ?? ''
  return isHost(host) ? `<url of ${nodeName(host)}>` : '<url>'
}

/** Chars before a value that say what it is. */
const before = ({ head, at }: Match, chars = 32): string => head.slice(Math.max(0, at - chars), at)

const status = /^[1-5]\d\d$/
const statusBefore =
  /(?:\bstatus(?:[ _-]?code| of)?|\bHTTP(?:_?Error|Exception|\/\d(?:\.\d)?)?|\b(?:responded|returned|answered|replied|got)(?: with)?(?: an?)?)["']?[:=]?[ (]{0,2}$/i
/** `error #130` of React, `SQLSTATE[42P01]`, `exited with code 137`: another code is another bug. */
const code = /^-?\w{1,10}$/
const codeBefore =
  /(?:\b(?:error|exit|close|return|result|signal)[ _-]?code|\balert(?: number)?|\b(?:exited|closed|failed) with(?: code)?|\berrno|\bsignal|\bSQLSTATE|\berror #)["']?[:=]?[ [(]{0,2}["']?$/i

/** `(code 23505)`. Longer ones, and those of coupons and addresses, are values. */
const shortCode = /^-?\w{1,5}$/
const bareCodeBefore =
  /(?<!\b(?:zip|post|postal|area|country|city|promo|promotion|discount|coupon|voucher|gift|bar|qr|verification|access|invitation|invite|security|referral|product|item|tracking|customer|the|your|this)[ _-]?)code["']?[:=]?[ [(]{0,2}["']?$/i

/** `Error 1062: …` of a database. */
const errorNumber = /^\d{3,5}$/
const errorBefore = /\berror \(?$/i
/** `POST /orders failed: 503`, and at the beginning of a message `404: …` and `[404] …`. */
const httpError = /^[45]\d\d$/
const failedBefore = /\bfailed:? \(?$|^[[(]?$/i
const endAfter = /^[)\]]?(?:[.,;:]|$)|^[)\]]/

function isCode(match: Match): boolean {
  const { text } = match
  if (!code.test(text)) return false
  const words = before(match)
  if (codeBefore.test(words) || (status.test(text) && statusBefore.test(words))) return true
  if (shortCode.test(text) && bareCodeBefore.test(words)) return true
  if (errorNumber.test(text) && errorBefore.test(words)) return true
  return httpError.test(text) && failedBefore.test(words) && endAfter.test(match.head.slice(match.at + text.length))
}

/** `expected true`: the other one is another bug. */
const expectedBefore = /\b(?:expected|be|not|returns?|returned|assert)[: ]{1,2}$/i
const isExpected = (match: Match): boolean => expectedBefore.test(before(match))
