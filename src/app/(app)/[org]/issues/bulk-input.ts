import { z } from 'zod'
import { mayDo, type Verb } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { formId } from '#web/form-number.ts'

/** The value of the pressed button, and the fields of the archive menu. */
export const changeFields = {
  change: z.string().max(400),
  amount: z.string().max(20).optional(),
  unit: z.enum(['events', 'users', 'days']).optional(),
}

export const unknownButton = { code: 'custom', message: 'Unknown action. Reload the page and try again.' } as const

/** `list` is the query string of the list, for "select all matching issues". */
export const bulkInput = z
  .object({
    ...changeFields,
    issue: z.union([formId.transform(one => [one]), z.array(formId)]).default([]),
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

const participles: Record<Exclude<ChangeVerb, 'priority'>, string> = {
  resolve: 'resolved',
  archive: 'archived',
  reopen: 'reopened',
  assign: 'assigned',
  delete: 'deleted',
  discard: 'deleted',
  merge: 'merged',
}

/** The toast after a bulk change. `terms` is the new priority or assignee. */
export function bulkResult(verb: ChangeVerb, terms: string, changed: number): string {
  const issues = `${formatWhole(changed)} ${changed === 1 ? 'issue' : 'issues'}`
  if (verb === 'priority')
    return changed === 0 ? `No changes: the priority is already ${terms}.` : `Priority set to ${terms} on ${issues}.`
  const participle = verb === 'assign' && terms === '' ? 'unassigned' : participles[verb]
  if (changed === 0) return `No changes: already ${participle}.`
  return `${issues} ${participle}.${verb === 'discard' ? ' Future events are ignored.' : ''}`
}

/** A change by its kind in the activity: `3 issues resolved`. */
export function describeChange(kind: string, changed: number): string {
  const issues = `${formatWhole(changed)} ${changed === 1 ? 'issue' : 'issues'}`
  return kind === 'priority' ? `priority of ${issues}` : `${issues} ${kind === 'discarded' ? 'deleted' : kind}`
}

const verbs = ['resolve', 'archive', 'reopen', 'assign', 'priority', 'delete', 'discard', 'merge'] as const
export type ChangeVerb = (typeof verbs)[number]

/** The verbs as the permission table names them. */
export const changeVerbs: readonly Verb[] = verbs.map(verb => `issue.${verb}` as const)
/** The changes that a role may make; empty for read access. */
export const allowedChanges = (role: Viewer['role']): ChangeVerb[] => verbs.filter(verb => mayDo(role, `issue.${verb}`))

export const undoableVerbs: readonly Verb[] = [...changeVerbs, 'issue.unmerge']

/** `with` is the rest of the button's value: `archive:until_events:100` is 100 more events. */
type ChosenChange = { do: ChangeVerb; with: string }

const form = z.object(changeFields)

export function readChange({ change, amount = '', unit = 'events' }: z.output<typeof form>): ChosenChange | null {
  const [verb = '', ...rest] = change.split(':')
  const found = verbs.find(each => each === verb)
  if (!found) return null
  const own = `${unit === 'days' ? 'until_date' : `until_${unit}`}:${amount}`
  const terms = change === 'archive:own' ? own : rest.join(':')
  return termsOf[found].test(terms) ? { do: found, with: terms } : null
}

/** The arguments that each verb accepts. The command checks assignees, versions and the size of numbers. */
const termsOf: Readonly<Record<ChangeVerb, RegExp>> = {
  resolve: /^(?:now|next_release|in_release:.+)$/s,
  archive: /^(?:forever|until_escalating|until_(?:events|users|date):.{0,20})$/s,
  reopen: /^$/,
  assign: /^/,
  priority: /^(?:high|medium|low)$/,
  delete: /^$/,
  discard: /^$/,
  merge: /^$/,
}
