import type { Comparison, SearchValue } from '#search/search-term.ts'
import type { Aggregate } from './aggregate.ts'
import type { Reference } from './field.ts'

/** One claim about a row. Several values are joined by or. */
export type Condition =
  | { kind: 'matches'; reference: Reference; comparison: Comparison; values: SearchValue[]; isNegated: boolean }
  | { kind: 'has'; reference: Reference; isNegated: boolean }
  | { kind: 'text'; value: SearchValue; isNegated: boolean }

/** Claims joined by and, by or, or turned around. `every` of nothing holds always. */
export type Clause =
  | { kind: 'one'; condition: Condition }
  | { kind: 'every' | 'some'; of: Clause[] }
  | { kind: 'not'; of: Clause }

/** Every claim of a clause, wherever it stands. */
export function conditionsOf(clause: Clause): Condition[] {
  if (clause.kind === 'one') return [clause.condition]
  return clause.kind === 'not' ? conditionsOf(clause.of) : clause.of.flatMap(conditionsOf)
}

/** One claim about a group of rows. */
export type GroupCondition = { aggregate: Aggregate; comparison: Comparison; value: number; isNegated: boolean }
