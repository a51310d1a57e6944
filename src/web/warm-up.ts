import { getIssueMirror } from '#domain/issues/mirror/issue-mirror.ts'
import { getRuntime } from '#runtime.ts'
import { getAuth } from './auth.ts'

const timeoutMs = 120_000
const retryMs = 1_000

/** Prepares the issue mirror and better-auth in the background, so that the first request doesn't wait. The engine may still be starting. */
export async function warmUp(isStopping: () => boolean): Promise<void> {
  const { control, telemetry, log } = getRuntime()
  for (const begun = performance.now(); !isStopping(); ) {
    try {
      await getIssueMirror(control, telemetry).catchUp()
      await getAuth()
      return
    } catch (error) {
      if (performance.now() - begun > timeoutMs) return log.warn({ error: String(error) }, 'warm-up failed')
      await new Promise(resolve => setTimeout(resolve, retryMs))
    }
  }
}
