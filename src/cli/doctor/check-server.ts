import { createServer } from 'node:net'
import type { Config } from '#config.ts'
import { type Check, fail, ok, warn } from './check.ts'

const timeoutMs = 3_000
const lateSeconds = 60

/** A running Hydrant is asked how it is; otherwise the port must be free for one. */
export async function checkServer(config: Config): Promise<Check[]> {
  const ready = await ask(config, '/readyz')
  if (ready === null) return [await checkPort(config)]
  if (!/^(not )?ready/.test(ready.text)) {
    const fix = 'Stop that program, or set PORT.'
    return [fail('port', `Port ${config.port} is answered by something that is not Hydrant.`, fix)]
  }
  if (!ready.ok) {
    const fix = 'It should pass within seconds; if not, the log says why.'
    return [warn('port', `Hydrant runs on port ${config.port} and is ${ready.text.trim()}.`, fix)]
  }
  return [ok('port', `Hydrant runs on port ${config.port} and is ready.`), await checkBacklog(config)]
}

async function checkPort({ port, host }: Config): Promise<Check> {
  const fault = await new Promise<NodeJS.ErrnoException | null>(resolve => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
  if (fault === null) return ok('port', `Port ${port} is free; Hydrant is not running.`)
  if (fault.code === 'EADDRINUSE')
    return fail('port', `Port ${port} is taken.`, 'Stop the program that has it, or set PORT.')
  return fail('port', `Port ${port} cannot be opened: ${fault.message}.`, 'Set PORT or HYDRANT_HOST to others.')
}

async function checkBacklog(config: Config): Promise<Check> {
  const metrics = await ask(config, '/metrics')
  const backlog = readGauge(metrics?.text, 'hydrant_inbox_backlog')
  const oldest = readGauge(metrics?.text, 'hydrant_inbox_oldest_seconds')
  if (!metrics?.ok || backlog === null || oldest === null) {
    return warn(
      'inbox',
      'The running Hydrant does not show its metrics.',
      'Set HYDRANT_METRICS_TOKEN here as it is there.',
    )
  }
  if (Number.isNaN(backlog)) return ok('inbox', 'The inbox is being surveyed; how much waits is not known yet.')
  const sentence = `${backlog} records wait in the inbox, the oldest for ${Math.round(oldest)} s.`
  if (oldest < lateSeconds) return ok('inbox', sentence)
  return warn('inbox', sentence, 'Digest is behind: look at the log, the engine and the load of the machine.')
}

function readGauge(text: string | undefined, gauge: string): number | null {
  const line = (text ?? '').split('\n').find(each => each.startsWith(`${gauge} `))
  return line === undefined ? null : Number(line.slice(gauge.length + 1))
}

async function ask({ port, metricsToken }: Config, path: string): Promise<{ ok: boolean; text: string } | null> {
  const headers = metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` }
  try {
    const response = await fetch(`http://localhost:${port}${path}`, { headers, signal: AbortSignal.timeout(timeoutMs) })
    return { ok: response.ok, text: await response.text() }
  } catch {
    return null // nobody there, or nobody who speaks HTTP: the port itself is asked next
  }
}
