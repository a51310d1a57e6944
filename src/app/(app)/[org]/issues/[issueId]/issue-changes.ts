import { z } from 'zod'
import type { CommandContext } from '#domain/access/command-context.ts'
import { archiveIssues } from '#domain/issues/commands/archive-issues.ts'
import { assignIssues, prioritizeIssues } from '#domain/issues/commands/assign-issues.ts'
import type { IssueTarget } from '#domain/issues/commands/change-issues.ts'
import { deleteIssues, discardIssues } from '#domain/issues/commands/delete-issues.ts'
import { reopenIssues, resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { formId } from '#web/form-number.ts'
import { type ChangeVerb, changeFields, readChange, unknownButton } from '../bulk-input.ts'

const dayMs = 86_400_000

export const changeInput = z
  .object({
    ...changeFields,
    issue: formId,
    into: z.string().trim().max(80).default(''),
  })
  .transform(({ issue, into, ...fields }, check) => {
    const change = readChange(fields)
    if (change === null) {
      check.addIssue(unknownButton)
      return z.NEVER
    }
    return { ...change, issue, into }
  })

type Change = { do: Exclude<ChangeVerb, 'merge'>; with: string }

/** Applies a change to one issue or to many. */
export function runChanges(context: CommandContext, { do: verb, with: terms }: Change, target: IssueTarget) {
  switch (verb) {
    case 'resolve':
      return resolveIssues(context, { ...target, how: readHow(terms) })
    case 'archive':
      return archiveIssues(context, { ...target, until: readUntil(terms, context.now()) })
    case 'reopen':
      return reopenIssues(context, target)
    case 'assign':
      return assignIssues(context, { ...target, assignee: terms })
    case 'priority':
      return prioritizeIssues(context, {
        ...target,
        priority: z.enum(['high', 'medium', 'low']).parse(terms),
      })
    case 'delete':
      return deleteIssues(context, target)
    case 'discard':
      return discardIssues(context, target)
  }
}

function readHow(terms: string): Parameters<typeof resolveIssues>[1]['how'] {
  if (terms === 'next_release') return { kind: 'next_release' }
  if (terms.startsWith('in_release:')) return { kind: 'in_release', version: terms.slice('in_release:'.length) }
  return { kind: 'now' }
}

function readUntil(terms: string, now: number): Parameters<typeof archiveIssues>[1]['until'] {
  const [kind, amount = ''] = terms.split(':')
  const number = /^\d{1,10}$/.test(amount) ? Number(amount) : Number.NaN // which the command rejects, as it rejects 0
  if (kind === 'until_events' || kind === 'until_users') return { kind, more: number }
  if (kind === 'until_date') return { kind, at: now + number * dayMs }
  return kind === 'until_escalating' ? { kind } : { kind: 'forever' }
}

const words: Record<ChangeVerb, string> = {
  resolve: 'Issue resolved.',
  archive: 'Issue archived.',
  reopen: 'Issue reopened.',
  assign: 'Assignee changed.',
  priority: 'Priority changed.',
  delete: 'Issue deleted.',
  discard: 'Issue deleted. Future events are ignored.',
  merge: 'Issues merged.',
}

export const doneWords = (verb: ChangeVerb): string => words[verb]
