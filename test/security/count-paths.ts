/**
 * Whether the paths of an automaton that read one text are limited in number, however long the text is: the criteria of Weber and
 * Seidl, On the degree of ambiguity of finite automata (1991). Every state counts as an end, since a matcher may fail anywhere.
 */
import type { Automaton } from './pattern-automaton.ts'

export function hasBoundedPaths(automaton: Automaton): boolean {
  const loops = loopsOf(automaton)
  return !isExponential(automaton, loops) && !isPolynomial(automaton, loops)
}

/** Whether a text reaches each state in at most one way. Then there are no more paths than states. */
export function isUnambiguous({ reads, next }: Automaton): boolean {
  if (next.some(ends => new Set(ends).size < ends.length)) return false
  const seen = new Map<string, readonly [number, number]>([['0,0', [0, 0]]])
  for (const [a, b] of seen.values())
    for (const toA of next[a] ?? [])
      for (const toB of next[b] ?? []) {
        if (((reads[toA] ?? 0n) & (reads[toB] ?? 0n)) === 0n) continue
        if (toA === toB && a !== b) return false
        seen.set(`${toA},${toB}`, [toA, toB])
      }
  return true
}

/** For each state the states of its loop, including itself; undefined if it is in none. */
function loopsOf({ next }: Automaton): (ReadonlySet<number> | undefined)[] {
  const after = next.map(ends => {
    const seen = new Set(ends)
    for (const state of seen) for (const end of next[state] ?? []) seen.add(end)
    return seen
  })
  return after.map((ends, state) =>
    ends.has(state) ? new Set([...ends].filter(end => after[end]?.has(state))) : undefined,
  )
}

/** Two paths from a state to itself that read the same text. */
function isExponential({ reads, next }: Automaton, loops: ReturnType<typeof loopsOf>): boolean {
  const step = (a: number, b: number, loop: ReadonlySet<number>): [number, number][] =>
    (next[a] ?? []).flatMap(c =>
      (next[b] ?? []).flatMap((d): [number, number][] =>
        loop.has(c) && loop.has(d) && ((reads[c] ?? 0n) & (reads[d] ?? 0n)) !== 0n ? [[c, d]] : [],
      ),
    )
  const reach = (from: [number, number], loop: ReadonlySet<number>): Map<string, [number, number]> => {
    const seen = new Map(step(...from, loop).map(pair => [pair.join(), pair]))
    for (const pair of seen.values()) for (const other of step(...pair, loop)) seen.set(other.join(), other)
    return seen
  }
  return loops.some((loop, state) => {
    if (loop === undefined) return false
    const inside = (next[state] ?? []).filter(end => loop.has(end))
    if (new Set(inside).size < inside.length) return true
    return [...reach([state, state], loop).values()].some(
      ([a, b]) => a !== b && reach([a, b], loop).has(`${state},${state}`),
    )
  })
}

/** A text that loops at one state, loops at another, and leads from the first to the second: its repetitions can be shared freely. */
function isPolynomial({ reads, next }: Automaton, loops: ReturnType<typeof loopsOf>): boolean {
  return loops.some((first, p) =>
    loops.some((last, q) => {
      if (first === undefined || last === undefined || p === q) return false
      const seen = new Map([[`${p},${p},${q}`, [p, p, q] as const]])
      for (const [a, b, c] of seen.values())
        for (const toA of next[a] ?? []) {
          if (!first.has(toA)) continue
          for (const toC of next[c] ?? []) {
            const both = (reads[toA] ?? 0n) & (reads[toC] ?? 0n)
            if (!last.has(toC) || both === 0n) continue
            for (const toB of next[b] ?? [])
              if ((both & (reads[toB] ?? 0n)) !== 0n) seen.set(`${toA},${toB},${toC}`, [toA, toB, toC])
          }
        }
      return seen.has(`${p},${q},${q}`)
    }),
  )
}
