/** Private values inside free text: log lines, URLs, bodies sent as text. Patterns begin with a fixed word, so none backtracks far. */
import { filteredBySdk, scrubbed } from './placeholder.ts'
import { scrubCards } from './scrub-cards.ts'

const word =
  'passw(?:or)?d|passphrase|passcode|pwd|secret|api[-_]?key|access[-_]?key|private[-_]?key|credential|csrf|xsrf|sess(?:ion)?_?id|card[-_]?n(?:umbe|o)r?|cvv|jwt'
const tokenWord = 'token(?!s|iz)'
const left = `(?!\\[(?:Filtered|scrubbed)\\]|%5BFiltered|(?:null|undefined|true|false)\\b)`
const value = `(?:\\\\?"(?:[^"\\\\]|\\\\[^"]){0,4096}\\\\?"|'[^']{0,4096}'|[^\\s&;,"'<>)}\\]\\\\]{1,4096})`

/** `key=value`, `"key": "value"` and `key: value`; "Unexpected token: x" is no secret, so a token needs `=` or a quoted key. */
const keyValue = new RegExp(
  `((?:${word}|${tokenWord})[\\w-]{0,40}\\\\?["']?\\s?=\\s?|(?:${word}|${tokenWord})[\\w-]{0,40}\\\\?["']\\s?:\\s?|(?:${word})[\\w-]{0,40}:\\s?)${left}${value}`,
  'gi',
)
const headerLine =
  /\b((?:proxy-)?authorization|(?:set-)?cookie)(\\?["']?\s?[:=]\s?\\?["']?)(?!\[Filtered|\[scrubbed)[^\r\n"'\\]{1,4096}/gi
const bearer = /\b(bearer\s+)([\w+/.~=-]{8,4096})/gi
const basic = /\b(basic\s+)([a-z0-9+/]{8,4096}={0,2})/gi
const jwt = /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g
const urlPassword = /(:\/\/[^\s/:@"']{0,256}:)[^\s/@"']{1,256}@/g

/** One test that finds nothing in most texts and spares them the rest. Also true for JSON text whose escapes are still in place. */
const suspect = new RegExp(
  `(?:${word}|${tokenWord}|authorization|cookie)[\\w-]{0,40}\\\\*["']?\\s?[=:]|\\bbearer\\s|\\bbasic\\s|\\beyJ|PRIVATE KEY|\\b[2-6]\\d(?:[ -]?\\d){11}|:\\/\\/[^\\s/:@"']{0,256}:[^\\s/@"']{1,256}@`,
  'i',
)

export const mayHoldSecrets = (text: string): boolean => suspect.test(text)

/** The text itself, the very same string, when there is nothing to hide. */
export function scrubText(text: string): string {
  if (text.length < 8 || !suspect.test(text)) return text
  const hidden = scrubValues(text)
    .replace(headerLine, (_, name: string, separator: string) => name + separator + scrubbed)
    .replace(keyValue, (_, key: string) => key + scrubbed)
  return hidden === text ? text : hidden
}

/** Only what is recognised by its own shape: for source code, where `token = read()` is no secret. */
export function scrubValues(text: string): string {
  if (text.length < 8) return text
  return scrubCards(text)
    .replace(privateKey, scrubbed)
    .replace(jwt, scrubbed)
    .replace(bearer, (all, scheme: string, token: string) => (looksRandom(token) ? scheme + scrubbed : all))
    .replace(basic, (all, scheme: string, token: string) => (isUserAndPassword(token) ? scheme + scrubbed : all))
    .replace(urlPassword, (all, start: string) => (all.includes(filteredBySdk) ? all : `${start}${scrubbed}@`))
}

/** "Bearer authentication failed" is a sentence; a credential has digits or is longer than words are. */
const looksRandom = (token: string): boolean => /\d/.test(token) || token.length >= 24

const isUserAndPassword = (token: string): boolean => Buffer.from(token, 'base64').includes(0x3a)
