import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import { newestRelease, type SeenRelease } from '#lib/compare-releases.ts'
import { isReleaseVersion } from '#protocol/release-version.ts'
import type { ResolvedHow } from '#store/control/status-detail.ts'
import { changeIssues, type IssueTarget, readTarget } from './change-issues.ts'
import type { IssueChangeResult } from './write-activity.ts'

export type ResolveHow = { kind: 'now' } | { kind: 'next_release' } | { kind: 'in_release'; version: string }
type Result = IssueChangeResult<'no_release' | 'release_invalid' | 'release_not_found'>

/** When a resolved issue reopens is decided in lifecycle/regression.ts. */
export function resolveIssues(
  context: CommandContext,
  { how, ...target }: IssueTarget & { how: ResolveHow },
): Promise<Result> {
  return inTransaction<Result>(context, async inner => {
    if (how.kind === 'in_release' && !isReleaseVersion(how.version)) return { ok: false, code: 'release_invalid' }
    const found = await readTarget(inner, target)
    if (!found.ok) return found
    if (how.kind === 'in_release' && !(await haveRelease(inner, found.issues, how.version)))
      return { ok: false, code: 'release_not_found' }
    const newest = await findNewestReleases(inner, found.issues)
    if (how.kind === 'next_release' && found.issues.some(issue => !newest.ofProject.has(issue.project_id)))
      return { ok: false, code: 'no_release' }
    const at = inner.now()
    return changeIssues(inner, found.issues, {
      action: 'issue.resolve',
      kind: 'resolved',
      plan: issue => {
        const detail = termsOf(how, newest.ofIssue.get(issue.id), newest.ofProject.get(issue.project_id))
        const status_detail = JSON.stringify(detail)
        if (issue.status === 'resolved' && issue.status_detail === status_detail) return null
        return { set: { status: 'resolved', status_detail, status_at: at }, detail }
      },
    })
  })
}

function termsOf(how: ResolveHow, ofIssue = '', ofProject = ''): ResolvedHow {
  if (how.kind === 'now') return { kind: 'now', release: ofIssue }
  if (how.kind === 'in_release') return { kind: 'in_release', version: how.version.trim() }
  return { kind: 'next_release', after: ofProject }
}

/** Whether each project of the issues has the release, from events or from a tool. A mistyped one would never let them reopen. */
async function haveRelease(
  { db }: CommandContext,
  issues: readonly { project_id: number }[],
  version: string,
): Promise<boolean> {
  const wanted = [...new Set(issues.map(issue => issue.project_id))]
  const seen = await db
    .selectFrom('project_release')
    .select('project_id')
    .where('version', '=', version.trim())
    .where('project_id', 'in', wanted)
    .union(
      db
        .selectFrom('release_project')
        .innerJoin('release', 'release.id', 'release_project.release_id')
        .select('release_project.project_id')
        .where('release.version', '=', version.trim())
        .where('release_project.project_id', 'in', wanted),
    )
    .execute()
  return seen.length === wanted.length
}

/** A member reopens the issues. That is not a regression: the substatus stays. */
export function reopenIssues(context: CommandContext, target: IssueTarget): Promise<IssueChangeResult> {
  return inTransaction<IssueChangeResult>(context, async inner => {
    const found = await readTarget(inner, target)
    if (!found.ok) return found
    const at = inner.now()
    return changeIssues(inner, found.issues, {
      action: 'issue.reopen',
      kind: 'reopened',
      plan: issue =>
        issue.status === 'unresolved'
          ? null
          : { set: { status: 'unresolved', status_detail: '{}', status_at: at }, detail: { from: issue.status } },
    })
  })
}

type Newest = { ofIssue: Map<number, string>; ofProject: Map<number, string> }

const maxReleases = 500 // the last ones seen in a project: the newest version is among them

/** The newest release of each project, and the newest in which each issue was seen. */
async function findNewestReleases(
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
