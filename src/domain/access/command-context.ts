import type { Kysely } from 'kysely'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import type { ControlSchema } from '#store/control/schema.ts'

/** Where a command writes, who runs it, and what time it is. */
export type CommandContext = {
  /** The control database, or the transaction of an outer command. */
  db: Kysely<ControlSchema>
  /** `user:<id>`, `token:<id>`, `cli` or `setup`: written to the audit log. */
  actor: string
  /** Milliseconds since 1970. */
  now: () => number
  /** Where the request came from: written to the audit log. Absent in the terminal and in jobs. */
  origin?: RequestOrigin
}

export type RequestOrigin = { address: string; agent: string }

type Result = { ok: boolean }

/**
 * Runs a command in a transaction, or in the one that is already open. A returned failure rolls back like a throw: a command
 * happens completely or not at all.
 */
export async function inTransaction<Outcome extends Result>(
  context: CommandContext,
  work: (inner: CommandContext) => Promise<Outcome>,
): Promise<Outcome> {
  if (context.db.isTransaction) return work(context)
  return retryDeadlocks(() => runOnce(context, work))
}

async function runOnce<Outcome extends Result>(
  context: CommandContext,
  work: (inner: CommandContext) => Promise<Outcome>,
): Promise<Outcome> {
  let failure: Outcome | undefined
  try {
    return await context.db.transaction().execute(async db => {
      const outcome = await work({ ...context, db })
      if (outcome.ok) return outcome
      failure = outcome
      throw new Error('The command failed and was rolled back.')
    })
  } catch (error) {
    if (failure !== undefined) return failure
    throw error
  }
}
