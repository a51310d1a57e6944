import { hash } from 'node:crypto'
import { maskJson } from './json-pattern.ts'
import { maskText, placeholder } from './mask-text.ts'

type Line = { template: string; body: string }

/** The developer's own template, in which SDKs write `%s` or `{}` for a value, or the masked message. */
export const patternText = ({ template, body }: Line): string =>
  template === '' ? (maskJson(body) ?? maskText(body)) : template.replace(/%[sdifjoO]|\{\w{0,40}\}/g, placeholder)

/** 16 hex digits that lines of the same pattern have in common; never the zeros that stand for none. */
export const patternId = (line: Line): string => idOf(patternText(line))

/** The pattern that a line of JSON had before messages were read, shared by all lines with the same keys. Null if it is the same. */
export function formerPattern(line: Line): { id: string; text: string } | null {
  if (line.template !== '') return null
  const text = maskText(line.body)
  return text === patternText(line) ? null : { id: idOf(text), text }
}

function idOf(text: string): string {
  const digits = hash('md5', text).slice(0, 16)
  return /^0+$/.test(digits) ? '0000000000000001' : digits
}
