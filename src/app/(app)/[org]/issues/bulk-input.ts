import { z } from 'zod'
import { mayDo, type Verb } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'

/** The pressed button, and the fields that a menu offers beside its buttons. */
export const changeFields = {
  change: z.string().max(400),
  amount: z.string().max(20).optional(),
  unit: z.enum(['events', 'users', 'days']).optional(),
}

export const unknownButton = { code: 'custom', message: 'This button is not known. Reload the page.' } as const

const id = z.coerce.number().int().positive()

/** `list` is the list's own address, for "all that match". */
export const bulkInput = z
  .object({
    ...changeFields,
    issue: z.union([id.transform(one => [one]), z.array(id)]).default([]),
    all: z.literal('on').optional(),
    list: z.string().max(8_000).default(''),
  })
  .transform(({ issue, all, list, ...fields }, check) => {
    const change = readChange(fields)
    if (change === null) {
      check.addIssue(unknownButton)
      return z.NEVER
    }
    return { ...change, issues: issue, all: all === 'on', list }
  })

const words: Record<ChangeVerb, string> = {
  resolve: 'resolved',
  archive: 'archived',
  reopen: 'reopened',
  assign: 'assigned',
  priority: 'given another priority',
  delete: 'deleted',
  discard: 'deleted, and what comes of this kind is discarded',
  merge: 'merged',
}

/** The result uses the verb of the button. */
export function bulkWords(verb: ChangeVerb, changed: number): string {
  if (changed === 0) return `Nothing to change: already ${words[verb]}.`
  return `${changed.toLocaleString('en-US')} ${changed === 1 ? 'issue' : 'issues'} ${words[verb]}.`
}

const verbs = ['resolve', 'archive', 'reopen', 'assign', 'priority', 'delete', 'discard', 'merge'] as const
export type ChangeVerb = (typeof verbs)[number]

/** As the table of permissions names them. */
export const changeVerbs: readonly Verb[] = verbs.map(verb => `issue.${verb}` as const)
/** What the role is offered; an empty list where it may only look. */
export const allowedChanges = (role: Viewer['role']): ChangeVerb[] => verbs.filter(verb => mayDo(role, `issue.${verb}`))

export const undoableVerbs: readonly Verb[] = [...changeVerbs, 'issue.unmerge']

/** `with` is the rest of the button's value: `archive:until_events:100` is 100 more events. */
type ChosenChange = { do: ChangeVerb; with: string }

const form = z.object(changeFields)

export function readChange({ change, amount = '', unit = 'events' }: z.output<typeof form>): ChosenChange | null {
  const [verb = '', ...rest] = change.split(':')
  const found = verbs.find(each => each === verb)
  if (!found) return null
  if (change === 'archive:own')
    return { do: found, with: `${unit === 'days' ? 'until_date' : `until_${unit}`}:${amount}` }
  return { do: found, with: rest.join(':') }
}
