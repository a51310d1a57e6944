/** `/healthz`, `/readyz` and `/metrics`: for whoever runs Hydrant. Answered by the main process, whatever state the rest is in. */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopback } from '#lib/peer-list.ts'
import type { PrometheusRegistry } from '#lib/prometheus.ts'

type Options = {
  registry: PrometheusRegistry
  metricsToken: string | undefined
  notReady(): string | null
  away(): string[]
}

/** True when the request was one of these and has been answered. */
export function createOperatorPaths({
  registry,
  metricsToken,
  notReady,
  away,
}: Options): (req: IncomingMessage, res: ServerResponse) => boolean {
  return (req, res) => {
    const path = (req.url ?? '/').split('?', 1)[0]
    if (path === '/healthz') answer(res, 200, 'alive\n')
    else if (path === '/readyz') answerReady(res, notReady(), away())
    else if (path === '/metrics') answerMetrics(req, res)
    else return false
    return true
  }

  function answerMetrics(req: IncomingMessage, res: ServerResponse): void {
    if (mayReadMetrics(req)) answer(res, 200, registry.print(), 'text/plain; version=0.0.4; charset=utf-8')
    else answer(res, 403, 'Metrics are for this machine, or for a bearer of HYDRANT_METRICS_TOKEN.\n')
  }

  /** A proxy on this machine also connects from loopback, and says for whom: then loopback proves nothing. */
  function mayReadMetrics(req: IncomingMessage): boolean {
    const isLocal =
      isLoopback(req.socket.remoteAddress ?? '') &&
      req.headers['x-forwarded-for'] === undefined &&
      req.headers.forwarded === undefined
    return (
      isLocal || (metricsToken !== undefined && sameText(req.headers.authorization ?? '', `Bearer ${metricsToken}`))
    )
  }
}

/** Ready means that events are accepted. What else is away is said beside it: a balancer that took this node out would lose events for nothing. */
function answerReady(res: ServerResponse, reason: string | null, away: string[]): void {
  if (reason !== null) res.setHeader('retry-after', '1')
  const rest = away.map(line => `${line}\n`).join('')
  answer(res, reason === null ? 200 : 503, `${reason === null ? 'ready' : `not ready: ${reason}`}\n${rest}`)
}

function answer(res: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
  res.end(text)
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
