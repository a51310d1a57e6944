import { z } from 'zod'

const verbs = ['resolve', 'archive', 'reopen', 'assign', 'priority', 'delete', 'discard', 'merge'] as const
export type BulkVerb = (typeof verbs)[number]

const id = z.coerce.number().int().positive()

/** `change` is the pressed button: `archive:until_events:100`. `list` is the list's own address, for "all that match". */
export const bulkInput = z
  .object({
    change: z.string().max(400),
    issue: z.union([id.transform(one => [one]), z.array(id)]).default([]),
    all: z.literal('on').optional(),
    list: z.string().max(8_000).default(''),
  })
  .transform(({ change, issue, all, list }, check) => {
    const [verb = '', ...rest] = change.split(':')
    const found = verbs.find(each => each === verb)
    if (!found) {
      check.addIssue({ code: 'custom', message: 'This button is not known. Reload the page.' })
      return z.NEVER
    }
    return { do: found, with: rest.join(':'), issues: issue, all: all === 'on', list }
  })

const words: Record<BulkVerb, string> = {
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
export function bulkWords(verb: BulkVerb, changed: number): string {
  if (changed === 0) return `Nothing to change: already ${words[verb]}.`
  return `${changed.toLocaleString('en-US')} ${changed === 1 ? 'issue' : 'issues'} ${words[verb]}.`
}
