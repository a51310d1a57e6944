import { createServer } from 'node:net'
import type { Config } from '#config.ts'
import { type Check, fail, ok, warn } from './check.ts'

const timeoutMs = 3_000
const lateSeconds = 60

/** Checks the running Hydrant, or that the port is free for one. */
export async function checkServer(config: Config): Promise<Check[]> {
  const ready = await fetchPath(config, '/readyz')
  if (ready === null) return [await checkPort(config)]
  if (!/^(not )?ready/.test(ready.text)) {
    const fix = 'Stop that program, or set PORT to a free port.'
    return [fail('port', `Another program responds on port ${config.port}.`, fix)]
  }
  if (!ready.ok) {
    const fix = 'Wait a few seconds. If this does not change, read the log.'
    return [warn('port', `Hydrant is running on port ${config.port}, but is ${ready.text.trim()}.`, fix)]
  }
  return [ok('port', `Hydrant is running on port ${config.port} and is ready.`), await checkBacklog(config)]
}

async function checkPort({ port, host }: Config): Promise<Check> {
  const fault = await new Promise<NodeJS.ErrnoException | null>(resolve => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
  if (fault === null) return ok('port', `Port ${port} is free. Hydrant is not running.`)
  if (fault.code === 'EADDRINUSE')
    return fail('port', `Port ${port} is taken.`, 'Stop the program that uses it, or set PORT to a free port.')
  return fail('port', `Port ${port} cannot be opened: ${fault.message}.`, 'Change PORT or HYDRANT_HOST.')
}

async function checkBacklog(config: Config): Promise<Check> {
  const metrics = await fetchPath(config, '/metrics')
  const backlog = readGauge(metrics?.text, 'hydrant_inbox_backlog')
  const oldest = readGauge(metrics?.text, 'hydrant_inbox_oldest_seconds')
  if (!metrics?.ok || backlog === null || oldest === null) {
    return warn(
      'inbox',
      'The running Hydrant refuses access to its metrics.',
      'Set HYDRANT_METRICS_TOKEN to the value that the server has.',
    )
  }
  if (Number.isNaN(backlog)) return ok('inbox', 'Hydrant is still counting the records in the inbox.')
  const sentence = `${backlog} records are waiting in the inbox, the oldest for ${Math.round(oldest)} s.`
  if (oldest < lateSeconds) return ok('inbox', sentence)
  return warn('inbox', sentence, 'Digest is behind. Check the log, the engine and the load of the machine.')
}

function readGauge(text: string | undefined, gauge: string): number | null {
  const line = (text ?? '').split('\n').find(each => each.startsWith(`${gauge} `))
  return line === undefined ? null : Number(line.slice(gauge.length + 1))
}

async function fetchPath({ port, metricsToken }: Config, path: string): Promise<{ ok: boolean; text: string } | null> {
  const headers = metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` }
  try {
    const response = await fetch(`http://localhost:${port}${path}`, { headers, signal: AbortSignal.timeout(timeoutMs) })
    return { ok: response.ok, text: await response.text() }
  } catch {
    return null // nothing listens, or it does not speak HTTP: checkPort tells which
  }
}
