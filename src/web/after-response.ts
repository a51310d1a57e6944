import { after } from 'next/server'
import { withReadSignal } from '#lib/read-signal.ts'

/** Runs the work after the response. Its reads are not cancelled when the request ends. */
export function afterResponse(work: () => unknown): void {
  after(() => withReadSignal(undefined, work))
}
