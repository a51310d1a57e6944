/**
 * A finding is a sentence of at most two clauses: what changed, and for whom. Each clause is computed by a pure function from facts,
 * with its evidence; if nothing stands out there is none.
 */
export type Finding = Clause[]

export type Clause = {
  kind: string
  /** Of each aspect the sentence has at most one clause, so that it says nothing twice. */
  aspect: 'change' | 'audience'
  /** What it is about. Two clauses about the same, such as a release and its deploy, are one too many. */
  facet: string
  /** Kinds in the order of their value to the reader: the lowest wins. */
  rank: number
  /** Among clauses of the same rank the strongest wins. */
  strength: number
  parts: Part[]
  evidence: Evidence
  /** Colors the clause: something got worse or better, or neither. */
  tone: 'worse' | 'better' | 'neutral'
}

/** Text, or a value that is formatted where it is shown. Names come from SDKs, so anything may be in them. */
export type Part = string | ValuePart | { kind: 'name'; name: string }
export type ValuePart = {
  /** A share is shown in whole percent, a rate with its first two digits. */
  kind: 'times' | 'share' | 'rate' | 'count' | 'age' | 'ms' | 'score'
  value: number
  /** Shown with ≈ (0048). */
  isApproximate?: boolean
}

export type Evidence =
  /** The events with this tag value, or those without it. */
  | { kind: 'events'; key: string; value: string; isNegated: boolean }
  /** The events in this time. */
  | { kind: 'range'; from: number; to: number }
  | { kind: 'release'; version: string }
  /** A part of the same page. */
  | { kind: 'section'; id: string }
  /** The chart of one measure of a route. */
  | { kind: 'chart'; measure: string }

export const name = (text: string): Part => ({ kind: 'name', name: text })
export const times = (value: number): Part => ({ kind: 'times', value })
export const age = (value: number): Part => ({ kind: 'age', value })
export const share = (value: number, isApproximate = false): Part => ({ kind: 'share', value, isApproximate })
export const rate = (value: number): Part => ({ kind: 'rate', value })
export const count = (value: number, isApproximate = false): Part => ({ kind: 'count', value, isApproximate })

/** The best clause of each aspect, the change first. */
export function chooseClauses(candidates: readonly (Clause | null)[]): Finding {
  const sorted = candidates
    .filter(candidate => candidate !== null)
    .sort((a, b) => a.rank - b.rank || b.strength - a.strength || compare(a.kind, b.kind))
  const change = sorted.find(({ aspect }) => aspect === 'change')
  const audience = sorted.find(({ aspect, facet }) => aspect === 'audience' && facet !== change?.facet)
  return [change, audience].filter(clause => clause !== undefined)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
