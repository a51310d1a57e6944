/**
 * One visit to the shop as SQL. Everything derives from hashes of its number, so its spans, errors and logs agree on user, time,
 * route and release without storing them.
 */
import { browsers } from './browsers.ts'
import type { SeedDay, SeedPlan } from './plan.ts'
import { outage, routes } from './routes.ts'

/** During the outage, some of the day's visits all want to pay. */
const outageShare = 0.3
const outageRoute = routes.findIndex(({ pattern }) => pattern === outage.pattern)

/** Rows of one statement, from one day or several. */
export type Slice = readonly DaySlice[]
export type DaySlice = { day: SeedDay; from: number; count: number }

/** A pseudorandom number in [0, 1) per visit or row; 53 bits, the precision of a Float64. */
export const chance = (what: string, { seed }: SeedPlan, of: 'visit' | 'serial' = 'visit'): string =>
  `(bitShiftRight(cityHash64(${of}, '${what}', ${seed}, day_start), 11) / 9007199254740992)`

/** 16 digits: `hex` alone drops leading zeros. */
export const hexSql = (number: string): string => `leftPad(lower(hex(${number})), 16, '0')`

/** 32 digits, as in event and trace ids. */
export const longIdSql = (of: string, what: string, { seed }: SeedPlan): string =>
  `concat(${hexSql(`cityHash64(${of}, '${what}', ${seed}, day_start)`)}, ${hexSql(`cityHash64(${of}, '${what}-tail', ${seed}, day_start)`)})`

/**
 * `serial` numbers the rows of a day, `visit` is the visit of each; with more rows than visits, `round` counts the wraps. In stages,
 * because the engine analyzes an alias again for each use in the same SELECT.
 */
export function visitSql(plan: SeedPlan, slice: Slice): string {
  const is = (what: string) => chance(what, plan)
  const { startMs, endMs, dayMs } = plan.outage
  const named = ({ releases }: SeedPlan, value: (release: SeedPlan['releases'][number]) => string | number) =>
    `[${releases.map(value).join(', ')}][release_index + 1]`
  return `
    SELECT
      *,
      ${named(plan, ({ name }) => `'${name}'`)} AS release_name,
      start_us - ${named(plan, ({ deployedMs }) => deployedMs * 1e3)} AS since_deploy_us
    FROM (
      SELECT
        *,
        concat('user-', toString(user_number)) AS user_name,
        reinterpretAsUInt64(reverse(substring(MD5(concat('${plan.projectId}:', user_name)), 1, 8))) AS user_number_hash,
        arrayCount(deployed_us -> deployed_us <= start_us, [${plan.releases.map(({ deployedMs }) => deployedMs * 1e3).join(', ')}]) - 1 AS release_index
      FROM (
        SELECT
          day_start,
          serial,
          visit,
          round,
          is_outage,
          toInt64(1000 * if(is_outage, ${startMs} + ${endMs - startMs} * moment, day_start + day_length * (moment ${rhythm}))) AS start_us,
          if(is_outage, ${outageRoute}, ${rank(is('route'), routes.length)} - 1) AS route_index,
          ${pickShare(
            'browser_chance',
            browsers.map(({ share }) => share),
          )} AS browser_index,
          ${rank(is('user'), plan.userCount)} AS user_number,
          toString(1 + cityHash64(visit, 'item', ${plan.seed}) % 4000) AS item,
          multiIf(is_outage OR environment_chance < 0.93, 'production', environment_chance < 0.98, 'staging', 'preview') AS environment_name,
          ${longIdSql('visit', 'trace', plan)} AS trace
        FROM (
          SELECT
            *,
            serial % day_visits AS visit,
            intDiv(serial, day_visits) AS round,
            ${is('time')} AS moment,
            ${is('browser')} AS browser_chance,
            ${is('environment')} AS environment_chance,
            day_start = ${dayMs} AND ${is('outage')} < ${outageShare} AS is_outage
          FROM (${serialSql(slice)})
        )
      )
    )`
}

function serialSql(slice: Slice): string {
  const parts = slice.map(
    ({ day, from, count }) =>
      `(${[day.startMs, day.untilMs - day.startMs, visitsOf(day), from, from + count].map(value => `toUInt64(${value})`).join(', ')})`,
  )
  return `
    SELECT part.1 AS day_start, part.2 AS day_length, part.3 AS day_visits, arrayJoin(range(part.4, part.5)) AS serial
    FROM (SELECT arrayJoin([${parts.join(', ')}]) AS part)`
}

/** Without spans the errors and logs still need visits. */
const visitsOf = ({ visits, events, logs }: SeedDay): number => visits || Math.max(1, events, logs)

/** Maps [0, 1] to [0, 1] so that few visits are at night and most in the afternoon (UTC). */
const peak = 0.13
const rhythm = `+ 0.62 * (sin(2 * pi() * (moment - ${peak})) + sin(2 * pi() * ${peak})) / (2 * pi())`

/** 1 to `count`, the first far more often than the last (Zipf's law). */
export const rank = (unit: string, count: number): string => `toUInt32(floor(exp(${unit} * ${Math.log(count + 1)})))`

function pickShare(unit: string, shares: readonly number[]): string {
  let sum = 0
  const steps = shares.slice(0, -1).map((share, index) => {
    sum += share
    return `${unit} < ${sum.toFixed(4)}, ${index}`
  })
  return `multiIf(${steps.join(', ')}, ${shares.length - 1})`
}
