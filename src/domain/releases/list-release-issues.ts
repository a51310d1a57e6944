import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { type IssueSummary, listIssueSummaries } from '#domain/issues/issue-totals.ts'
import type { Release } from './read-releases.ts'
import { newInReleases } from './release-counts.ts'

type ReleaseIssues = {
  new: IssueSummary[]
  regressed: IssueSummary[]
  resolved: IssueSummary[]
  /** All of them: `new` has the most frequent ones. */
  newCount: number
}

const maxIssues = 100 // of each kind; the search finds the rest

/** Issues that are new in a release, that regressed in it, and that were resolved in it. */
export async function listReleaseIssues(viewer: Viewer, version: string): Promise<ReleaseIssues> {
  const [fresh, regressed, resolved] = await Promise.all([
    findNew(viewer, version),
    findRegressed(viewer, version),
    findResolved(viewer, version),
  ])
  const ids = [...new Set([...fresh, ...regressed, ...resolved])]
  const byId = new Map((await listIssueSummaries(viewer, ids)).map(issue => [issue.id, issue]))
  const pick = (wanted: number[]) =>
    wanted.flatMap(id => byId.get(id) ?? []).sort((a, b) => b.eventCount - a.eventCount)
  const newCount = fresh.length < maxIssues ? pick(fresh).length : await countNew(viewer, version)
  return { new: pick(fresh), regressed: pick(regressed), resolved: pick(resolved), newCount }
}

/** Those with the most events. In the first release of a project, every issue is new. */
async function findNew(viewer: Viewer, version: string): Promise<number[]> {
  const rows = await newInReleases(viewer, [version])
    .select(({ selectFrom }) => [
      'issue_hash.issue_id',
      selectFrom('issue_hash as own')
        .select(({ fn }) => fn.sum<number>('own.event_count').as('sum'))
        .whereRef('own.issue_id', '=', 'issue_hash.issue_id')
        .as('events'),
    ])
    .distinct()
    .orderBy('events', 'desc')
    .orderBy('issue_id')
    .limit(maxIssues)
    .execute()
  return rows.map(row => row.issue_id)
}

async function countNew(viewer: Viewer, version: string): Promise<number> {
  const { count } = await newInReleases(viewer, [version])
    .select(({ fn }) => fn.count<number>('issue_hash.issue_id').distinct().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** From the activity that digest wrote when it reopened them. */
async function findRegressed(viewer: Viewer, version: string): Promise<number[]> {
  const rows = await viewer.control
    .issueActivity()
    .select(({ fn }) => ['issue_id', fn.max('at').as('at')])
    .where('release', '=', version)
    .groupBy('issue_id')
    .orderBy('at', 'desc')
    .limit(maxIssues)
    .execute()
  return rows.map(row => row.issue_id)
}

/** Resolved in this release by name, or as the next release. */
async function findResolved(viewer: Viewer, version: string): Promise<number[]> {
  const rows = await viewer.control
    .issues()
    .select('id')
    .where('resolved_in', '=', version)
    .orderBy('status_at', 'desc')
    .limit(maxIssues)
    .execute()
  return rows.map(row => row.id)
}

const lastOfHash = z.object({ project: z.coerce.number(), hash: z.string(), at: z.coerce.number() })
const maxHashes = 1_000 // more would not fit into a query's parameters

/** When each of the issues was seen last in the release, in milliseconds; nothing for those without events of it since then. */
export async function findLastSeenIn(
  viewer: Viewer,
  version: string,
  { issueIds, since }: { issueIds: readonly number[]; since: number },
): Promise<Map<number, number>> {
  if (issueIds.length === 0) return new Map()
  const hashes = await viewer.control
    .issueHashes()
    .select(['issue_id', 'project_id', 'group_hash'])
    .where('issue_id', 'in', issueIds)
    .orderBy('last_seen', 'desc')
    .limit(maxHashes)
    .execute()
  const rows = await viewer.telemetry.within(hashes.map(hash => hash.project_id)).query({
    query: `
      SELECT project_id AS project, toString(group_hash) AS hash, max(toUnixTimestamp64Milli(timestamp)) AS at FROM event_index
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
        AND release = {version:String} AND group_hash IN {hashes:Array(String)}
      GROUP BY project_id, group_hash LIMIT 10000`,
    params: { since, version, hashes: hashes.map(hash => hash.group_hash) },
    schema: lastOfHash,
  })
  const issueOf = new Map(hashes.map(hash => [`${hash.project_id} ${hash.group_hash}`, hash.issue_id]))
  const lastOf = new Map<number, number>()
  for (const { project, hash, at } of rows) {
    const issueId = issueOf.get(`${project} ${hash}`)
    if (issueId !== undefined) lastOf.set(issueId, Math.max(at, lastOf.get(issueId) ?? 0))
  }
  return lastOf
}

type SeenRelease = Pick<Release, 'version' | 'firstSeen' | 'projectIds'>

const lastEvent = z.object({ release: z.string(), at: z.coerce.number() })

/** The time of the last stored event of each release, in milliseconds. Only the API needs it. */
export async function findLastEvents(viewer: Viewer, releases: readonly SeenRelease[]): Promise<Map<string, number>> {
  const seen = releases.filter(({ firstSeen }) => firstSeen !== null)
  if (seen.length === 0) return new Map()
  const telemetry = viewer.telemetry.within(seen.flatMap(release => release.projectIds))
  const rows = await telemetry.query({
    query: `
      SELECT release, max(toUnixTimestamp64Milli(timestamp)) AS at FROM events
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli({from:Int64})
        AND release IN {versions:Array(String)}
      GROUP BY release LIMIT 1000`,
    params: {
      from: Math.min(...seen.map(({ firstSeen }) => firstSeen ?? viewer.now)),
      versions: seen.map(({ version }) => version),
    },
    schema: lastEvent,
  })
  return new Map(rows.map(({ release, at }) => [release, at]))
}
