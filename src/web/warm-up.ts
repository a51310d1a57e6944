import { getRuntime } from '#runtime.ts'
import { getAuth } from './auth.ts'

const timeoutMs = 120_000
const retryMs = 1_000

/** Prepares better-auth in the background, so that the first request doesn't wait. */
export async function warmUp(isStopping: () => boolean): Promise<void> {
  const { log } = getRuntime()
  for (const begun = performance.now(); !isStopping(); ) {
    try {
      // Fails while the tables are created or migrated.
      await getAuth()
      return
    } catch (error) {
      if (performance.now() - begun > timeoutMs) return log.warn({ error: String(error) }, 'warm-up failed')
      await new Promise(resolve => setTimeout(resolve, retryMs))
    }
  }
}
