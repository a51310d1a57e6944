/** Proves from the pattern alone that the cost of a regular expression is linear in the text. */
import { hasBoundedPaths, isUnambiguous } from './count-paths.ts'
import { NotUnderstood, type Pattern, parsePattern } from './parse-pattern.ts'
import { automatonOf } from './pattern-automaton.ts'

/** The maximum number of ways to match from one position that counts as a constant. */
const fewWays = 1_024

/** A bounded repetition is treated as a loop or as copies, whichever gives a proof. */
const choicesTried = [0, 8, 64, 512]

export function isLinear(source: string, flags: string): boolean {
  try {
    const pattern = parsePattern(source)
    return choicesTried.some(choices => isProven(pattern, flags, choices))
  } catch (error) {
    if (error instanceof NotUnderstood) return false
    throw error
  }
}

function isProven(pattern: Pattern, flags: string, choices: number): boolean {
  const first = automatonOf(pattern, { flags, isFirst: true, choices })
  if (first.next.length > fewWays) return false
  if (waysOf(pattern, choices) > fewWays && !isUnambiguous(first)) return false
  return hasBoundedPaths(first) && hasBoundedPaths(automatonOf(pattern, { flags, isFirst: false, choices }))
}

/** An upper bound of the ways in which alternatives and bounded repetitions can split a text. `hasBoundedPaths` covers loops. */
function waysOf(pattern: Pattern, choices: number): number {
  if (pattern.kind === 'alternatives') return pattern.parts.reduce((sum, part) => sum + waysOf(part, choices), 0)
  if (pattern.kind === 'sequence')
    return pattern.parts.reduceRight(
      (ways, part) => (part.kind === 'lookahead' ? waysOf(part.part, choices) + ways : waysOf(part, choices) * ways),
      1,
    )
  if (pattern.kind === 'repeat') {
    const { part, least, most } = pattern
    const range = most - least
    const inner = waysOf(part, choices)
    // At most one path leads through a loop from one state to another, else the paths are not bounded.
    return range > choices ? inner ** least : (range + 1) * inner ** most
  }
  return pattern.kind === 'lookahead' || pattern.kind === 'lookbehind' ? waysOf(pattern.part, choices) : 1
}

/** `a|b(c|d)` → `a`, `b(c|d)`. Each is tried on its own at each position, so a pattern is linear if all of them are. */
export function splitAlternatives(source: string): string[] {
  const parts: string[] = []
  let [from, depth] = [0, 0]
  for (let at = 0; at < source.length; at++) {
    const char = source[at]
    if (char === '\\') at++
    else if (char === '[') while (source[++at] !== ']') at += source[at] === '\\' ? 1 : 0
    else if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === '|' && depth === 0) {
      parts.push(source.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, source.slice(from)]
}
