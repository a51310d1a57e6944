import { slots } from './browsers.ts'
import { fill, multiply } from './multiply.ts'
import type { SeedPlan } from './plan.ts'
import { outage, routes } from './routes.ts'
import { spanIdSql } from './span-sql.ts'
import { chance, hexSql, longIdSql, rank, type Slice, visitSql } from './visit-sql.ts'

/** Share of rare errors, if there are any. */
const tailShare = 0.4

/** Errors of visits: mostly those of the route, the first in its list most often, sometimes a rare one. */
export function eventSql(plan: SeedPlan, slice: Slice): string {
  const eventId = longIdSql('visit.serial', 'event', plan)
  const second = '(intDiv(visit.start_us, 1000000) + visit.round)'
  const text = [[slots.item, 'visit.item'] as const, [slots.user, 'toString(visit.user_number)'] as const]
  return multiply('events', visitSql(plan, slice), eventKeySql(plan), {
    event_id: `toUUID(${eventId})`,
    timestamp: `fromUnixTimestamp64Milli(toInt64(${second} * 1000 + toUnixTimestamp64Milli(template.timestamp) % 1000), 'UTC')`,
    received_at: `fromUnixTimestamp64Milli(toInt64(${second} * 1000 + 1200), 'UTC')`,
    title: fill('template.title', [...text, [slots.release, 'visit.release_name']]),
    url: fill('template.url', text),
    environment: 'visit.environment_name',
    release: fill('template.release', [[slots.release, 'visit.release_name']]),
    user_hash: 'visit.user_number_hash',
    user_id: 'visit.user_name',
    user_email: "concat(visit.user_name, '@example.com')",
    trace_id: 'toUUID(visit.trace)',
    span_id: spanIdSql('template.span_id', plan),
    data: fill('template.data', [
      ...text,
      [slots.eventId, eventId],
      [slots.traceId, 'visit.trace'],
      [String(slots.second), `toString(${second})`],
      [slots.release, 'visit.release_name'],
      [slots.environment, 'visit.environment_name'],
      ['000000000000000a', hexSql(spanIdSql('template.span_id', plan))],
    ]),
    batch_id: `'${plan.batchId}'`,
  })
}

const skewHours = 8
const skewShare = 0.5

/** After a deploy, open tabs still run the release before and miss its files; fewer and fewer, as people close them. */
function isSkewSql(plan: SeedPlan): string {
  const staleTabs = `${skewShare} * (1 - since_deploy_us / ${skewHours * 3_600e6})`
  return `NOT is_outage AND release_index > 0 AND ${chance('skew', plan, 'serial')} < ${staleTabs}`
}

/** The last error of each route came with a deploy, a different one for each, and is absent before. */
function errorSql(plan: SeedPlan): string {
  const luck = chance('error', plan, 'serial')
  const since = `1 + route_index % ${Math.max(1, plan.releases.length - 1)}`
  return `multiIf(${luck} < 0.58, 0, ${luck} < 0.83, 1, ${luck} < 0.95 OR release_index < ${since}, 2, 3)`
}

/** The key of the error's template. */
export function eventKeySql(plan: SeedPlan): string {
  const common = `concat(toString(route_index), '.', toString(if(is_outage, ${outageError}, ${errorSql(plan)})))`
  const isRare = `NOT is_outage AND ${chance('is-rare', plan, 'serial')} < ${tailShare}`
  const rare = `concat('tail.', toString(${rank(chance('rare', plan, 'serial'), plan.tailCount)} - 1))`
  const skewed = "concat('skew.', toString(release_index - 1))"
  const ordinary = plan.tailCount > 0 ? `if(${isRare}, ${rare}, ${common})` : common
  return `concat(if(${isSkewSql(plan)}, ${skewed}, ${ordinary}), '.', toString(browser_index))`
}

const outageError = routes.find(({ pattern }) => pattern === outage.pattern)?.errors.indexOf(outage.error) ?? 0
