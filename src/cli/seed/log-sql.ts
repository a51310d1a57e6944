import { logLineCount } from './log-templates.ts'
import { fill, multiply } from './multiply.ts'
import type { SeedDay, SeedPlan } from './plan.ts'
import { slots } from './slots.ts'
import { spanIdSql } from './span-sql.ts'
import { chance, longIdSql, type Slice, visitSql } from './visit-sql.ts'

export function logSql(plan: SeedPlan, day: SeedDay, slice: Slice): string {
  const salt = `${plan.seed}, ${day.startMs}`
  // The product of two evenly spread numbers is small more often than large: errors are the rarest line.
  const spread = (what: string) => chance(what, plan, day, 'serial')
  const line = `toUInt8(floor(${logLineCount} * ${spread('line')} * ${spread('level')}))`
  const key = `concat(toString(route_index), '.', toString(${line}))`
  const offsetUs = `cityHash64(visit.serial, 'offset', ${salt}) % 200000`
  const text = [[slots.item, 'visit.item'] as const, [slots.user, 'toString(visit.user_number)'] as const]
  return multiply('logs', visitSql(plan, day, slice), key, {
    timestamp: `fromUnixTimestamp64Micro(toInt64(visit.start_us + ${offsetUs}), 'UTC')`,
    received_at: "fromUnixTimestamp64Milli(intDiv(visit.start_us, 1000) + 2500, 'UTC')",
    log_id: `toUUID(${longIdSql('visit.serial', 'log', plan, day)})`,
    sequence: 'toUInt32(visit.serial % 4294967296)',
    body: fill('template.body', text),
    trace_id: 'toUUID(visit.trace)',
    span_id: spanIdSql('template.span_id', plan),
    environment: 'visit.environment_name',
    release: 'visit.release_name',
    user_hash: 'visit.user_number_hash',
    user_id: 'visit.user_name',
    attributes: `mapApply((name, value) -> (name, ${fill('value', [[slots.user, 'toString(visit.user_number)']])}), template.attributes)`,
    batch_id: `'${plan.batchId}'`,
  })
}
