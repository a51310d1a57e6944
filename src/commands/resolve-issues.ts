import { isReleaseVersion } from '#protocol/release-version.ts'
import type { ResolvedHow } from '#store/control/status-detail.ts'
import { changeIssues } from './change-issues.ts'
import type { CommandContext } from './command-context.ts'
import { findNewestReleases } from './find-newest-releases.ts'
import { inTransaction } from './in-transaction.ts'
import type { IssueChangeResult } from './issue-change.ts'
import type { IssueTarget } from './issue-target.ts'
import { readTarget } from './read-target.ts'

export type ResolveHow = { kind: 'now' } | { kind: 'next_release' } | { kind: 'in_release'; version: string }
type Result = IssueChangeResult<'no_release' | 'release_invalid'>

/** When an issue comes back that was resolved plainly, in a release or in the next one is decided in `digest/loop/find-return.ts`. */
export function resolveIssues(
  context: CommandContext,
  { how, ...target }: IssueTarget & { how: ResolveHow },
): Promise<Result> {
  return inTransaction<Result>(context, async inner => {
    if (how.kind === 'in_release' && !isReleaseVersion(how.version)) return { ok: false, code: 'release_invalid' }
    const found = await readTarget(inner, target)
    if (!found.ok) return found
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
