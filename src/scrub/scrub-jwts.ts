import { scrubbed } from './placeholder.ts'

/** Chars after `eyJ` in the first part, and in the second: shorter ones are words. */
const minChars = 8

/**
 * `eyJhbGci….eyJzdWIi….c2lnbmF0dXJl`, with or without the last part. A pattern would read a long word again from each `eyJ` in it;
 * here every part is read at most twice.
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

/** The first `eyJ` up to `last` that begins a word, -1 where none does. */
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
