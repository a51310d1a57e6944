import { type ArchiveUntil, archiveIssues } from '#commands/archive-issues.ts'
import { assignIssues } from '#commands/assign-issues.ts'
import { prioritiseIssues } from '#commands/prioritise-issues.ts'
import { reopenIssues } from '#commands/reopen-issues.ts'
import { type ResolveHow, resolveIssues } from '#commands/resolve-issues.ts'
import { listMembers } from '#queries/list-members.ts'
import { apiError } from '../api-error.ts'
import type { ApiCall } from '../define-api-route.ts'
import type { IssueChangeInput } from './issue-change-input.ts'

type Call = Pick<ApiCall<IssueChangeInput>, 'viewer' | 'context' | 'input'>
type Target = { scope: number[]; issueIds: number[] }
const minuteMs = 60_000

/** Carries out what was sent, one command after the other; the answer where one of them says no. */
export async function changeIssues(
  call: Call,
  issueIds: number[],
  scope = call.viewer.projects.map(({ id }) => id),
): Promise<Response | null> {
  const target = { scope, issueIds }
  const { context, input } = call
  const results = [
    await changeStatus(call, target),
    input.priority ? await prioritiseIssues(context, { ...target, priority: input.priority }) : null,
    input.assignedTo === undefined || input.assignedTo === null
      ? null
      : await assignIssues(context, { ...target, assignee: await findAssignee(call, input.assignedTo) }),
  ]
  const refused = results.find(result => result?.ok === false)
  return refused && !refused.ok
    ? apiError(400, sentences[refused.code] ?? `That is not possible: ${refused.code}.`)
    : null
}

const sentences: Readonly<Record<string, string>> = {
  no_release: 'There is no release yet that a next one could follow.',
  release_invalid: 'inRelease takes the version of a release.',
  assignee_not_found: 'assignedTo takes the mail address or id of a member of this organisation.',
  issue_not_found: 'There is no such issue.',
}

function changeStatus({ context, input, viewer }: Call, target: Target) {
  const terms = { ...input, ...input.statusDetails }
  switch (input.status) {
    case 'resolved':
    case 'resolvedInNextRelease':
      return resolveIssues(context, { ...target, how: readHow(terms) })
    case 'unresolved':
      return reopenIssues(context, target)
    case 'ignored':
    case 'muted':
      return archiveIssues(context, { ...target, until: readUntil(terms, viewer.now) })
    case undefined:
      return null
  }
}

function readHow({ status, inRelease, inNextRelease }: IssueChangeInput): ResolveHow {
  if (inRelease) return { kind: 'in_release', version: inRelease }
  return inNextRelease || status === 'resolvedInNextRelease' ? { kind: 'next_release' } : { kind: 'now' }
}

function readUntil(terms: IssueChangeInput, now: number): ArchiveUntil {
  if (terms.ignoreDuration) return { kind: 'until_date', at: now + terms.ignoreDuration * minuteMs }
  if (terms.ignoreCount) return { kind: 'until_events', more: terms.ignoreCount }
  if (terms.ignoreUserCount) return { kind: 'until_users', more: terms.ignoreUserCount }
  return terms.substatus === 'archived_until_escalating' ? { kind: 'until_escalating' } : { kind: 'forever' }
}

/** By mail address, `user:<id>`, id or `me`; empty for nobody. Whom nobody knows is refused by the command. */
async function findAssignee({ viewer }: Call, name: string): Promise<string> {
  if (name === '') return ''
  if (name === 'me') return `user:${viewer.user.id}`
  const wanted = name.replace(/^user:/, '')
  const member = (await listMembers(viewer)).find(({ id, email }) => id === wanted || email === wanted.toLowerCase())
  return `user:${member?.id ?? wanted}`
}
