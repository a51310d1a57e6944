import { z } from 'zod'
import type { Verb } from '#commands/permissions.ts'

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
export type IssueChangeInput = z.output<typeof issueChangeInput>
