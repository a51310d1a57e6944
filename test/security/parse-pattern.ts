/** A regular expression as a tree, with the details that decide how often its parts are tried. */
export type Pattern =
  /** `set` is the text of one character or class: `a`, `\d`, `[^"]`, `.` */
  | { kind: 'char'; set: string }
  | { kind: 'sequence'; parts: Pattern[] }
  | { kind: 'alternatives'; parts: Pattern[] }
  | { kind: 'repeat'; part: Pattern; least: number; most: number }
  | { kind: 'lookahead'; part: Pattern }
  | { kind: 'lookbehind'; part: Pattern }
  /** `^`, `$`, `\b`, `\B` */
  | { kind: 'assertion'; sign: string }

export class NotUnderstood extends Error {}

/** Throws on unsupported syntax such as back references: the pattern then counts as unproven. */
export function parsePattern(source: string): Pattern {
  let at = 0
  const peek = (): string => source[at] ?? ''

  function take(pattern: RegExp): string | undefined {
    const text = new RegExp(pattern.source, 'y')
    text.lastIndex = at
    const found = text.exec(source)?.[0]
    at += found?.length ?? 0
    return found
  }

  function readAlternatives(): Pattern {
    const parts = [readSequence()]
    while (take(/\|/) !== undefined) parts.push(readSequence())
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { kind: 'alternatives', parts }
  }

  function readSequence(): Pattern {
    const parts: Pattern[] = []
    while (at < source.length && peek() !== '|' && peek() !== ')') parts.push(readTerm())
    return { kind: 'sequence', parts }
  }

  function readTerm(): Pattern {
    const part = readAtom()
    const found = take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/)
    if (found === undefined) return part
    if (found.startsWith('?')) return { kind: 'repeat', part, least: 0, most: 1 }
    if (found.startsWith('*')) return { kind: 'repeat', part, least: 0, most: Number.POSITIVE_INFINITY }
    if (found.startsWith('+')) return { kind: 'repeat', part, least: 1, most: Number.POSITIVE_INFINITY }
    const [least = '', most = least] = found.slice(1, found.indexOf('}')).split(',')
    return { kind: 'repeat', part, least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most) }
  }

  function readAtom(): Pattern {
    const sign = take(/[$^]|\\[bB]/)
    if (sign !== undefined) return { kind: 'assertion', sign }
    const opening = take(/\((?:\?(?:<?[=!]|:|<\w+>))?/)
    if (opening !== undefined) {
      const part = readAlternatives()
      if (take(/\)/) === undefined) throw new NotUnderstood(`no end of a group in ${source}`)
      if (/\?<[=!]/.test(opening)) return { kind: 'lookbehind', part }
      return /\?[=!]/.test(opening) ? { kind: 'lookahead', part } : part
    }
    const set = take(
      /\[(?:\\[\s\S]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\[^1-9kcux]|[^\\()[\]*+?|]/,
    )
    if (set === undefined) throw new NotUnderstood(`${source.slice(at, at + 10)} is not understood in ${source}`)
    return { kind: 'char', set }
  }

  const pattern = readAlternatives()
  if (at < source.length) throw new NotUnderstood(`${source} ends too early`)
  return pattern
}
