import { z } from 'zod'
import { type ChangeVerb, changeFields, readChange, unknownButton } from './change-fields.ts'

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
