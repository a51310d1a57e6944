import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import type { KeyCursor, ListFilter } from '#domain/events/list-filter.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { isProfiledSql } from '#domain/events/span-term.ts'
import { spanScope } from '#domain/traces/span-condition.ts'
import { spanIdSql } from '#domain/traces/trace-scope.ts'
import { type SpanSide, spanSide } from '#react/side.ts'
import { longestChunkMs } from './find-profile.ts'

export const profileSorts = ['newest', 'slowest'] as const
export type ProfileSort = (typeof profileSorts)[number]
export type ProfileFilter = ListFilter<ProfileSort>

type ListedProfile = {
  traceId: string
  spanId: string
  projectId: number
  /** Milliseconds since 1970. */
  at: number
  durationUs: number
  name: string
  op: string
  route: string
  /** Of the profiler. */
  platform: string
  side: SpanSide
  release: string
  environment: string
}
type ProfilePage = { profiles: ListedProfile[]; next: KeyCursor | null }

const profilesPerPage = 50

const row = z.object({
  trace: z.string(),
  span: z.string(),
  project: z.coerce.number(),
  at: z.coerce.number(),
  duration_us: z.coerce.number(),
  short_name: z.string(),
  op: z.string(),
  route: z.string(),
  platform: z.string(),
  sampler: z.string(),
  sdk_name: z.string(),
  release: z.string(),
  environment: z.string(),
  sort_key: z.coerce.number(),
})

const sortKeys: Record<ProfileSort, string> = {
  newest: 'toUnixTimestamp64Micro(timestamp)',
  slowest: 'toInt64(duration_us)',
}

/**
 * A page of the segments that were profiled and whose samples arrived, by keyset. No profile is opened: a segment names its profiler, and
 * few columns are read of the others.
 */
export async function listProfiles(viewer: Viewer, filter: ProfileFilter): Promise<ProfilePage> {
  const terms = await resolveTerms(viewer, filter.terms, filter.projectIds)
  const { params, bind } = boundParams()
  const { where, from, to } = spanScope(viewer, { ...filter, terms }, bind)
  const { after } = filter
  const beyond = after
    ? `AND (sort_key, span_id) < (${bind(after.key, 'Int64')}, ${bind(BigInt(`0x${after.id}`).toString(), 'UInt64')})`
    : ''
  const sampled = `SELECT profiler_id, any(platform) AS sampler FROM profiles WHERE {scope}
    AND timestamp >= fromUnixTimestamp64Milli(${bind(from - longestChunkMs, 'Int64')})
    AND timestamp <= fromUnixTimestamp64Milli(${bind(to + longestChunkMs, 'Int64')}) GROUP BY profiler_id`
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT replaceAll(toString(trace_id), '-', '') AS trace, ${spanIdSql('span_id')} AS span, project_id AS project,
        toUnixTimestamp64Milli(timestamp) AS at, duration_us, substringUTF8(name, 1, 300) AS short_name, op, route, platform, sampler,
        sdk_name, release, environment, ${sortKeys[filter.sort]} AS sort_key
      FROM spans INNER JOIN (${sampled}) AS sampled USING (profiler_id)
      WHERE ${where} AND is_segment AND ${isProfiledSql} ${beyond}
      ORDER BY sort_key DESC, span_id DESC
      LIMIT ${bind(profilesPerPage + 1, 'UInt32')}`,
    params,
    schema: row,
  })
  const page = rows.slice(0, profilesPerPage)
  const last = rows.length > page.length ? page.at(-1) : undefined
  return {
    profiles: page.map(each => ({
      traceId: each.trace,
      spanId: each.span,
      projectId: each.project,
      at: each.at,
      durationUs: each.duration_us,
      name: each.short_name,
      op: each.op,
      route: each.route,
      platform: each.sampler,
      side: spanSide({ platform: each.platform, op: each.op, sdkName: each.sdk_name }),
      release: each.release,
      environment: each.environment,
    })),
    next: last ? { to, key: last.sort_key, id: last.span } : null,
  }
}
