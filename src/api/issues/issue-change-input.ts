/** The bodies of changes. A value that would have to be ignored is an error, like such a field. */
import { z } from 'zod'
import { strictFields } from '../strict-fields.ts'

const maxMinutes = 10 * 366 * 24 * 60

/** How long an archive lasts, or in which release an issue is resolved. Tools send them beside the status or in `statusDetails`. */
const terms = {
  ignoreDuration: z.number().positive().max(maxMinutes, 'at most ten years').nullish(),
  ignoreCount: z.number().int().positive().nullish(),
  ignoreUserCount: z.number().int().positive().nullish(),
  inRelease: z.string().min(1).nullish(),
  inNextRelease: z.boolean().nullish(),
}
export type ChangeTerms = z.output<z.ZodObject<typeof terms>>

const fields = z.strictObject(
  {
    status: z.enum(['resolved', 'resolvedInNextRelease', 'unresolved', 'ignored', 'muted']).optional(),
    substatus: z.enum(['archived_until_escalating', 'archived_until_condition_met', 'archived_forever']).nullish(),
    assignedTo: z.string().max(250).nullish(),
    priority: z.enum(['high', 'medium', 'low']).optional(),
    statusDetails: z.strictObject(terms, strictFields).nullish(),
    /** `sentry-cli` sends it empty. */
    snoozeDuration: z.null().optional(),
    ...terms,
  },
  strictFields,
)
type Fields = z.output<typeof fields>

/** The conditions, from wherever they were sent. */
export const termsOf = (input: Fields): ChangeTerms => ({ ...input, ...input.statusDetails })

const isArchive = ({ status }: Fields): boolean => status === 'ignored' || status === 'muted'

/** Returns an error message if the fields contradict each other, otherwise null. */
function faultOf(input: Fields): string | null {
  const { ignoreDuration, ignoreCount, ignoreUserCount, inRelease, inNextRelease } = termsOf(input)
  const conditions = [ignoreDuration, ignoreCount, ignoreUserCount].filter(Boolean).length
  if (conditions > 1) return 'Name one of ignoreDuration, ignoreCount and ignoreUserCount.'
  if (!isArchive(input) && (conditions > 0 || input.substatus)) return 'An archive needs the status "ignored".'
  if (input.substatus === 'archived_until_condition_met' ? conditions === 0 : input.substatus && conditions > 0)
    return 'substatus "archived_until_condition_met" goes with ignoreDuration, ignoreCount or ignoreUserCount.'
  const isResolved = input.status === 'resolved' || input.status === 'resolvedInNextRelease'
  if (!isResolved && (inRelease || inNextRelease)) return 'inRelease and inNextRelease need the status "resolved".'
  if (inRelease && (inNextRelease || input.status === 'resolvedInNextRelease'))
    return 'Name one of inRelease and inNextRelease.'
  return null
}

const isChange = ({ status, assignedTo, priority }: Fields): boolean =>
  status !== undefined || assignedTo !== undefined || priority !== undefined

const nothing = 'Nothing to change: name a status, assignedTo or priority.'

function check(input: Fields, context: z.core.ParsePayload, isEmpty: boolean): void {
  const message = isEmpty ? nothing : faultOf(input)
  if (message !== null) context.issues.push({ code: 'custom', message, input })
}

export const issueChangeInput = fields.check(context => check(context.value, context, !isChange(context.value)))

/** The same for several issues, which can also be merged. */
export const bulkChangeInput = fields
  .extend({ merge: z.union([z.boolean(), z.literal(1), z.literal('1')]).optional() })
  .check(context => check(context.value, context, !isChange(context.value) && !context.value.merge))

export type IssueChangeInput = z.output<typeof issueChangeInput>
export type BulkChangeInput = z.output<typeof bulkChangeInput>
