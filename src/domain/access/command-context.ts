import type { Kysely } from 'kysely'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import type { ControlSchema } from '#store/control/schema.ts'

/** What a command needs to know: where it writes, in whose name, and what time it is. */
export type CommandContext = {
  /** The control database, or a transaction of a larger command that this one is a part of. */
  db: Kysely<ControlSchema>
  /** `user:<id>`, `token:<id>`, `cli` or `setup`: goes into the audit row. */
  actor: string
  /** Milliseconds since 1970. */
  now: () => number
}

type Result = { ok: boolean }

/**
 * Runs a command's work in one transaction, or in the one that is already open. A failure that is returned as a value
 * undoes what was written before it, as a throw would: a command happens whole or not at all.
 */
export async function inTransaction<Answer extends Result>(
  context: CommandContext,
  work: (inner: CommandContext) => Promise<Answer>,
): Promise<Answer> {
  if (context.db.isTransaction) return work(context)
  return retryDeadlocks(() => runOnce(context, work))
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
