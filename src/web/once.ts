import { setTimeout as wait } from 'node:timers/promises'
import { submissionField } from '#lib/submission.ts'
import {
  type Claim,
  claimSubmission,
  finishSubmission,
  releaseSubmission,
  withdrawSubmission,
} from '#store/control/submissions.ts'
import { TurnAway } from './turned-away.ts'
import { webContext } from './web-context.ts'

const pollMs = 200
const polls = 50

/** The id that script gave the submission, or null without script. */
export function submissionId(given: FormDataEntryValue | null): string | null {
  return typeof given === 'string' && /^[0-9a-f]{32}$/.test(given) ? given : null
}

/**
 * Runs the command of a form at most once, however often the form is sent: again because its answer was lost, it gets the result of the
 * first time. A command that fails or throws has changed nothing and can be tried again. `owner` is whoever sends the form.
 */
export async function once<Result extends { ok: boolean }>(
  form: FormData,
  owner: string,
  command: () => Promise<Result>,
): Promise<Result> {
  const id = submissionId(form.get(submissionField))
  if (id === null) return command()
  const { db, now } = webContext()
  const submission = { owner, id }
  const claim = await settled(() => claimSubmission(db, submission, now()))
  if (claim.kind === 'done') return claim.result as Result
  if (claim.kind !== 'first') throw new TurnAway(claim.kind)
  const result = await command().catch(async (error: unknown) => {
    await releaseSubmission(db, submission)
    throw error
  })
  // The command has run. If this write fails, the submission remains claimed, so the command never runs again.
  await (result.ok ? finishSubmission(db, submission, result) : releaseSubmission(db, submission))
  return result
}

/** Whether it has arrived. One that has not does nothing if it comes late. */
export function withdraw(owner: string, id: string): Promise<Claim['kind']> {
  const { db, now } = webContext()
  return withdrawSubmission(db, { owner, id }, now())
}

/** Waits for a request with the same id that is still being worked on. */
async function settled(read: () => Promise<Claim>): Promise<Claim> {
  for (let left = polls; ; left--) {
    const claim = await read()
    if (claim.kind !== 'running' || left === 0) return claim
    await wait(pollMs)
  }
}
