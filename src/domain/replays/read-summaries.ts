import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { bindArray, boundParams } from '#domain/events/event-condition.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { replayMeasures } from './replay-condition.ts'
import { joinErrors } from './replay-errors.ts'

/** A replay as lists show it. Each segment carries only what is new in it, so lists are unions over segments. */
export type ReplaySummary = {
  replayId: string
  projectId: number
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
  /** Whole URLs in the order of their visits, each once. */
  urls: string[]
  errors: number
  clicks: number
  deadClicks: number
  rageClicks: number
  /** From 1 to 10. */
  activity: number
  user: { id: string; email: string; name: string; ip: string }
  browser: string
  os: string
  device: string
  release: string
  environment: string
  replayType: string
  /** How many segments there are up to the last one, and which of them did not arrive or cannot be played. */
  segmentCount: number
  missingSegments: number[]
  traceIds: string[]
  errorIds: string[]
}

/** Any value of a segment that has one; the latest segment wins. */
const latest = (column: string): string => `argMaxIf(${column}, segment_id, ${column} != '')`
const inOrder = (column: string, most: number): string =>
  `arraySlice(arrayDistinct(arrayFlatten(arrayMap(each -> each.2, arraySort(each -> each.1, groupArray((segment_id, ${column})))))), 1, ${most})`

const row = z.object({
  replay: z.string(),
  project: z.coerce.number(),
  started_at: z.coerce.number(),
  ended_at: z.coerce.number(),
  visited: z.array(z.string()),
  errors: z.coerce.number(),
  clicks: z.coerce.number(),
  dead: z.coerce.number(),
  rage: z.coerce.number(),
  id: z.string(),
  email: z.string(),
  name: z.string(),
  ip: z.string(),
  browser: z.string(),
  os: z.string(),
  device_of: z.string(),
  release_of: z.string(),
  environment_of: z.string(),
  type_of: z.string(),
  segments: z.array(z.coerce.number()),
  traces: z.array(z.string()),
  error_list: z.array(z.string()),
})

type Key = { replay: string; project: number; at: number }

const dayMs = 86_400_000
const maxUrls = 200
const maxTraces = 200

/** The summaries of these replays, in the given order. */
export async function readSummaries(viewer: Viewer, keys: readonly Key[]): Promise<ReplaySummary[]> {
  if (keys.length === 0) return []
  const times = keys.map(({ at }) => at)
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const { params, bind } = boundParams()
  const replays = bindArray(
    keys.map(({ replay }) => asUuid(replay)),
    'UUID',
    bind,
  )
  const rows = await viewer.telemetry.within(keys.map(({ project }) => project)).query({
    query: `
      SELECT replaceAll(toString(replay_id), '-', '') AS replay, project_id AS project,
        toUnixTimestamp64Milli(min(started)) AS started_at, toUnixTimestamp64Milli(max(timestamp)) AS ended_at,
        ${inOrder('urls', maxUrls)} AS visited,
        ${replayMeasures.errors} AS errors, ${replayMeasures.clicks} AS clicks,
        ${replayMeasures.dead} AS dead, ${replayMeasures.rage} AS rage,
        ${latest('user_id')} AS id, ${latest('user_email')} AS email, ${latest('user_name')} AS name, ${latest('user_ip')} AS ip,
        argMaxIf(concat(browser_name, ' ', browser_version), segment_id, browser_name != '') AS browser,
        argMaxIf(concat(os_name, ' ', os_version), segment_id, os_name != '') AS os,
        ${latest('device')} AS device_of, ${latest('release')} AS release_of, ${latest('environment')} AS environment_of,
        any(replay_type) AS type_of,
        arraySort(groupUniqArrayIf(20000)(segment_id, recording_blob != '')) AS segments,
        ${inOrder('trace_ids', maxTraces)} AS traces, arraySlice(arrayDistinct(arrayConcat(${inOrder('error_ids', maxTraces)}, arraySort(any(named_errors)))), 1, ${maxTraces}) AS error_list
      FROM replays ${joinErrors({ from, to }, bind, replays)}
      WHERE {scope} AND replay_id IN ${replays}
        AND timestamp >= fromUnixTimestamp64Milli(${bind(from - dayMs, 'Int64')})
        AND timestamp <= fromUnixTimestamp64Milli(${bind(to + dayMs, 'Int64')})
      GROUP BY project_id, replay_id
      LIMIT 1000`,
    params,
    schema: row,
  })
  const byKey = new Map(rows.map(each => [`${each.project}/${each.replay}`, each]))
  return keys.flatMap(({ project, replay }) => {
    const each = byKey.get(`${project}/${replay}`)
    return each ? [toSummary(each)] : []
  })
}

function toSummary(each: z.output<typeof row>): ReplaySummary {
  const segmentCount = Math.min((each.segments.at(-1) ?? -1) + 1, maxSegments)
  return {
    replayId: each.replay,
    projectId: each.project,
    startedAt: each.started_at,
    endedAt: Math.max(each.ended_at, each.started_at),
    urls: each.visited,
    errors: each.errors,
    clicks: each.clicks,
    deadClicks: each.dead,
    rageClicks: each.rage,
    activity: Math.max(1, Math.min(10, Math.floor((each.errors * 25 + each.visited.length * 5) / 10))),
    user: { id: each.id, email: each.email, name: each.name, ip: each.ip },
    browser: each.browser.trim(),
    os: each.os.trim(),
    device: each.device_of,
    release: each.release_of,
    environment: each.environment_of,
    replayType: each.type_of,
    segmentCount,
    missingSegments: missingOf(each.segments, segmentCount),
    traceIds: each.traces,
    errorIds: each.error_list,
  }
}

/** An hour of segments of five seconds is 720; numbers above this are invented. */
const maxSegments = 5_000

function missingOf(present: readonly number[], count: number): number[] {
  const known = new Set(present)
  return Array.from({ length: count }, (_, index) => index).filter(index => !known.has(index))
}
