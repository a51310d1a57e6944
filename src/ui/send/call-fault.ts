'use client'
import { unstable_isUnrecognizedActionError as isUnrecognized } from 'next/navigation'
import { NoAnswer } from './watch-fetch.ts'

/** For an action that script calls with values, such as the steps of a passkey: why it was lost, or null. */
export function describeCallFault(error: unknown): string | null {
  if (isUnrecognized(error)) return 'Hydrant was updated. Reload to continue.'
  return error instanceof NoAnswer ? 'Couldn’t reach Hydrant. Try again.' : null
}
