import { submissionField, type TurnedAway, turnedAway } from '#lib/submission.ts'
import { setResponseStatus } from './response-status.ts'

/** Thrown from within an action, and turned into its answer by `answered`. */
export class TurnAway extends Error {
  readonly why: TurnedAway['why']
  constructor(why: TurnedAway['why']) {
    super(`submission ${why}`)
    this.why = why
  }
}

const whyOf = { 401: 'signed_out', 403: 'not_allowed', 404: 'not_found' } as const

/** The answer of an action, or why it was turned away. A form without script gets the page for that, as before. */
export async function answered<State>(form: FormData, work: () => Promise<State>): Promise<State | TurnedAway> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TurnAway) return turnedAway(error.why)
    const status = accessStatus(error)
    if (status === null || !form.has(submissionField)) throw error
    setResponseStatus(status)
    return turnedAway(whyOf[status])
  }
}

/** Next marks what `unauthorized()`, `forbidden()` and `notFound()` throw with a digest that ends with the status. */
function accessStatus(error: unknown): keyof typeof whyOf | null {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : ''
  const [, status] = /^NEXT_HTTP_ERROR_FALLBACK;(401|403|404)$/.exec(digest) ?? []
  return status === undefined ? null : (Number(status) as keyof typeof whyOf)
}
