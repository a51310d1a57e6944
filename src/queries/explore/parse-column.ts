import { type Aggregate, aggregateType } from './aggregate.ts'
import type { Dataset } from './datasets.ts'
import type { ColumnType, Fault, Field, Reference } from './field.ts'
import { findField } from './find-field.ts'
import { parseAggregate } from './parse-aggregate.ts'

/** One column of the answer, under the very name it was asked for. */
export type Column = { name: string; type: ColumnType } & (
  | { kind: 'reference'; reference: Reference }
  | { kind: 'aggregate'; aggregate: Aggregate }
)

export function parseColumn(name: string, dataset: Dataset): Column | Fault {
  const aggregate = parseAggregate(name, dataset)
  if (aggregate && 'ok' in aggregate) return aggregate
  if (aggregate) return { kind: 'aggregate', name, type: aggregateType(aggregate), aggregate }
  const reference = findField(name, dataset)
  if ('ok' in reference) return reference
  return {
    kind: 'reference',
    name,
    type: reference.kind === 'field' ? shownType(reference.field) : 'string',
    reference,
  }
}

function shownType({ type, sql }: Field): ColumnType {
  if (type === 'uuid' || type === 'span') return 'string'
  return type === 'number' && /^\w+$/.test(sql) ? 'integer' : type
}
