import { isDeadlock } from '#store/control/is-deadlock.ts'
import type { CommandContext } from './command-context.ts'

type Result = { ok: boolean }

const attempts = 3 // digest and people lock the same issues, and either may be the one that is ended

/**
 * Runs a command's work in one transaction, or in the one that is already open. A failure that is returned as a value
 * undoes what was written before it, as a throw would: a command happens whole or not at all.
 */
export async function inTransaction<Answer extends Result>(
  context: CommandContext,
  work: (inner: CommandContext) => Promise<Answer>,
): Promise<Answer> {
  if (context.db.isTransaction) return work(context)
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(context, work)
    } catch (error) {
      if (attempt === attempts || !isDeadlock(error)) throw error
    }
  }
}

async function runOnce<Answer extends Result>(
  context: CommandContext,
  work: (inner: CommandContext) => Promise<Answer>,
): Promise<Answer> {
  let refusal: Answer | undefined
  try {
    return await context.db.transaction().execute(async db => {
      const answer = await work({ ...context, db })
      if (answer.ok) return answer
      refusal = answer
      throw new Error('rolled back because the command refused')
    })
  } catch (error) {
    if (refusal !== undefined) return refusal
    throw error
  }
}
