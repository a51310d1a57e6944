import { getIssueMirror } from '#domain/issues/mirror/issue-mirror.ts'
import { getRuntime } from '#runtime.ts'
import { getAuth } from './auth.ts'

const patienceMs = 120_000
const pauseMs = 1_000

/** What the first filtered list and the first who signs in would otherwise wait for. The engine may still be starting; nobody waits for this. */
export async function warmUp(isStopping: () => boolean): Promise<void> {
  const { control, telemetry, log } = getRuntime()
  for (const begun = performance.now(); !isStopping(); ) {
    try {
      await getIssueMirror(control, telemetry).catchUp()
      await getAuth()
      return
    } catch (error) {
      if (performance.now() - begun > patienceMs)
        return log.warn({ error: String(error) }, 'what first pages need could not be made ready')
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
  }
}
