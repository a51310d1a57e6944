import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheQuery } from '#domain/cache/cached-query.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import type { Release } from '#domain/releases/read-releases.ts'
import { profileRoute, type RouteProfile } from '#domain/routes/route-profile.ts'
import { sumColumns, sumRow, toSum } from '#domain/routes/route-sums.ts'
import { isDeletedSql } from '#store/telemetry/scope/deleted-groups.ts'

type SeenRelease = Pick<Release, 'version' | 'firstSeen' | 'createdAt' | 'projectIds'>
/** Milliseconds. Both releases are compared at the same age: from when each was first seen, for as long as the newer one exists. */
type Age = { from: number; to: number }
type Sessions = { count: number; failed: number }

export type ReleaseSide = { version: string; age: Age; profile: RouteProfile; sessions: Sessions }
export type RouteChange = { route: string; before: RouteProfile | null; after: RouteProfile }
export type ReleaseComparison = {
  current: ReleaseSide
  /** Null for the first release, and if nothing is stored of the one before. */
  previous: ReleaseSide | null
  /** The routes of the release, the most visited first. */
  routes: RouteChange[]
}

const maxAgeMs = 14 * 86_400_000
const stepMs = 5 * 60_000
const maxRows = 50_000
const ttlMs = 60_000
const row = sumRow.extend({ release: z.string(), route: z.string() })

/** A release and the one before it at the same age, in total and by route. */
export function compareRelease(
  viewer: Viewer,
  release: SeenRelease,
  previous: SeenRelease | null,
): Promise<ReleaseComparison> {
  return cacheQuery(viewer, { name: ['release comparison', release, previous], ttlMs }, () =>
    readComparison(viewer, release, previous),
  )
}

async function readComparison(
  viewer: Viewer,
  release: SeenRelease,
  previous: SeenRelease | null,
): Promise<ReleaseComparison> {
  const from = Math.max(startOf(release), viewer.now - maxAgeMs)
  const current = { version: release.version, age: { from, to: viewer.now } }
  const lengthMs = viewer.now - from
  const earlier = previous && {
    version: previous.version,
    age: { from: startOf(previous), to: Math.min(viewer.now, startOf(previous) + lengthMs) },
  }
  const both = earlier ? [current, earlier] : [current]
  const [rows, sessions] = await Promise.all([
    readSums(viewer, release.projectIds, both),
    readSessions(viewer, release.projectIds, both),
  ])
  const sideOf = ({ version, age }: (typeof both)[number]): ReleaseSide => ({
    version,
    age,
    profile: profileRoute(rows.filter(each => each.release === version).map(toSum)),
    sessions: sessions.get(version) ?? { count: 0, failed: 0 },
  })
  const routes = [...Map.groupBy(rows, ({ route }) => route)].flatMap(([route, own]): RouteChange[] => {
    const profileOf = (version: string): RouteProfile =>
      profileRoute(own.filter(each => each.release === version).map(toSum))
    const after = profileOf(current.version)
    return after.visits > 0 ? [{ route, after, before: earlier ? profileOf(earlier.version) : null }] : []
  })
  return {
    current: sideOf(current),
    previous: earlier && rows.some(each => each.release === earlier.version) ? sideOf(earlier) : null,
    routes: routes.sort((a, b) => b.after.visits - a.after.visits || (a.route < b.route ? -1 : 1)),
  }
}

const startOf = ({ firstSeen, createdAt }: SeenRelease): number => firstSeen ?? createdAt

type Wanted = readonly { version: string; age: Age }[]

/** Each release in its own time, and both together, so that only the partitions of that time are read. */
function conditionsOf(wanted: Wanted, column: 'bucket' | 'started') {
  const { params, bind } = boundParams()
  const moment = (ms: number): string => `toDateTime(${bind(Math.floor(ms / 1e3), 'UInt32')}, 'UTC')`
  const wholeStep = (ms: number): number => Math.floor(ms / stepMs) * stepMs
  const any = wanted.map(
    ({ version, age }) =>
      `(release = ${bind(version, 'String')} AND ${column} >= ${moment(wholeStep(age.from))} AND ${column} < ${moment(age.to + 1e3)})`,
  )
  const since = moment(wholeStep(Math.min(...wanted.map(({ age }) => age.from))))
  return { params, where: `{scope} AND ${column} >= ${since} AND (${any.join(' OR ')})` }
}

async function readSums(viewer: Viewer, projectIds: readonly number[], wanted: Wanted) {
  if (projectIds.length === 0) return []
  const { params, where } = conditionsOf(wanted, 'bucket')
  const telemetry = viewer.telemetry.within(projectIds)
  const deleted = await telemetry.deletedGroups()
  return telemetry.query({
    query: `
      SELECT release, route, measure, detail, ${sumColumns}
      FROM route_sums WHERE ${where}${deleted === null ? '' : ` AND NOT ${isDeletedSql('route_sums')}`}
      GROUP BY release, route, measure, detail ORDER BY release, route LIMIT ${maxRows}`,
    params: { ...params, ...deleted },
    schema: row,
  })
}

const sessionRow = z.object({ release: z.string(), sessions: z.coerce.number(), failing: z.coerce.number() })

/** Each session once, by its newest update; servers send sums by the minute. */
async function readSessions(
  viewer: Viewer,
  projectIds: readonly number[],
  wanted: Wanted,
): Promise<Map<string, Sessions>> {
  if (projectIds.length === 0) return new Map()
  const { params, where } = conditionsOf(wanted, 'started')
  const noId = `toUUID('00000000-0000-0000-0000-000000000000')`
  const rows = await viewer.telemetry.within(projectIds).query({
    query: `
      SELECT release, sum(n) AS sessions, sumIf(n, is_failed) AS failing FROM (
        SELECT release, max(weight) AS n, max(errors) > 0 OR argMax(status, timestamp) IN ('errored', 'crashed', 'abnormal', 'unhandled') AS is_failed
        FROM sessions WHERE ${where} AND session_id != ${noId} GROUP BY release, session_id
        UNION ALL
        SELECT release, sum(weight * quantity) AS n, errors > 0 OR status IN ('errored', 'crashed', 'abnormal', 'unhandled') AS is_failed
        FROM sessions WHERE ${where} AND session_id = ${noId} GROUP BY release, is_failed
      )
      GROUP BY release LIMIT 10`,
    params,
    schema: sessionRow,
    settings: { max_execution_time: 8 },
  })
  return new Map(rows.map(({ release, sessions, failing }) => [release, { count: sessions, failed: failing }]))
}
