import { getIssueMirror } from '#queries/issue-mirror/get-issue-mirror.ts'
import { getRuntime } from '#runtime.ts'

const patienceMs = 120_000
const pauseMs = 1_000

/** What the first filtered list would otherwise wait for. The engine may still be starting; nobody waits for this. */
export async function warmUp(isStopping: () => boolean): Promise<void> {
  const { control, telemetry, log } = getRuntime()
  for (const begun = Date.now(); !isStopping(); ) {
    try {
      return await getIssueMirror(control, telemetry).catchUp()
    } catch (error) {
      if (Date.now() - begun > patienceMs)
        return log.warn({ error: String(error) }, 'issue states are not mirrored yet')
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
  }
}
