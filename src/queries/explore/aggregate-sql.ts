import type { Comparison } from '#search/search-term.ts'
import { eventCount, userCount } from '../event-counts.ts'
import type { Bind } from '../issue-list/bound-params.ts'
import type { Aggregate } from './aggregate.ts'
import { valueSql } from './condition-sql.ts'
import type { Dataset } from './datasets.ts'
import { numberSql, shownSql } from './reference-sql.ts'

/** Quantiles take whole weights: two digits of a sampled row's weight are kept. */
const wholeWeight = 'toUInt64(round(weight * 100))'

export function aggregateSql(
  aggregate: Aggregate,
  writing: { dataset: Dataset; bind: Bind; now: number; rangeMs: number },
): string {
  const { dataset, bind, rangeMs } = writing
  switch (aggregate.kind) {
    case 'count':
      return dataset.table === 'events' ? `round(${eventCount})` : 'round(sum(weight))'
    case 'unique':
      if (aggregate.of.name === 'user')
        return dataset.table === 'events' ? userCount : 'uniqIf(user_hash, user_hash != 0)'
      return `uniq(nullIf(toString(${shownSql(aggregate.of, dataset, bind)}), ''))`
    case 'quantile':
      return `quantileTDigestWeighted(${aggregate.level})(${numberSql(aggregate.of, dataset, bind)}, ${wholeWeight})`
    case 'avg':
      return `avgWeighted(${numberSql(aggregate.of, dataset, bind)}, weight)`
    case 'sum':
      return `sum(${numberSql(aggregate.of, dataset, bind)} * weight)`
    case 'min':
    case 'max':
      return `${aggregate.kind}(${aggregate.of.kind === 'field' && aggregate.of.field.type === 'date' ? shownSql(aggregate.of, dataset, bind) : numberSql(aggregate.of, dataset, bind)})`
    case 'rate':
      return `sum(weight) * ${bind((aggregate.seconds * 1_000) / rangeMs, 'Float64')}`
    case 'failures':
      return `round(sumIf(weight, ${dataset.failed}))`
    case 'failureRate':
      return `if(sum(weight) = 0, 0, sumIf(weight, ${dataset.failed}) / sum(weight))`
    case 'countIf': {
      const isNegated = aggregate.operator === '!='
      const comparison = (isNegated ? '=' : aggregate.operator) as Comparison
      const claim = valueSql(aggregate.of, comparison, aggregate.value, writing)
      return `round(sumIf(weight, ${isNegated ? 'NOT ' : ''}${claim}))`
    }
    case 'lastSeen':
      return 'toUnixTimestamp64Milli(toDateTime64(max(timestamp), 3))'
    case 'firstSeen':
      return 'toUnixTimestamp64Milli(toDateTime64(min(timestamp), 3))'
  }
}
