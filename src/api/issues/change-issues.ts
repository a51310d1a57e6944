import { z } from 'zod'
import type { Verb } from '#domain/access/permissions.ts'
import { type ArchiveUntil, archiveIssues } from '#domain/issues/commands/archive-issues.ts'
import { assignIssues, prioritizeIssues } from '#domain/issues/commands/assign-issues.ts'
import { type ResolveHow, reopenIssues, resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { listMembers } from '#domain/members/list-members.ts'
import { listTeams } from '#domain/members/teams.ts'
import type { ApiCall } from '../api-call.ts'
import { apiError } from '../api-error.ts'

type Call = Pick<ApiCall<never, IssueChangeInput>, 'viewer' | 'context' | 'input'>
type Target = { scope: number[]; issueIds: number[] }
const minuteMs = 60_000

/** Runs the requested changes one after the other. Gives an error response if one of them fails. */
export async function changeIssues(
  call: Call,
  issueIds: number[],
  scope = call.viewer.projects.map(({ id }) => id),
): Promise<Response | null> {
  const target = { scope, issueIds }
  const { context, input } = call
  const results = [
    await changeStatus(call, target),
    input.priority ? await prioritizeIssues(context, { ...target, priority: input.priority }) : null,
    input.assignedTo === undefined || input.assignedTo === null
      ? null
      : await assignIssues(context, { ...target, assignee: await findAssignee(call, input.assignedTo) }),
  ]
  const failed = results.find(result => result?.ok === false)
  return failed && !failed.ok ? apiError(400, messages[failed.code] ?? `The change failed: ${failed.code}.`) : null
}

const messages: Readonly<Record<string, string>> = {
  no_release: 'The project has no release yet, so there is no next release.',
  release_invalid: 'inRelease must be the version of a release.',
  assignee_not_found: 'assignedTo must be the email or id of a member, or a team of this organization.',
  issue_not_found: 'The issue does not exist.',
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

/** Conditions of a status, with durations in minutes. Tools send them beside the status or in `statusDetails`. */
const terms = {
  ignoreDuration: z.number().positive().nullish(),
  ignoreCount: z.number().int().positive().nullish(),
  ignoreUserCount: z.number().int().positive().nullish(),
  inRelease: z.string().nullish(),
  inNextRelease: z.boolean().nullish(),
}

const verbs: readonly Verb[] = ['issue.resolve', 'issue.reopen', 'issue.archive', 'issue.assign', 'issue.priority']
/** The verbs that a token needs: the body may contain any of these changes. */
export const changesIssues = { does: verbs }
const manyVerbs: readonly Verb[] = [...verbs, 'issue.merge']
export const changesManyIssues = { does: manyVerbs }

/** The fields of an issue that can be changed. Other fields are ignored. */
export const issueChangeInput = z.object({
  status: z.enum(['resolved', 'resolvedInNextRelease', 'unresolved', 'ignored', 'muted']).optional(),
  substatus: z.string().nullish(),
  assignedTo: z.string().nullish(),
  priority: z.enum(['high', 'medium', 'low']).optional(),
  statusDetails: z.object(terms).optional(),
  ...terms,
})
/** The same for several issues, which can also be merged. */
export const bulkChangeInput = issueChangeInput.extend({
  merge: z.union([z.boolean(), z.literal(1), z.literal('1')]).optional(),
})
export type BulkChangeInput = z.output<typeof bulkChangeInput>
type IssueChangeInput = z.output<typeof issueChangeInput>
