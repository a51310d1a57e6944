import type { CommandContext } from '#domain/access/command-context.ts'
import { inTransaction } from '#domain/access/command-context.ts'
import type { Verb } from '#domain/access/permissions.ts'
import { projectIds } from '#domain/access/viewer.ts'
import { type ArchiveUntil, archiveIssues } from '#domain/issues/commands/archive-issues.ts'
import { assignIssues, prioritizeIssues } from '#domain/issues/commands/assign-issues.ts'
import { type ResolveHow, reopenIssues, resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { listMembers } from '#domain/members/list-members.ts'
import { listTeams } from '#domain/members/teams.ts'
import type { ApiCall } from '../api-call.ts'
import { apiError } from '../api-error.ts'
import { type ChangeTerms, type IssueChangeInput, termsOf } from './issue-change-input.ts'

type Call = Pick<ApiCall<never, IssueChangeInput>, 'viewer' | 'context' | 'input'>
type Target = { scope: number[]; issueIds: number[] }
export type Applied = { ok: true } | { ok: false; code: string }
const minuteMs = 60_000

/** Changes one issue. Gives an error response if that is not possible. */
export async function changeIssue(call: Call, issueId: number): Promise<Response | null> {
  const target = { scope: projectIds(call.viewer), issueIds: [issueId] }
  const apply = await planChanges(call)
  const done = await inTransaction(call.context, inner => apply(inner, target))
  return done.ok ? null : changeFault(done.code)
}

/** Reads what the changes need. They run one after the other in the transaction of the caller, which ends with the first that fails. */
export async function planChanges(call: Call): Promise<(inner: CommandContext, target: Target) => Promise<Applied>> {
  const { priority, assignedTo } = call.input
  const assignee = assignedTo === undefined ? undefined : await findAssignee(call, assignedTo ?? '')
  return async (inner, target) => {
    const changed = await changeStatus({ ...call, context: inner }, target)
    if (!changed.ok) return changed
    const prioritized = priority === undefined ? done : await prioritizeIssues(inner, { ...target, priority })
    if (!prioritized.ok) return prioritized
    return assignee === undefined ? done : assignIssues(inner, { ...target, assignee })
  }
}

const done: Applied = { ok: true }

/** The response for a change that was refused. */
export const changeFault = (code: string): Response =>
  apiError(code === 'issue_not_found' ? 404 : 400, messages[code] ?? `The change failed: ${code}.`)

const messages: Readonly<Record<string, string>> = {
  no_release: 'The project has no release yet, so there is no next release.',
  release_invalid: 'inRelease must be the version of a release.',
  release_not_found: 'inRelease must be a release of the project: none has this version.',
  assignee_not_found: 'assignedTo must be the email or id of a member, or a team of this organization.',
  issue_not_found: 'One of these issues does not exist.',
  count_invalid: 'ignoreCount and ignoreUserCount take a number from 1 to 1,000,000,000.',
  date_passed: 'ignoreDuration must end in the future.',
  merge_across_projects: 'Only issues of one project can be merged.',
  nothing_to_merge: 'Give at least two issues to merge: ?id=1&id=2.',
  too_many_issues: 'One request can merge at most 500 issues.',
}

async function changeStatus({ context, input, viewer }: Call, target: Target): Promise<Applied> {
  const terms = termsOf(input)
  switch (input.status) {
    case 'resolved':
    case 'resolvedInNextRelease':
      return resolveIssues(context, { ...target, how: readHow(input, terms) })
    case 'ignored':
    case 'muted':
      return archiveIssues(context, { ...target, until: readUntil(input, terms, viewer.now) })
    case 'unresolved':
      return reopenIssues(context, target)
    case undefined:
      return done
  }
}

function readHow({ status }: IssueChangeInput, { inRelease, inNextRelease }: ChangeTerms): ResolveHow {
  if (inRelease) return { kind: 'in_release', version: inRelease }
  return inNextRelease || status === 'resolvedInNextRelease' ? { kind: 'next_release' } : { kind: 'now' }
}

function readUntil({ substatus }: IssueChangeInput, terms: ChangeTerms, now: number): ArchiveUntil {
  if (terms.ignoreDuration) return { kind: 'until_date', at: now + terms.ignoreDuration * minuteMs }
  if (terms.ignoreCount) return { kind: 'until_events', more: terms.ignoreCount }
  if (terms.ignoreUserCount) return { kind: 'until_users', more: terms.ignoreUserCount }
  return substatus === 'archived_until_escalating' ? { kind: 'until_escalating' } : { kind: 'forever' }
}

/** By email, `user:<id>`, id, `me`, `team:<id>` or `#team`; empty to unassign. The command rejects unknown assignees. */
async function findAssignee(call: Call, name: string): Promise<string> {
  const { viewer } = call
  if (name === '') return ''
  if (/^(?:team:|#)/.test(name)) return findTeam(call, name)
  if (name === 'me') return `user:${viewer.user.id}`
  const wanted = name.replace(/^user:/, '')
  const member = (await listMembers(viewer)).find(({ id, email }) => id === wanted || email === wanted.toLowerCase())
  return `user:${member?.id ?? wanted}`
}

async function findTeam({ viewer }: Call, name: string): Promise<string> {
  const teams = await listTeams(viewer)
  const team = teams.find(({ id, slug }) => name === `team:${id}` || name === `#${slug}`)
  return `team:${team?.id ?? '?'}`
}

const verbs: readonly Verb[] = ['issue.resolve', 'issue.reopen', 'issue.archive', 'issue.assign', 'issue.priority']
/** The verbs that a token needs: the body may contain any of these changes. */
export const changesIssues = { does: verbs }
const manyVerbs: readonly Verb[] = [...verbs, 'issue.merge']
export const changesManyIssues = { does: manyVerbs }
