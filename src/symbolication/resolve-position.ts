import { originalPositionFor, sourceContentFor } from '@jridgewell/trace-mapping'
import { type MapResult, type Position, refused } from './mapped-frame.ts'
import type { LoadedMap } from './parse-map.ts'
import { contextOf, isAppSource, type SourceLines, sourceLines, sourcePath } from './source-lines.ts'

/** A map with the sources that have been read so far. */
export type OpenMap = LoadedMap & { lines: Map<string, SourceLines | null> }

/** Reads a source that is not inside the map; null if the bundle does not have it either. */
type ReadSource = (source: string) => Promise<string | null>

/** Resolves a position in a minified file to its source. */
export async function resolvePosition(open: OpenMap, position: Position, readSource: ReadSource): Promise<MapResult> {
  const found = trace(open, position)
  if (found === null) return refused('map_unreadable')
  if (typeof found.source !== 'string') return { kind: 'no_position' }
  const { source, line, column } = found
  const path = sourcePath(source)
  const lines = await linesOf(open, source, readSource)
  return {
    kind: 'mapped',
    file: path,
    source,
    line,
    column: column + 1,
    functionName: lines === null ? '' : enclosingFunction(lines, line, column),
    isInApp: isAppSource(source, path) && !open.isIgnored(source),
    context: lines === null ? null : contextOf(lines, line, column),
  }
}

/** Null for an invalid map: it is decoded on first use, which may throw. */
function trace({ map }: OpenMap, { line, column }: Position) {
  try {
    return originalPositionFor(map, { line, column: Math.max(0, column - 1) })
  } catch {
    return null
  }
}

async function linesOf(open: OpenMap, source: string, readSource: ReadSource): Promise<SourceLines | null> {
  const known = open.lines.get(source)
  if (known !== undefined) return known
  const inside: unknown = sourceContentFor(open.map, source)
  const text = typeof inside === 'string' ? inside : await readSource(source)
  const lines = text === null ? null : sourceLines(text)
  open.lines.set(source, lines)
  return lines
}

/** Lines searched upward. Longer functions are generated code. */
const maxLines = 3_000
/** Chars. Longer lines are data or minified, and their indentation means nothing. */
const maxLineChars = 400
const anonymousDefault = /^export\s+default\s+(?:async\s+)?(?:function\s*(?:\*\s*)?\(|\()/

/**
 * The name of the function around a position, read from the source's indentation: each line above with less indentation encloses
 * the position. Maps name renamed identifiers, not enclosing functions, and a parser for every dialect would be a compiler.
 * `line` counts from 1, `column` from 0. '' if no enclosing function has a name.
 */
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
      // `}: Props) {` and `} else {` continue a head that starts above at the same depth.
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

/** A tab counts as two. Files use one or the other, so only more or less matters. */
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

// For lines of at most 400 chars with single blanks, so that no pattern backtracks badly.
const declared = /\bfunction ?\*? ?([A-Za-z_$][\w$]*)/
/** `export const pay = async (cart) => {`, `const Cart = memo(function …`, `let pay = cart => …`. */
const assigned =
  /\b(?:const|let|var) ([A-Za-z_$][\w$]*)(?![\w$])[^=]*= ?(?:(?:use[A-Z]\w*|(?:React\.)?(?:memo|forwardRef|cache|lazy)|with[A-Z]\w*)(?:<[^>]*>)?\()? ?(?:async\b ?)?(?:function\b|\(|<|[A-Za-z_$][\w$]* ?=>)/
/** `pay: async cart => …`, `onClick={() => …`, `exports.pay = function (…`, `this.pay = (…`, `#pay = () => …`. */
const member = /(?:^|[ .{(,#])([A-Za-z_$][\w$]*) ?[:=] ?\{? ?(?:async\b ?)?(?:function\b|\(|[A-Za-z_$][\w$]* ?=>)/g
/** `async pay(cart) {`, `get total() {`, `static from<T>(…) {`. */
const method =
  /^ ?(?:(?:public|private|protected|static|override|async|get|set) )*\*?#?([A-Za-z_$][\w$]*) ?(?:<[^<>]*>)?\(/
const methodEnd = /\) ?(?::[^(){}]*)?\{ ?$/
const isFunctionLike = /=>|\bfunction\b|[({,] ?$/
const notNames = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'with',
  'return',
  'await',
  'new',
  'function',
  'async',
])

/** The name of the function that starts in this line, '' for none. `endsBelow`: its parameters end in a later line. */
function functionHead(line: string, endsBelow = false): string {
  const text = withSingleBlanks(line)
  const plain = declared.exec(text)?.[1]
  if (plain !== undefined) return plain
  if (isFunctionLike.test(text)) {
    const variable = assigned.exec(text)?.[1]
    if (variable !== undefined) return variable
    const property = [...text.matchAll(member)].at(-1)?.[1]
    if (
      property !== undefined &&
      !notNames.has(property) &&
      (text.includes('=>') || endsBelow || /\bfunction\b/.test(text))
    )
      return property
  }
  const called = method.exec(text)?.[1]
  if (called === undefined || notNames.has(called) || text.includes('=>')) return ''
  return endsBelow || methodEnd.test(text) ? called : ''
}

/** Whether a line like `}: Props) {` ends the parameters of a function. */
function endsParameters(line: string): boolean {
  const text = withSingleBlanks(line)
  return methodEnd.test(text) || /=> ?\{? ?$/.test(text)
}

const withSingleBlanks = (line: string): string => line.replace(/\s+/g, ' ')
