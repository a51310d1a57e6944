import { failureKinds } from '#lib/failure-reference.ts'

/** The sentence of a panel whose query failed. */
export function explainFailure(reference: string): string {
  if (reference.startsWith(failureKinds.busy))
    return 'Your organization has too many searches running. Wait until some have finished, then try again.'
  if (reference.startsWith(failureKinds.slow))
    return 'This took too long. Try again, choose a shorter time range or simplify the search.'
  return 'The query failed.'
}
