import { projectDsn } from '#commands/project-dsn.ts'
import { findInternalKey } from '#queries/find-internal-key.ts'
import { getRuntime } from '#runtime.ts'
import { reportEnvelope, type ServerFault } from './report-envelope.ts'
import { createReportLimit } from './report-limit.ts'

const timeoutMs = 5_000
const mayReport = createReportLimit({ perMinute: 20 })

/** Posts a page's failure to main's own tunnel, like any SDK. A report that fails is logged and never reported itself. */
export async function reportRequestError(fault: ServerFault): Promise<void> {
  const { config, control, log, clock } = getRuntime()
  if (isRefusal(fault.error)) return log.info({ route: fault.routePath }, 'an action from another origin was refused')
  log.error({ route: fault.routePath, error: String(fault.error) }, 'a page failed')
  if (!config.selfReport || config.port === 0 || !mayReport(limitKey(fault))) return
  try {
    const key = await findInternalKey(control)
    if (!key) return
    const body = reportEnvelope(projectDsn(config.publicUrl, key.publicKey, key.projectId), fault, clock.now())
    await fetch(`http://127.0.0.1:${config.port}/tunnel/`, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    log.warn({ error: String(error) }, 'the report of a failure did not arrive')
  }
}

/** Drawing an event may fail on the event's own content, and the report is an event too: one a minute for those pages, whatever they say. */
function limitKey({ routePath, error }: ServerFault): string {
  return routePath.includes('[eventId]') ? routePath : `${routePath} ${String(error)}`
}

/** Next throws when a form comes from another origin. That is the sender's fault: nobody may fill the built-in project with it. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.message === 'Invalid Server Actions request.'
}
