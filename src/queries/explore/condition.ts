import type { Comparison, SearchValue } from '#search/search-term.ts'
import type { Aggregate } from './aggregate.ts'
import type { Reference } from './field.ts'

/** One claim about a row. Several values are joined by or. */
export type Condition =
  | { kind: 'matches'; reference: Reference; comparison: Comparison; values: SearchValue[]; isNegated: boolean }
  | { kind: 'has'; reference: Reference; isNegated: boolean }
  | { kind: 'text'; value: SearchValue; isNegated: boolean }

/** One claim about a group of rows. */
export type GroupCondition = { aggregate: Aggregate; comparison: Comparison; value: number; isNegated: boolean }
