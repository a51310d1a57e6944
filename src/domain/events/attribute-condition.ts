/** Numeric comparisons of span and log attributes. Numbers are stored in a separate map, `numbers`. */
import { tagName } from '#search/search-fields.ts'
import type { FieldTerm } from '#search/search-term.ts'
import { type Bind, joinAny } from './event-condition.ts'

/** `rows:>100`. A number that is missing matches no comparison. */
export function attributeCompared({ key, comparison, values, isNegated }: FieldTerm, bind: Bind): string {
  const name = bind(tagName(key), 'String')
  const any = values.map(
    ({ parts }) =>
      `(mapContains(numbers, ${name}) AND numbers[${name}] ${comparison} ${bind(Number(parts[0] ?? ''), 'Float64')})`,
  )
  return joinAny(any, isNegated)
}
