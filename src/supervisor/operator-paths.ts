/** `/healthz`, `/readyz` and `/metrics`, served by the main process whatever state its children are in. */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopback } from '#lib/peer-list.ts'
import type { PrometheusRegistry } from '#lib/prometheus.ts'

type Options = {
  registry: PrometheusRegistry
  metricsToken: string | undefined
  notReady(): string | null
  /** One line per part that is down, e.g. `engine: starting`. */
  listUnavailable(): string[]
}

/** The handler returns true when it has handled the request. */
export function createOperatorPaths({
  registry,
  metricsToken,
  notReady,
  listUnavailable,
}: Options): (req: IncomingMessage, res: ServerResponse) => boolean {
  return (req, res) => {
    const path = (req.url ?? '/').split('?', 1)[0]
    if (path === '/healthz') respond(res, 200, 'alive\n')
    else if (path === '/readyz') respondReady(res, notReady(), listUnavailable())
    else if (path === '/metrics') respondMetrics(req, res)
    else return false
    return true
  }

  function respondMetrics(req: IncomingMessage, res: ServerResponse): void {
    if (mayReadMetrics(req)) respond(res, 200, registry.print(), 'text/plain; version=0.0.4; charset=utf-8')
    else respond(res, 403, 'Read metrics from this machine, or send HYDRANT_METRICS_TOKEN as a bearer token.\n')
  }

  /** A proxy on this machine also connects from loopback. With a forwarding header, loopback proves nothing. */
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

/** Ready means that events are accepted. Other parts that are down are only listed: without this node, the load balancer would lose events. */
function respondReady(res: ServerResponse, reason: string | null, unavailable: string[]): void {
  if (reason !== null) res.setHeader('retry-after', '1')
  const rest = unavailable.map(line => `${line}\n`).join('')
  respond(res, reason === null ? 200 : 503, `${reason === null ? 'ready' : `not ready: ${reason}`}\n${rest}`)
}

function respond(res: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
  res.end(text)
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
