import { z } from 'zod'
import type { Verb } from '#domain/access/permissions.ts'
import { type ArchiveUntil, archiveIssues } from '#domain/issues/commands/archive-issues.ts'
import { assignIssues, prioritizeIssues } from '#domain/issues/commands/assign-issues.ts'
import { type ResolveHow, reopenIssues, resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { listMembers } from '#domain/members/list-members.ts'
import { listTeams } from '#domain/members/teams.ts'
import { apiError } from './api-error.ts'
import type { ApiCall } from './define-api-route.ts'

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
    input.priority ? await prioritizeIssues(context, { ...target, priority: input.priority }) : null,
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
  assignee_not_found: 'assignedTo takes the mail address or id of a member, or a team of this organization.',
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

/** By mail address, `user:<id>`, id, `me`, `team:<id>` or `#team`; empty for nobody. Whom nobody knows is refused by the command. */
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

/** The length of an archive in minutes, or a count; tools send these beside the status or within its details. */
const terms = {
  ignoreDuration: z.number().positive().nullish(),
  ignoreCount: z.number().int().positive().nullish(),
  ignoreUserCount: z.number().int().positive().nullish(),
  inRelease: z.string().nullish(),
  inNextRelease: z.boolean().nullish(),
}

const verbs: readonly Verb[] = ['issue.resolve', 'issue.reopen', 'issue.archive', 'issue.assign', 'issue.priority']
/** What a token has to be allowed for it: the body may ask for any of these. */
export const changesIssues = { does: verbs }
const manyVerbs: readonly Verb[] = [...verbs, 'issue.merge']
export const changesManyIssues = { does: manyVerbs }

/** What may be changed about an issue. What else tools send along is no harm. */
export const issueChangeInput = z.object({
  status: z.enum(['resolved', 'resolvedInNextRelease', 'unresolved', 'ignored', 'muted']).optional(),
  substatus: z.string().nullish(),
  assignedTo: z.string().nullish(),
  priority: z.enum(['high', 'medium', 'low']).optional(),
  statusDetails: z.object(terms).optional(),
  ...terms,
})
/** The same for many, which can also be merged. */
export const bulkChangeInput = issueChangeInput.extend({
  merge: z.union([z.boolean(), z.literal(1), z.literal('1')]).optional(),
})
export type BulkChangeInput = z.output<typeof bulkChangeInput>
type IssueChangeInput = z.output<typeof issueChangeInput>
