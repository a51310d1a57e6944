/** Private values inside free text, told by the word before them: log lines, URLs, bodies that were sent as text. */
import { scrubbed } from './placeholder.ts'
import { scrubShapes } from './scrub-shapes.ts'
import { scrubUrlPassword } from './scrub-url-password.ts'

const word =
  'passw(?:or)?d|passphrase|passcode|pwd|secret|(?:api|access|private)[-_]?key|credential|[cx]srf|sess(?:ion)?[-_]?id|card[-_]?n(?:umbe|o)|cvv|jwt'
const tokenWord = 'token(?!s|iz)'
const removedAlready = '(?!\\[(?:Filtered|scrubbed)\\]|%5BFiltered|(?:null|undefined|true|false)\\b)'
/** Quoted, quoted inside text that is itself quoted, or bare. */
const value = `(?:(")(?:[^"\\\\]|\\\\.){0,4096}"|(\\\\")(?:[^"\\\\]|\\\\[^"]){0,4096}\\\\"|'[^']{0,4096}'|[^\\s&;,"'<>)}\\]\\\\]{1,4096})`

/**
 * `key=value`, `"key": "value"` and `key: value`. "Unexpected token: x" is no secret, so a token needs `=` or a quoted key.
 * The pattern begins with the word, not with what may stand before it: it cannot backtrack over a long text.
 */
const keyValue = new RegExp(
  `((?:${word}|${tokenWord})[\\w-]{0,40}(?:\\\\?["']?\\s?=\\s?|\\\\?["']\\s?:\\s?)|(?:${word})[\\w-]{0,40}:\\s?)${removedAlready}${value}`,
  'gi',
)
const headerLine =
  /\b((?:proxy-)?authorization|(?:set-)?cookie)(\\?["']?\s?[:=]\s?\\?["']?)(?!\[Filtered|\[scrubbed)[^\r\n"'\\]{1,4096}/gi

const anyWord = new RegExp(`${word}|${tokenWord}|authorization|cookie`, 'i')

/** The text itself, the very same string, when there is nothing to hide. `mayHaveShapes`: see `hasShapes` of the payload. */
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

/** Source code, where `token = read()` is no secret: only what is one by its own shape. */
export const scrubCode = (text: string, mayHaveShapes: boolean): string =>
  scrubUrlPassword(mayHaveShapes ? scrubShapes(text) : text)
