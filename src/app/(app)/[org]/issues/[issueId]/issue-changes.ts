import { z } from 'zod'
import { archiveIssues } from '#commands/archive-issues.ts'
import { assignIssues } from '#commands/assign-issues.ts'
import type { CommandContext } from '#commands/command-context.ts'
import { deleteIssues } from '#commands/delete-issues.ts'
import { discardIssues } from '#commands/discard-issues.ts'
import type { IssueTarget } from '#commands/issue-target.ts'
import { prioritiseIssues } from '#commands/prioritise-issues.ts'
import { reopenIssues } from '#commands/reopen-issues.ts'
import { resolveIssues } from '#commands/resolve-issues.ts'

const verbs = ['resolve', 'archive', 'reopen', 'assign', 'priority', 'delete', 'discard'] as const
type Verb = (typeof verbs)[number]

const dayMs = 86_400_000

/** `with` is the rest of the button's value: `archive:until_events:100` is 100 more events. */
export const changeInput = z
  .object({ issue: z.coerce.number().int().positive(), change: z.string().max(400) })
  .transform(({ issue, change }, check) => {
    const [verb = '', ...rest] = change.split(':')
    const found = verbs.find(each => each === verb)
    if (!found) {
      check.addIssue({ code: 'custom', message: 'This button is not known. Reload the page.' })
      return z.NEVER
    }
    return { issue, do: found, with: rest.join(':') }
  })

type Change = { issue: number; do: Verb; with: string }

export function runChange(context: CommandContext, { issue, ...change }: Change, scope: number[]) {
  return runChanges(context, change, { scope, issueIds: [issue] })
}

/** The list does the same with many. */
export function runChanges(
  context: CommandContext,
  { do: verb, with: terms }: Omit<Change, 'issue'>,
  target: IssueTarget,
) {
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
      return prioritiseIssues(context, {
        ...target,
        priority: z.enum(['high', 'medium', 'low']).catch('medium').parse(terms),
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
  const [kind, amount] = terms.split(':')
  if (kind === 'until_events' || kind === 'until_users') return { kind, more: Number(amount) }
  if (kind === 'until_date') return { kind, at: now + Number(amount) * dayMs }
  return kind === 'until_escalating' ? { kind } : { kind: 'forever' }
}

const words: Record<Verb, string> = {
  resolve: 'Issue resolved.',
  archive: 'Issue archived.',
  reopen: 'Issue reopened.',
  assign: 'Assignee changed.',
  priority: 'Priority changed.',
  delete: 'Issue deleted.',
  discard: 'Issue discarded.',
}

export const doneWords = (verb: Verb): string => words[verb]
