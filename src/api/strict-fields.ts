import type { z } from 'zod'
import { clipText } from '#lib/text.ts'

/** For the bodies of writes: a field that would be ignored is an error, because the caller would take the change for made. */
export const strictFields = {
  error: (issue: z.core.$ZodRawIssue) => {
    if (issue.code !== 'unrecognized_keys') return undefined
    const names = issue.keys.map(key => JSON.stringify(clipText(key, 100))).join(', ')
    return `${names} can't be written here. Leave it out.`
  },
}
