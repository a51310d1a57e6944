import type { Logger } from 'pino'

const firstWaitMs = 100
const maxWaitMs = 5_000

/** Repeats an attempt until it succeeds or digest stops. A store may be down for a while; accepted records wait in the inbox. */
export async function retryUntilStopped<Value>(
  { log, isStopping }: { log: Logger; isStopping(): boolean },
  attempt: () => Promise<Value>,
): Promise<Value> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    try {
      return await attempt()
    } catch (error) {
      if (isStopping()) throw error
      log.warn(
        { error: error instanceof Error ? error.message.slice(0, 300) : String(error), waitMs },
        'store operation failed; retrying',
      )
      await new Promise(resolve => setTimeout(resolve, waitMs))
    }
  }
}
