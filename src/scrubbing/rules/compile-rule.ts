/** Compiles the scrubbing rules that members write. Their patterns run on RE2, in time linear in the text (0047). */
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import { scrubbed } from '../scrub-text.ts'
import { type FieldPath, parsePath } from './field-path.ts'

export type ScrubAction = 'replace' | 'hash' | 'remove'

/** Without a path it applies to every field, without a pattern to the whole value. */
export type ScrubRule = { path: string; pattern: string; action: ScrubAction }

export type HashText = (text: string) => string

export type CompiledRule = {
  readonly path: FieldPath
  readonly action: ScrubAction
  /** Null for the whole value. */
  readonly pattern: CompiledPattern | null
}

type CompiledPattern = {
  /** The cost of rewriting one character of a text that matches, in steps of `apply-rules.ts`. */
  readonly cost: number
  /** Many times faster than `rewrite`. */
  matches(text: string): boolean
  /** The text with every match replaced, hashed or cut out. Empty matches change nothing. */
  rewrite(text: string, hash: HashText): string
}

export type RuleFault = 'path_invalid' | 'pattern_invalid' | 'pattern_too_large' | 'rule_empty'

export const maxPatternChars = 300
/** Instructions of the compiled pattern: each may run once per character. */
const maxInstructions = 400
const instructionsPerStep = 40

export function compileRule({ path: given, pattern, action }: ScrubRule): CompiledRule | RuleFault {
  const path = parsePath(given)
  if (path === null) return 'path_invalid'
  if (pattern === '') return path.length === 0 ? 'rule_empty' : { path, action, pattern: null }
  const compiled = compilePattern(pattern, action)
  return typeof compiled === 'string' ? compiled : { path, action, pattern: compiled }
}

function compilePattern(source: string, action: ScrubAction): CompiledPattern | RuleFault {
  if (source.length > maxPatternChars) return 'pattern_too_large'
  const compiled = tryCompile(source)
  if (compiled === null) return 'pattern_invalid'
  const instructions = compiled.programSize()
  if (instructions > maxInstructions) return 'pattern_too_large'
  /** Most texts of telemetry repeat. */
  const known = new LRUCache<string, boolean>({ max: 2_000 })
  return {
    cost: Math.ceil(instructions / instructionsPerStep),
    matches: text => {
      if (text.length > knownTextChars) return compiled.test(text)
      const before = known.get(text)
      if (before !== undefined) return before
      const isMatch = compiled.test(text)
      known.set(text, isMatch)
      return isMatch
    },
    rewrite: (text, hash) => rewrite(compiled, text, action, hash),
  }
}

const knownTextChars = 256

function tryCompile(source: string): RE2JS | null {
  try {
    return RE2JS.compile(source)
  } catch {
    return null
  }
}

function rewrite(compiled: RE2JS, text: string, action: ScrubAction, hash: HashText): string {
  const matcher = compiled.matcher(text)
  let kept = ''
  let from = 0
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()]
    if (end === start) continue
    const found = text.slice(start, end)
    kept += text.slice(from, start) + (isScrubbed(found) ? found : substitute(found, action, hash))
    from = end
  }
  return from === 0 ? text : kept + text.slice(from)
}

export function substitute(text: string, action: ScrubAction, hash: HashText): string {
  if (action === 'remove') return ''
  return action === 'hash' ? hash(text) : scrubbed
}

export const isScrubbed = (text: string): boolean => text === scrubbed || text === '[Filtered]'
