import { slots } from './browsers.ts'
import { fill, multiply } from './multiply.ts'
import type { SeedPlan } from './plan.ts'
import { chance, hexSql, type Slice, visitSql } from './visit-sql.ts'

/** Turns the small ids of a template into ids of the visit; 0 stays "none". */
export const spanIdSql = (local: string, { seed }: SeedPlan): string =>
  `if(${local} = 0, 0, cityHash64(visit.trace, ${local}, ${seed}))`

export function spanSql(plan: SeedPlan, slice: Slice): string {
  const zeroUs = slots.second * 1e6
  const hasFailed = 'visit.has_failed AND template.status_code > 0 AND template.is_segment AND NOT template.is_prefetch'
  const startUs = `toInt64(visit.start_us + visit.pace * (toUnixTimestamp64Micro(template.timestamp) - ${zeroUs}))`
  const url = fill('template.url', [[slots.item, 'visit.item']])
  const segmentId = spanIdSql('template.segment_id', plan)
  return multiply('spans', pacedVisitSql(plan, slice), visitKeySql, {
    timestamp: `fromUnixTimestamp64Micro(${startUs}, 'UTC')`,
    duration_us: 'toUInt64(template.duration_us * visit.pace)',
    received_at: "fromUnixTimestamp64Milli(intDiv(visit.start_us, 1000) + 2500, 'UTC')",
    trace_id: 'toUUID(visit.trace)',
    span_id: spanIdSql('template.span_id', plan),
    parent_span_id: spanIdSql('template.parent_span_id', plan),
    segment_id: segmentId,
    status: `if(${hasFailed}, 'error', template.status)`,
    status_code: `if(${hasFailed}, 500, template.status_code)`,
    environment: 'visit.environment_name',
    release: 'visit.release_name',
    url,
    user_hash: 'visit.user_number_hash',
    user_id: 'visit.user_name',
    // A slow visit paints late, but its layout shift (CLS) is the same.
    numbers: `mapApply((name, value) -> (name,
      if(startsWith(name, 'browser.web_vital.') AND name != 'browser.web_vital.cls.value', value * visit.pace, value)), template.numbers)`,
    attributes: `mapApply((name, value) -> (name, multiIf(
      name = 'user.id', visit.user_name,
      name = 'url.full', ${url},
      name = 'sentry.segment.id', ${hexSql(segmentId)},
      value)), template.attributes)`,
    batch_id: `'${plan.batchId}'`,
  })
}

/** The key of the visit's template. */
export const visitKeySql = "concat(toString(route_index), '.', toString(browser_index))"

/** Log-normal pace (Box–Muller): most visits take about as long as the template, some three times as long. */
export function pacedVisitSql(plan: SeedPlan, slice: Slice): string {
  const pace = `exp(0.45 * sqrt(-2 * log(1 - ${chance('pace', plan)})) * cos(2 * pi() * ${chance('pace-angle', plan)})) AS pace`
  return `SELECT *, ${pace}, is_outage OR ${chance('failure', plan)} < 0.012 AS has_failed FROM (${visitSql(plan, slice)})`
}
