import { ascendingChunks } from '#lib/ascending-chunks.ts'
import { newestRelease, type SeenRelease } from '#lib/is-newer-release.ts'
import type { CommandContext } from './command-context.ts'

type Newest = { ofIssue: Map<number, string>; ofProject: Map<number, string> }

const maxReleases = 500 // of a project, the last ones to appear: the newest is among them

/** The newest release that each project has, and that each issue has been seen in. Absent where there is none. */
export async function findNewestReleases(
  context: CommandContext,
  issues: readonly { id: number; project_id: number }[],
): Promise<Newest> {
  const newest: Newest = { ofIssue: new Map(), ofProject: new Map() }
  for (const projectId of new Set(issues.map(issue => issue.project_id))) {
    const releases = await readReleases(context, projectId)
    const top = newestRelease(releases)
    if (top !== null) newest.ofProject.set(projectId, top.version)
    const firstSeen = new Map(releases.map(release => [release.version, release.firstSeen]))
    const own = issues.filter(issue => issue.project_id === projectId).map(issue => issue.id)
    for (const [issueId, versions] of await readIssueReleases(context, own)) {
      const seen = versions.map(version => ({ version, firstSeen: firstSeen.get(version) ?? 0 }))
      newest.ofIssue.set(issueId, newestRelease(seen)?.version ?? '')
    }
  }
  return newest
}

async function readReleases({ db }: CommandContext, projectId: number): Promise<SeenRelease[]> {
  const rows = await db
    .selectFrom('project_release')
    .select(['version', 'first_seen'])
    .where('project_id', '=', projectId)
    .orderBy('first_seen', 'desc')
    .limit(maxReleases)
    .execute()
  return rows.map(row => ({ version: row.version, firstSeen: row.first_seen }))
}

async function readIssueReleases({ db }: CommandContext, issueIds: number[]): Promise<Map<number, string[]>> {
  const versions = new Map<number, string[]>()
  for (const ids of ascendingChunks(issueIds)) {
    const rows = await db
      .selectFrom('issue_hash')
      .select(['issue_id', 'first_release', 'last_release'])
      .where('issue_id', 'in', ids)
      .execute()
    for (const row of rows) {
      const known = versions.get(row.issue_id) ?? []
      known.push(...[row.first_release, row.last_release].filter(version => version !== ''))
      versions.set(row.issue_id, known)
    }
  }
  return versions
}
