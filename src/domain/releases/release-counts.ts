import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { bindArray, boundParams, eventSource, userCount } from '#domain/events/event-condition.ts'
import type { EventBars } from '#domain/issues/count-issue.ts'
import { firstHashes } from '#domain/issues/first-hashes.ts'
import { feedbackKind, isNoFeedbackSql } from '#lib/event-kind.ts'
import type { Release } from './read-releases.ts'

/** In the chosen time, or else events and their users of 14 days, and the share of 24 hours. */
export type AdoptedRelease = {
  events: number
  users: number
  /** Share of the users of its projects who had this release; null without users. */
  share: number | null
}

/** The events, users and issues that the numbers of a list are about, which follow its filter. */
export type CountedScope = {
  environment?: string | undefined
  rangeMs: number
  /** The end of the range; now by default. */
  to?: number | undefined
}

const dayMs = 86_400_000
const eventDays = 14
const eventRow = z.object({ release: z.string(), events: z.coerce.number(), users: z.coerce.number() })
const userRow = z.object({ project_id: z.coerce.number(), release: z.string(), users: z.coerce.number() })
const settings = { max_execution_time: 8 }
const moment = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64})`

/** Errors and affected users of each release, and its share of the users. */
export async function countAdoption(
  viewer: Viewer,
  releases: readonly Release[],
  scope?: CountedScope,
): Promise<Map<string, AdoptedRelease>> {
  const projectIds = releases.flatMap(release => release.projectIds)
  if (projectIds.length === 0) return new Map()
  const telemetry = viewer.telemetry.within(projectIds)
  const versions = releases.map(({ version }) => version)
  const to = scope?.to ?? viewer.now
  const since = (days: number): number => to - (scope?.rangeMs ?? days * dayMs)
  const params = { versions, events: since(eventDays), active: since(1), to, environment: scope?.environment ?? '' }
  const until = (time: string): string => (scope?.to === undefined ? '' : `AND ${time} <= ${moment('to')}`)
  const here = scope?.environment === undefined ? '' : 'AND environment = {environment:String}'
  const [counted, users] = await Promise.all([
    telemetry.query({
      query: `
        SELECT release, sum(weight) AS events, ${userCount} AS users FROM events
        WHERE {scope} AND timestamp >= ${moment('events')} ${until('timestamp')} ${here} AND ${isNoFeedbackSql}
          AND release IN {versions:Array(String)}
        GROUP BY release LIMIT 1000`,
      params,
      schema: eventRow,
      settings,
    }),
    telemetry.query({
      query: `
        SELECT project_id, release, uniq(user_hash) AS users FROM (
          SELECT project_id, release, user_hash FROM events
          WHERE {scope} AND timestamp >= ${moment('active')} ${until('timestamp')} ${here}
            AND user_hash != 0
          UNION ALL
          SELECT project_id, release, user_hash FROM sessions
          WHERE {scope} AND started >= ${moment('active')} ${until('started')} ${here}
            AND user_hash != 0
          UNION ALL
          SELECT project_id, release, user_hash FROM spans
          WHERE {scope} AND timestamp >= ${moment('active')} ${until('timestamp')} ${here}
            AND is_segment AND user_hash != 0
        )
        WHERE release != '' GROUP BY project_id, release WITH ROLLUP LIMIT 20000`,
      params,
      schema: userRow,
      settings,
    }),
  ])
  // A user is one of a project: the same person in two projects is two. '' is the sum over all releases.
  const usersOf = new Map(users.map(row => [`${row.project_id} ${row.release}`, row.users]))
  const usersIn = (projects: readonly number[], version: string): number =>
    projects.reduce((sum, id) => sum + (usersOf.get(`${id} ${version}`) ?? 0), 0)
  const countsOf = new Map(counted.map(row => [row.release, row]))
  return new Map(
    releases.map(({ version, projectIds: own }) => {
      const counts = countsOf.get(version)
      const all = usersIn(own, '')
      const share = all === 0 ? null : usersIn(own, version) / all
      return [version, { events: Math.round(counts?.events ?? 0), users: counts?.users ?? 0, share }]
    }),
  )
}

const row = z.object({ bar: z.coerce.number(), quantity: z.coerce.number() })
const barCount = 60
const maxSpanMs = 14 * 86_400_000
const minSpanMs = 3_600_000

/** Errors of a release since it was created, for at most two weeks, in bars of equal length. */
export async function countReleaseEvents(viewer: Viewer, release: Release): Promise<EventBars> {
  const from = Math.min(Math.max(release.createdAt, viewer.now - maxSpanMs), viewer.now - minSpanMs)
  const stepMs = Math.max(1, Math.ceil((viewer.now - from) / barCount))
  const counts = Array.from({ length: barCount }, () => 0)
  if (release.projectIds.length === 0) return { from, to: viewer.now, stepMs, counts }
  const rows = await viewer.telemetry.within(release.projectIds).query({
    query: `
      SELECT intDiv(toUnixTimestamp64Milli(timestamp) - {from:Int64}, {stepMs:Int64}) AS bar, sum(weight) AS quantity
      FROM events
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli({from:Int64})
        AND timestamp <= fromUnixTimestamp64Milli({to:Int64}) AND release = {version:String} AND ${isNoFeedbackSql}
      GROUP BY bar ORDER BY bar LIMIT {limit:UInt32}`,
    params: {
      from,
      to: viewer.now,
      stepMs,
      version: release.version,
      limit: barCount + 1,
    },
    schema: row,
  })
  for (const { bar, quantity } of rows) {
    const index = Math.min(Math.max(bar, 0), barCount - 1)
    counts[index] = (counts[index] ?? 0) + Math.round(quantity)
  }
  return { from, to: viewer.now, stepMs, counts }
}

export type ReleaseFacts = {
  newIssues: number
  newIssuesOf: ReadonlyMap<number, number>
  commitCount: number
  deployCount: number
  lastDeploy: {
    id: number
    environment: string
    name: string
    url: string
    startedAt: number | null
    finishedAt: number
  } | null
  authors: { name: string; email: string }[]
}

type FactScope = Partial<CountedScope> & { projectIds?: readonly number[] | undefined }

/** Issues, deploys and commits of releases, in a fixed number of queries of control. New issues are those of all environments. */
export async function countReleaseFacts(
  viewer: Viewer,
  releases: readonly Release[],
  scope: FactScope = {},
): Promise<Map<string, ReleaseFacts>> {
  const ids = releases.flatMap(({ id }) => (id === null ? [] : [id]))
  const [issues, deploys, commits] = await Promise.all([
    countNewIssues(viewer, releases, { ...scope, environment: undefined }),
    readDeploys(viewer, ids, scope.environment),
    readAuthors(viewer, ids),
  ])
  return new Map(
    releases.map(({ version, id }) => {
      const own = deploys.filter(deploy => deploy.releaseId === id)
      const authors = commits.filter(commit => commit.release_id === id)
      const { releaseId: _, ...lastDeploy } = own[0] ?? { releaseId: 0 }
      return [
        version,
        {
          newIssues: [...(issues.get(version)?.values() ?? [])].reduce((sum, count) => sum + count, 0),
          newIssuesOf: issues.get(version) ?? new Map(),
          deployCount: own.length,
          lastDeploy: 'id' in lastDeploy ? lastDeploy : null,
          commitCount: authors.reduce((sum, author) => sum + Number(author.count), 0),
          authors: authors.map(author => ({ name: author.author_name, email: author.author_email })),
        },
      ]
    }),
  )
}

/**
 * By version, then by project. Of a chosen time, the issues whose first event is in it; of an environment, those of them with an event
 * there, in that time, which telemetry knows.
 */
export async function countNewIssues(
  viewer: Viewer,
  releases: readonly Release[],
  { projectIds, environment, rangeMs, to }: FactScope,
): Promise<Map<string, Map<number, number>>> {
  if (releases.length === 0) return new Map()
  const versions = releases.map(({ version }) => version)
  // Clocks of apps may be ahead: a range that ends now has no end.
  const span = { from: rangeMs === undefined ? 0 : (to ?? viewer.now) - rangeMs, to: to ?? Number.MAX_SAFE_INTEGER }
  const rows = await newInReleases(viewer, versions, projectIds)
    .where('issue_hash.first_seen', '>=', span.from)
    .where('issue_hash.first_seen', '<=', span.to)
    .select(['issue_hash.first_release', 'issue_hash.project_id', 'issue_hash.issue_id'])
    .distinct()
    .execute()
  const ids = rows.map(({ issue_id }) => issue_id)
  const there = environment === undefined ? null : await findSeenIn(viewer, ids, environment, span)
  const byVersion = Map.groupBy(
    rows.filter(({ issue_id }) => there?.has(issue_id) ?? true),
    row => row.first_release,
  )
  return new Map(
    Array.from(byVersion, ([version, own]) => {
      const byProject = Map.groupBy(own, row => row.project_id)
      return [version, new Map(Array.from(byProject, ([id, issues]) => [id, issues.length]))]
    }),
  )
}

const seenRow = z.object({ project_id: z.coerce.number(), hash: z.string() })
const idsPerQuery = 5_000
const maxHashes = 50_000

/** The issues among these that have an event in the environment in this time. */
async function findSeenIn(
  viewer: Viewer,
  issueIds: readonly number[],
  environment: string,
  { from, to }: { from: number; to: number },
): Promise<Set<number>> {
  const hashes = []
  for (let at = 0; at < issueIds.length; at += idsPerQuery)
    hashes.push(
      ...(await viewer.control
        .issueHashes()
        .select(['project_id', 'group_hash', 'issue_id'])
        .where('issue_id', 'in', issueIds.slice(at, at + idsPerQuery))
        .execute()),
    )
  if (hashes.length === 0) return new Set()
  const { params, bind } = boundParams()
  const rows = await viewer.telemetry.within(hashes.map(({ project_id }) => project_id)).query({
    query: `
      SELECT project_id, toString(group_hash) AS hash FROM ${eventSource([], to - from)}
      WHERE {scope} AND environment = ${bind(environment, 'String')}
        AND timestamp >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})
        ${to < Number.MAX_SAFE_INTEGER ? `AND timestamp <= fromUnixTimestamp64Milli(${bind(to, 'Int64')})` : ''}
        AND group_hash IN ${bindArray(
          hashes.map(({ group_hash }) => group_hash),
          'String',
          bind,
        )}
      GROUP BY project_id, group_hash LIMIT ${maxHashes}`,
    params,
    schema: seenRow,
    settings,
  })
  const seen = new Set(rows.map(({ project_id, hash }) => `${project_id} ${hash}`))
  return new Set(
    hashes
      .filter(({ project_id, group_hash }) => seen.has(`${project_id} ${group_hash}`))
      .map(({ issue_id }) => issue_id),
  )
}

async function readDeploys(viewer: Viewer, releaseIds: number[], environment: string | undefined) {
  if (releaseIds.length === 0) return []
  const deploys = viewer.control.deploys()
  const rows = await (environment === undefined ? deploys : deploys.where('environment', '=', environment))
    .select(['deploy.id', 'release_id', 'environment', 'name', 'deploy.url', 'deploy.started_at', 'finished_at'])
    .where('release_id', 'in', releaseIds)
    .orderBy('finished_at', 'desc')
    .orderBy('deploy.id', 'desc')
    .limit(5_000)
    .execute()
  return rows.map(({ release_id, started_at, finished_at, ...deploy }) => ({
    ...deploy,
    releaseId: release_id,
    startedAt: started_at,
    finishedAt: finished_at,
  }))
}

async function readAuthors(viewer: Viewer, releaseIds: number[]) {
  if (releaseIds.length === 0) return []
  return viewer.control
    .releaseCommits()
    .select(({ fn }) => ['release_id', 'author_name', 'author_email', fn.countAll<number>().as('count')])
    .where('release_id', 'in', releaseIds)
    .groupBy(['release_id', 'author_name', 'author_email'])
    .orderBy('author_email')
    .limit(5_000)
    .execute()
}

/** The hashes of issues that are new in these releases. */
export const newInReleases = (viewer: Viewer, versions: string[], projectIds?: readonly number[]) =>
  firstHashes(viewer.control.within(projectIds))
    .where('first_release', 'in', versions)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('issue')
            .select('issue.id')
            .whereRef('issue.id', '=', 'issue_hash.issue_id')
            .where('issue.kind', '=', feedbackKind),
        ),
      ),
    )
