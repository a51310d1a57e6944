/** Removes private values from text: by the word before them (`password=…`), or by their shape (cards, keys, tokens). */
const word =
  'passw(?:or)?d|passphrase|passcode|pwd|secret|(?:api|access|private)[-_]?key|credential|[cx]srf|sess(?:ion)?[-_]?id|card[-_]?n(?:umbe|o)|cvv|jwt'
const tokenWord = 'token(?!s|iz)'
const removedAlready = '(?!\\[(?:Filtered|scrubbed)\\]|%5BFiltered|(?:null|undefined|true|false)\\b)'
/** Quoted, quoted with escaped quotes, or unquoted. */
const value = `(?:(")(?:[^"\\\\]|\\\\.){0,4096}"|(\\\\")(?:[^"\\\\]|\\\\[^"]){0,4096}\\\\"|'[^']{0,4096}'|[^\\s&;,"'<>)}\\]\\\\]{1,4096})`

/**
 * `key=value`, `"key": "value"` and `key: value`. "Unexpected token: x" is not a secret, so a token needs `=` or a quoted key.
 * The pattern begins with the word itself, so it cannot backtrack over a long text.
 */
const keyValue = new RegExp(
  `((?:${word}|${tokenWord})[\\w-]{0,40}(?:\\\\?["']?\\s?=\\s?|\\\\?["']\\s?:\\s?)|(?:${word})[\\w-]{0,40}:\\s?)${removedAlready}${value}`,
  'gi',
)
const headerLine =
  /\b((?:proxy-)?authorization|(?:set-)?cookie)(\\?["']?\s?[:=]\s?\\?["']?)(?!\[Filtered|\[scrubbed)[^\r\n"'\\]{1,4096}/gi

const anyWord = new RegExp(`${word}|${tokenWord}|authorization|cookie`, 'i')

/** Returns the same string when nothing is private. `mayHaveShapes` is the result of `hasShapes` for the whole payload. */
export function scrubText(text: string, mayHaveShapes: boolean): string {
  if (text.length < 8) return text
  const plain = scrubUrlPassword(mayHaveShapes ? scrubShapes(text) : text)
  // Most texts have neither separator.
  if (!(plain.includes('=') || plain.includes(':')) || !anyWord.test(plain)) return plain
  return plain
    .replace(headerLine, (_, name: string, separator: string) => name + separator + scrubbed)
    .replace(
      keyValue,
      (_, key: string, plain = '', escaped = '') => key + (plain || escaped) + scrubbed + (plain || escaped),
    )
}

/** For source code, where `token = read()` is not a secret: only scrubs by shape. */
export const scrubCode = (text: string, mayHaveShapes: boolean): string =>
  scrubUrlPassword(mayHaveShapes ? scrubShapes(text) : text)

/** 13 to 19 digits with single spaces or hyphens that begin like a card number, not next to letters, digits or a decimal point. */
const candidate = /(?<![\w.-])[2-6]\d(?:[ -]?\d){11,17}(?![\w-]|\.\d)/g

/** A cheap first test: thirteen digits anywhere. */
const manyDigits = /\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d/g
const adjacent = /[\w.-]/

export function scrubCards(text: string): string {
  manyDigits.lastIndex = 0
  if (!manyDigits.test(text)) return text
  return text.replace(candidate, found => (isCardNumber(found) ? scrubbed : found))
}

export function hasCards(text: string): boolean {
  manyDigits.lastIndex = 0
  for (let found = manyDigits.exec(text); found !== null; found = manyDigits.exec(text)) {
    // Most long numbers are fractions or part of an id.
    if (found.index > 0 && adjacent.test(text.charAt(found.index - 1))) continue
    const near = text.slice(Math.max(0, found.index - 1), found.index + 40)
    if (near.replace(candidate, each => (isCardNumber(each) ? '' : each)) !== near) return true
  }
  return false
}

/** Luhn's check digit: nine of ten random numbers fail it. */
function isCardNumber(text: string): boolean {
  let sum = 0
  let digits = 0
  for (let at = text.length - 1; at >= 0; at--) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) continue
    const doubled = digits % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
    digits++
  }
  return digits >= 13 && digits <= 19 && sum % 10 === 0
}

/** A card number that was sent as a number. Times in milliseconds begin with 1, so they never match. */
export function isCardValue(value: number): boolean {
  return value >= 2e12 && Number.isSafeInteger(value) && /^[2-6]/.test(String(value)) && isCardNumber(String(value))
}

/** Characters after `eyJ` in the first part, and in the second: shorter ones are words. */
const minChars = 8

/**
 * `eyJhbGci….eyJzdWIi….c2lnbmF0dXJl`, with or without the last part. A regular expression would scan a long word again from each `eyJ`
 * in it; here every part is read at most twice.
 */
export function scrubJwts(text: string): string {
  let kept = ''
  let from = 0
  let at = text.indexOf('eyJ')
  while (at !== -1) {
    const headEnd = endOfPart(text, at)
    const bodyEnd = text[headEnd] === '.' ? endOfPart(text, headEnd + 1) : headEnd
    const start = bodyEnd - headEnd > minChars ? findStart(text, at, headEnd - 3 - minChars) : -1
    if (start === -1) {
      at = text.indexOf('eyJ', headEnd)
      continue
    }
    kept += text.slice(from, start) + scrubbed
    from = text[bodyEnd] === '.' ? endOfPart(text, bodyEnd + 1) : bodyEnd
    at = text.indexOf('eyJ', from)
  }
  return from === 0 ? text : kept + text.slice(from)
}

/** The first `eyJ` up to `last` that begins a word, or -1. */
function findStart(text: string, first: number, last: number): number {
  for (let at = first; at !== -1 && at <= last; at = text.indexOf('eyJ', at + 3))
    if (at === 0 || !isWordChar(text.charCodeAt(at - 1))) return at
  return -1
}

function endOfPart(text: string, start: number): number {
  let end = start
  while (end < text.length && isPartChar(text.charCodeAt(end))) end++
  return end
}

const isPartChar = (code: number): boolean => code === 0x2d || isWordChar(code)

const isWordChar = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f

const bearer = /\b(bearer\s+)([\w+/.~=-]{8,4096})/gi
const basic = /\b(basic\s+)([a-z0-9+/]{8,4096}={0,2})/gi
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g

/** Searches the whole payload in one pass. The lengths are fixed, because V8 can skip ahead with them. */
const suspects = /eyJ[\w-]{8}|-----BEGIN|(?:bearer|basic)\s(?:\s|[\w+/.~=-]{8})/i

/** Whether texts of this payload may need `scrubShapes`. One search over the payload is much cheaper than one for each text. */
export const hasShapes = (payload: string): boolean => suspects.test(payload) || hasCards(payload)

/** Scrubs secrets that are recognized by their shape: cards, private keys, JWTs, credentials. */
export function scrubShapes(text: string): string {
  return scrubJwts(scrubCards(text).replace(privateKey, scrubbed))
    .replace(bearer, (all, scheme: string, token: string) => (looksRandom(token) ? scheme + scrubbed : all))
    .replace(basic, (all, scheme: string, token: string) => (isUserAndPassword(token) ? scheme + scrubbed : all))
}

/** "Bearer authentication failed" is a sentence; a credential has digits or is longer than a word. */
const looksRandom = (token: string): boolean => /\d/.test(token) || token.length >= 24

const isUserAndPassword = (token: string): boolean => Buffer.from(token, 'base64').includes(0x3a)

const urlPassword = /(:\/\/[^\s/:@"']{0,256}:)([^\s/@"']{1,256})@/g

/** `postgres://app:secret@host`. Most texts have no `@`, and checking for it is cheap. */
export function scrubUrlPassword(text: string): string {
  if (!text.includes('@') || !text.includes('://')) return text
  return text.replace(urlPassword, (all, start: string, password: string) =>
    password === filteredBySdk || password === scrubbed ? all : `${start}${scrubbed}@`,
  )
}

/** Replaces private values. */
export const scrubbed = '[scrubbed]'

/** Written by SDKs. Left alone, so that readers see who removed the value. */
export const filteredBySdk = '[Filtered]'
