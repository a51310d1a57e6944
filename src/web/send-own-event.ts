import { projectDsn } from '#domain/projects/project-keys.ts'
import { getRuntime } from '#runtime.ts'

const timeoutMs = 5_000

type Sent = { projectId: number; publicKey: string; event: { event_id: string } }

/** Sends an event to our own main process, as an SDK would. Gives whether it was accepted. */
export async function sendOwnEvent({ projectId, publicKey, event }: Sent): Promise<boolean> {
  const { config, clock } = getRuntime()
  const dsn = projectDsn(config.publicUrl, publicKey, projectId)
  const head = { event_id: event.event_id, dsn, sent_at: new Date(clock.now()).toISOString() }
  return postToTunnel([head, { type: 'event' }, event].map(part => JSON.stringify(part)).join('\n'))
}

/** An envelope whose header has the DSN. */
export async function postToTunnel(body: string): Promise<boolean> {
  const { config } = getRuntime()
  if (config.port === 0) return false
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(`http://127.0.0.1:${config.port}/tunnel/`, { method: 'POST', body, signal })
  await response.body?.cancel()
  return response.status === 200
}
