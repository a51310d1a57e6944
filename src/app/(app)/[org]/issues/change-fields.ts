import { z } from 'zod'
import { mayDo, type Verb } from '#commands/permissions.ts'
import type { Viewer } from '#queries/viewer.ts'

const verbs = ['resolve', 'archive', 'reopen', 'assign', 'priority', 'delete', 'discard', 'merge'] as const
export type ChangeVerb = (typeof verbs)[number]

/** As the table of permissions names them. */
export const changeVerbs: readonly Verb[] = verbs.map(verb => `issue.${verb}` as const)
/** What the role is offered; an empty list where it may only look. */
export const allowedChanges = (role: Viewer['role']): ChangeVerb[] => verbs.filter(verb => mayDo(role, `issue.${verb}`))

export const undoableVerbs: readonly Verb[] = [...changeVerbs, 'issue.unmerge']

/** `with` is the rest of the button's value: `archive:until_events:100` is 100 more events. */
export type ChosenChange = { do: ChangeVerb; with: string }

/** The pressed button, and the fields that a menu offers beside its buttons. */
export const changeFields = {
  change: z.string().max(400),
  amount: z.string().max(20).optional(),
  unit: z.enum(['events', 'users', 'days']).optional(),
}
const form = z.object(changeFields)

export function readChange({ change, amount = '', unit = 'events' }: z.output<typeof form>): ChosenChange | null {
  const [verb = '', ...rest] = change.split(':')
  const found = verbs.find(each => each === verb)
  if (!found) return null
  if (change === 'archive:own')
    return { do: found, with: `${unit === 'days' ? 'until_date' : `until_${unit}`}:${amount}` }
  return { do: found, with: rest.join(':') }
}

export const unknownButton = { code: 'custom', message: 'This button is not known. Reload the page.' } as const
