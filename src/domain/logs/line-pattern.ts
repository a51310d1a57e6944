import { hash } from 'node:crypto'

/** What stands for a value in a pattern. */
export const placeholder = '<*>'

const maskedChars = 1_000 // lines that differ only after this many are alike
/** A quoted text before a colon is a key of JSON. */
const quoted = /"[^"\n]*"(:?)/g
const query = /([\w/])\?[\w%.~+-]{1,100}=[^\s"'<>()[\]{}|]*/g
const chunk = /[^\s"'<>()[\]{},;=|]+/g
const wordWithin = /[0-9A-Za-z_]+/g
const joined = /<\*>(?:[-.,:/_%+@#]<\*>)+/g

/**
 * A message with its values replaced: `order 55213 placed, total 642.00` is `order <*> placed, total <*>`. Values are texts in quotes, mail
 * addresses, queries of URLs, and all words with a digit.
 */
export const maskBody = (body: string): string =>
  body
    .slice(0, maskedChars)
    .replace(quoted, (text, colon) => (colon === '' ? placeholder : text))
    .replace(query, `$1?${placeholder}`)
    .replace(chunk, maskChunk)
    .replace(joined, placeholder)
    .replace(/\s+/g, ' ')
    .trim()

function maskChunk(text: string): string {
  if (text.includes('@') && text.includes('.')) return placeholder
  return text.replace(wordWithin, word => (/\d/.test(word) ? placeholder : word))
}

/** The developer's own template, in which SDKs write `%s` or `{}` for a value, or the masked message. */
export const patternText = ({ template, body }: { template: string; body: string }): string =>
  template === '' ? maskBody(body) : template.replace(/%[sdifjoO]|\{\w{0,40}\}/g, placeholder)

/** 16 hex digits that lines of the same pattern have in common; never the zeros that stand for none. */
export function patternId(line: { template: string; body: string }): string {
  const digits = hash('md5', patternText(line)).slice(0, 16)
  return /^0+$/.test(digits) ? '0000000000000001' : digits
}
