import { clipText } from '#lib/text.ts'

/** Stands for a value in a pattern. */
export const placeholder = '<*>'

const maskedChars = 1_000 // lines that differ only after this many are alike
/** A quoted text before a colon is a key of JSON. */
const quoted = /"[^"\n]*"(:?)/g
const query = /([\w/])\?[\w%.~+-]{1,100}=[^\s"'<>()[\]{}|]*/g
const chunk = /[^\s"'<>()[\]{},;=|]+/g
const wordWithin = /[0-9A-Za-z_]+/g
const joined = /<\*>(?:[-.,:/_%+@#]<\*>)+/g

/**
 * A text with its values replaced: `order 55213 placed, total 642.00` is `order <*> placed, total <*>`. Values are texts in quotes, mail
 * addresses, queries of URLs, and all words with a digit.
 */
export const maskText = (text: string): string =>
  clipText(text, maskedChars)
    .replace(quoted, (found, colon) => (colon === '' ? placeholder : found))
    .replace(query, `$1?${placeholder}`)
    .replace(chunk, maskChunk)
    .replace(joined, placeholder)
    .replace(/\s+/g, ' ')
    .trim()

function maskChunk(text: string): string {
  if (text.includes('@') && text.includes('.')) return placeholder
  return text.replace(wordWithin, word => (/\d/.test(word) ? placeholder : word))
}
