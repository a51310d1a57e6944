import type { SearchValue } from '#search/search-term.ts'
import type { ColumnType, Reference } from './field.ts'

export type CountIfOperator = '=' | '!=' | '>' | '>=' | '<' | '<='

/** What is asked of many rows at once. Every count is the sum of weights. */
export type Aggregate =
  | { kind: 'count' }
  | { kind: 'unique'; of: Reference }
  | { kind: 'quantile'; of: Reference; level: number }
  | { kind: 'avg' | 'sum' | 'min' | 'max'; of: Reference }
  | { kind: 'rate'; seconds: number }
  | { kind: 'failures' | 'failureRate' }
  | { kind: 'countIf'; of: Reference; operator: CountIfOperator; value: SearchValue }
  | { kind: 'lastSeen' | 'firstSeen' }

const isDuration = (of: Reference) => of.kind === 'field' && of.field.type === 'duration'
const isDate = (of: Reference) => of.kind === 'field' && of.field.type === 'date'

export function aggregateType(aggregate: Aggregate): ColumnType {
  switch (aggregate.kind) {
    case 'count':
    case 'unique':
    case 'countIf':
    case 'failures':
      return 'integer'
    case 'rate':
      return 'rate'
    case 'failureRate':
      return 'percentage'
    case 'lastSeen':
    case 'firstSeen':
      return 'date'
    default:
      return isDate(aggregate.of) ? 'date' : isDuration(aggregate.of) ? 'duration' : 'number'
  }
}
