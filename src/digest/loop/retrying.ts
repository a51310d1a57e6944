import type { Logger } from 'pino'

const retryMs = { first: 100, most: 5_000 }

/** The engine or the control database may be away for a while; what was accepted waits in the inbox. */
export async function retrying<Value>(
  { log, isStopping }: { log: Logger; isStopping(): boolean },
  attempt: () => Promise<Value>,
): Promise<Value> {
  for (let waitMs = retryMs.first; ; waitMs = Math.min(waitMs * 2, retryMs.most)) {
    try {
      return await attempt()
    } catch (error) {
      if (isStopping()) throw error
      log.warn(
        { error: error instanceof Error ? error.message.slice(0, 300) : String(error), waitMs },
        'a store did not take the batch; trying again',
      )
      await new Promise(resolve => setTimeout(resolve, waitMs))
    }
  }
}
