import { getRuntime } from '#runtime.ts'
import { getAuth } from './auth.ts'

const timeoutMs = 120_000
const retryMs = 1_000

/** Prepares better-auth in the background, so that the first request doesn't wait. */
export async function warmUp(isStopping: () => boolean): Promise<void> {
  const { log, control } = getRuntime()
  for (const begun = performance.now(); !isStopping(); ) {
    try {
      // The tables may still be created. better-auth would complain about that in the log.
      await control.db.selectFrom('user').select('id').limit(1).execute()
      await getAuth()
      return
    } catch (error) {
      if (performance.now() - begun > timeoutMs) return log.warn({ error: String(error) }, 'warm-up failed')
      await new Promise(resolve => setTimeout(resolve, retryMs))
    }
  }
}
