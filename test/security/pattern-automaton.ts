/**
 * The automaton of a pattern: a state per character position, an edge per transition. A backtracking matcher that fails has walked every
 * path, so the cost of a text is the number of paths that read it.
 */

import { NotUnderstood, type Pattern } from './parse-pattern.ts'
import { alphabetOf } from './pattern-alphabet.ts'

/** State 0 is the start. */
export type Automaton = {
  /** The characters that each state reads, a bit per class. */
  reads: bigint[]
  /** The next states; a state that can be reached in two ways is listed twice. */
  next: number[][]
}

type Node = { set?: string; empty: number[] }

export type Reading = {
  flags: string
  /** For matches at the start of the text. Otherwise the search tries every later position, and `^` never matches. */
  isFirst: boolean
  /** A bounded repetition with more choices counts as unbounded, which has more paths. */
  choices: number
}

export function automatonOf(pattern: Pattern, { flags, isFirst, choices }: Reading): Automaton {
  const nodes: Node[] = []
  const add = (node: Node): number => nodes.push(node) - 1
  const accept = add({ empty: [] })
  const dead = add({ empty: [] })
  /** Nodes with a condition: after them a match is not certain. */
  const conditions = new Map<number, 'end of text' | 'other'>()
  const addCondition = (to: number[], sign?: string): number => {
    const node = add({ empty: to })
    conditions.set(node, sign === '$' && !flags.includes('m') ? 'end of text' : 'other')
    return node
  }

  /** Builds from the end: gives the start node of `part` followed by `to`. */
  function build(part: Pattern, to: number): number {
    if (part.kind === 'char') return add({ set: part.set, empty: [to] })
    if (part.kind === 'sequence') return part.parts.reduceRight((behind, each) => build(each, behind), to)
    if (part.kind === 'alternatives') return add({ empty: part.parts.map(each => build(each, to)) })
    if (part.kind === 'lookahead') return addCondition([build(part.part, dead), to])
    if (part.kind === 'lookbehind') {
      if (hasLoop(part.part)) throw new NotUnderstood('a look behind without end')
      return addCondition([to])
    }
    if (part.kind === 'assertion')
      return part.sign === '^' && !flags.includes('m') && !isFirst ? dead : addCondition([to], part.sign)
    let behind = to
    if (part.most === Number.POSITIVE_INFINITY || part.most - part.least > choices) {
      const loop = add({ empty: [] })
      nodes[loop] = { empty: [build(part.part, loop), to] }
      behind = loop
    } else for (let copy = part.least; copy < part.most; copy++) behind = add({ empty: [build(part.part, behind), to] })
    for (let copy = 0; copy < part.least; copy++) behind = build(part.part, behind)
    return behind
  }

  const start = build(pattern, accept)
  const alphabet = alphabetOf(
    nodes.flatMap(({ set }) => set ?? []),
    flags,
  )
  const states = nodes.flatMap((node, index) => (node.set === undefined ? [] : [index]))
  const stateOf = new Map(states.map((node, state) => [node, state]))

  /**
   * All ways over empty edges: the states at their ends, and on what condition one of them accepts. A way may come by a node twice: at the
   * end of one round of a loop and at the beginning of the next. A third time would be a round that reads nothing, which never happens.
   */
  function follow(node: number, path: readonly number[], ends: number[], accepts: Set<string>): void {
    if (path.indexOf(node) !== path.lastIndexOf(node)) return
    if (ends.length > 10_000) throw new NotUnderstood('too many ways')
    const state = stateOf.get(node)
    if (state !== undefined) ends.push(state)
    else if (node === accept) accepts.add([...new Set(path.flatMap(each => conditions.get(each) ?? []))].join())
    else for (const each of nodes[node]?.empty ?? []) follow(each, [...path, node], ends, accepts)
  }

  const reads = states.map(node => alphabet.of(nodes[node]?.set ?? ''))
  const accepting: boolean[] = []
  const next = states.map((node, state) => {
    const ends: number[] = []
    const accepts = new Set<string>()
    for (const each of nodes[node]?.empty ?? []) follow(each, [], ends, accepts)
    // A loop over any character always reaches the end of the text.
    accepting.push(
      accepts.has('') || (accepts.has('end of text') && reads[state] === alphabet.all && ends.includes(state)),
    )
    return ends
  })
  const first: number[] = []
  follow(start, [], first, new Set())
  const isSure = states.map((_, state) => accepting[state] === true && !canFailLate(state, next, accepting))
  const kept = [...next, isFirst ? first : [...first, states.length]].map(ends => ends.filter(end => !isSure[end]))
  return reachable({ reads: [...reads, alphabet.all], next: kept })
}

/**
 * A matcher that reaches an accepting state has matched and doesn't backtrack before it. It may still try to match more, which costs a
 * constant if there is no loop.
 */
function canFailLate(from: number, next: readonly number[][], accepting: readonly boolean[]): boolean {
  const behind = new Set(next[from])
  for (const state of behind) for (const end of next[state] ?? []) behind.add(end)
  const failing = [...behind].filter(state => !accepting[state])
  return failing.some(state => {
    const seen = new Set((next[state] ?? []).filter(end => !accepting[end]))
    for (const each of seen) for (const end of next[each] ?? []) if (!accepting[end]) seen.add(end)
    return seen.has(state)
  })
}

/** The start is the last state. It becomes the first. */
function reachable({ reads, next }: Automaton): Automaton {
  const begin = next.length - 1
  const seen = new Set([begin])
  for (const state of seen) for (const end of next[state] ?? []) seen.add(end)
  const kept = [...seen]
  const names = new Map(kept.map((state, name) => [state, name]))
  return {
    reads: kept.map(state => reads[state] ?? 0n),
    next: kept.map(state => (next[state] ?? []).map(end => names.get(end) ?? 0)),
  }
}

function hasLoop(pattern: Pattern): boolean {
  if (pattern.kind === 'repeat') return pattern.most === Number.POSITIVE_INFINITY || hasLoop(pattern.part)
  if (pattern.kind === 'sequence' || pattern.kind === 'alternatives') return pattern.parts.some(hasLoop)
  return pattern.kind === 'lookahead' || pattern.kind === 'lookbehind' ? hasLoop(pattern.part) : false
}
