/**
 * The name of the function that a position in a source lies in, read from the source itself. Maps name identifiers that were renamed, not
 * the function around a place; a parser for every dialect that maps lead to would be a compiler. Sources are indented by what
 * encloses what, and that is all that is needed: going up, each line with less indentation encloses the place.
 */
import { endsParameters, functionHead } from './function-head.ts'
import type { SourceLines } from './source-lines.ts'

/** Lines looked at going up. Longer functions have names nobody remembers, and generated ones no end. */
const maxLines = 3_000
/** Chars. Longer lines are data or minified, and not indented by anybody. */
const maxLineChars = 400
const anonymousDefault = /^export\s+default\s+(?:async\s+)?(?:function\s*(?:\*\s*)?\(|\()/

/** `line` from 1, `column` from 0. '' where no function around it has a name. */
export function enclosingFunction(source: SourceLines, line: number, column: number): string {
  const here = source.line(line - 1)
  if (here.length > maxLineChars) return ''
  const own = functionHead(here.slice(0, column))
  if (own !== '') return own
  let depth = indentOf(here)
  let endsBelow = false
  for (let at = line - 2, left = maxLines; at >= 0 && left > 0; at--, left--) {
    const text = source.line(at)
    if (text.length > maxLineChars || isEmpty(text)) continue
    const indent = indentOf(text)
    if (indent >= depth) continue
    if (isCloser(text)) {
      // `}: Props) {` and `} else {` go on with a head that began above, at the same depth.
      depth = indent + 1
      endsBelow = endsParameters(text)
      continue
    }
    depth = indent
    const found = functionHead(text, endsBelow)
    if (found !== '') return found
    if (indent === 0) return anonymousDefault.test(text) ? 'default' : ''
    endsBelow = false
  }
  return ''
}

const isEmpty = (text: string): boolean => /^\s*(?:\/\/|\*|\/\*|$)/.test(text)
const isCloser = (text: string): boolean => /^\s*[})\]]/.test(text)

/** A tab counts as two: a file keeps to one of them, so that only more and less matter. */
function indentOf(text: string): number {
  let indent = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === ' ') indent += 1
    else if (char === '\t') indent += 2
    else break
  }
  return indent
}
