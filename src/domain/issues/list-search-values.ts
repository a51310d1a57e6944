import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { eventColumns, sourceOf } from '#domain/events/event-condition.ts'
import { logColumns } from '#domain/events/log-term.ts'
import { quickSettings } from '#domain/events/quick-settings.ts'
import { spanColumns } from '#domain/events/span-term.ts'
import { listMembers } from '#domain/members/list-members.ts'
import { listTeams } from '#domain/members/teams.ts'
import { replayColumns } from '#domain/replays/replay-condition.ts'
import { tagName } from '#search/search-fields.ts'

const dayMs = 86_400_000
const row = z.object({ value: z.string(), count: z.coerce.number() })
type SearchValueCount = z.output<typeof row>

const searchTables = {
  issues: {
    table: 'event_index AS events',
    columns: { ...eventColumns, user: `if(user_email != '', user_email, user_id)` } as Readonly<Record<string, string>>,
    map: 'tags',
  },
  spans: { table: 'spans', columns: spanColumns, map: 'attributes' },
  logs: { table: 'logs', columns: logColumns, map: 'attributes' },
  replays: { table: 'replays', columns: replayColumns, map: 'tags' },
} as const
type SearchTable = keyof typeof searchTables

/** Suggested values of a field or tag that start with the prefix, the most frequent of the last week first. */
export function listSearchValues(
  viewer: Viewer,
  { of, key, prefix }: { of: SearchTable; key: string; prefix: string },
): Promise<SearchValueCount[]> {
  const { table, columns, map } = searchTables[of]
  const column = Object.hasOwn(columns, key) ? columns[key] : `${map}[{key:String}]`
  return viewer.telemetry.query({
    query: `
      SELECT ${column} AS value, count() AS count FROM ${of === 'issues' ? sourceOf([key]) : table}
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
        AND value != '' AND startsWith(lower(value), lower({prefix:String}))
      GROUP BY value ORDER BY count DESC, value LIMIT 10`,
    params: { since: viewer.now - 7 * dayMs, key: tagName(key), prefix },
    schema: row,
    settings: quickSettings,
  })
}

/** Suggested names of tags or attributes that start with the prefix. */
export function listTagKeys(viewer: Viewer, of: SearchTable, prefix: string): Promise<SearchValueCount[]> {
  const { table, map } = searchTables[of]
  return viewer.telemetry.query({
    query: `
      SELECT arrayJoin(mapKeys(${map})) AS value, count() AS count FROM ${table}
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
        AND startsWith(lower(value), lower({prefix:String}))
      GROUP BY value ORDER BY count DESC, value LIMIT 8`,
    params: { since: viewer.now - dayMs, prefix },
    schema: row,
    settings: quickSettings,
  })
}

/** Suggested values of `project:`. */
export function listSearchProjects({ projects }: Viewer, prefix: string): SearchValueCount[] {
  return projects
    .filter(({ slug }) => slug.startsWith(prefix.toLowerCase()))
    .slice(0, 10)
    .map(({ slug }) => ({ value: slug, count: 0 }))
}

const maxTagNames = 500
/** The limit of a whole list. */
const allTagNames = 20_000

/** Numeric attributes are stored in a separate map. */
const namesSql = (map: 'tags' | 'attributes'): string =>
  map === 'tags'
    ? 'mapKeys(tags)'
    : 'arrayConcat(arrayMap(name -> toString(name), mapKeys(attributes)), arrayMap(name -> toString(name), mapKeys(numbers)))'

/**
 * The names of tags or attributes in a time range, the most frequent first. Suggestions are cut by `quickSettings`. With `isWhole`, the
 * query reads all names or fails, for callers that report a missing name.
 */
export function listTagNames(
  viewer: Viewer,
  of: SearchTable,
  {
    projectIds,
    rangeMs,
    to = viewer.now,
    isWhole = false,
  }: { projectIds?: readonly number[] | undefined; rangeMs: number; to?: number | undefined; isWhole?: boolean },
): Promise<SearchValueCount[]> {
  const { table, map } = searchTables[of]
  return viewer.telemetry.within(projectIds).query({
    query: `
      SELECT arrayJoin(${namesSql(map)}) AS value, count() AS count FROM ${table}
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli({from:Int64})
        AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
      GROUP BY value ORDER BY count DESC, value LIMIT ${isWhole ? allTagNames : maxTagNames}`,
    params: { from: to - rangeMs, to },
    schema: row,
    ...(isWhole ? {} : { settings: quickSettings }),
  })
}

/** Suggested values of `assigned:`: teams, then email addresses of members. */
export async function listSearchAssignees(viewer: Viewer, prefix: string): Promise<SearchValueCount[]> {
  const [members, teams] = await Promise.all([listMembers(viewer), listTeams(viewer)])
  const names = [...teams.map(({ slug }) => `#${slug}`), ...members.map(({ email }) => email)]
  return names
    .filter(name => name.toLowerCase().startsWith(prefix.toLowerCase()))
    .slice(0, 10)
    .map(value => ({ value, count: 0 }))
}

/** `id` as issues store it: `user:<id>` or `team:<id>`. */
type Assignee = { id: string; name: string }

/** Everyone an issue can be assigned to: members first, then teams as `#slug`. */
export async function listAssignees(viewer: Viewer): Promise<Assignee[]> {
  const [members, teams] = await Promise.all([listMembers(viewer), listTeams(viewer)])
  return [
    ...members.map(({ id, name }) => ({ id: `user:${id}`, name })),
    ...teams.map(({ id, slug }) => ({ id: `team:${id}`, name: `#${slug}` })),
  ]
}
