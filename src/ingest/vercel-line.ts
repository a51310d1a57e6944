/** Converts a line of a Vercel log drain to an entry of a `log` item. Skips fields that are missing or have another type. */
import { isObject, numberOf } from '#lib/json-value.ts'

type Typed = { value: string | number; type: 'string' | 'double' }

/** Names of OpenTelemetry where there is one; the rest keeps Vercel's, after `vercel.`. */
const named: Readonly<Record<string, string>> = {
  host: 'server.address',
  path: 'url.path',
  statusCode: 'http.response.status_code',
  environment: 'sentry.environment',
}
const own = ['id', 'deploymentId', 'source', 'projectId', 'projectName', 'buildId', 'entrypoint', 'destination', 'type']
const more = ['requestId', 'branch', 'edgeType', 'executionRegion', 'ja3Digest', 'ja4Digest']
const proxied: Readonly<Record<string, string>> = {
  method: 'http.request.method',
  host: 'vercel.proxy.host',
  path: 'vercel.proxy.path',
  referer: 'http.request.header.referer',
  region: 'vercel.proxy.region',
  statusCode: 'vercel.proxy.status_code',
  clientIp: 'user.ip_address',
  scheme: 'url.scheme',
  cacheId: 'vercel.proxy.cache_id',
  vercelCache: 'vercel.proxy.cache',
}

/** Returns null if the value is not a log line. */
export function readVercelLine(given: unknown): Record<string, unknown> | null {
  if (!isObject(given)) return null
  const proxy = isObject(given.proxy) ? given.proxy : {}
  const at = numberOf(given.timestamp)
  const body = typeof given.message === 'string' ? given.message : describeRequest(given, proxy)
  if (body === '' || at === undefined) return null
  const attributes: Record<string, Typed> = {
    ...typedOf(given, named),
    ...typedOf(given, Object.fromEntries([...own, ...more].map(name => [name, `vercel.${snake(name)}`]))),
    ...typedOf(proxy, proxied),
    // The name tells the edge from the server.
    'sentry.sdk.name': { value: given.source === 'edge' ? 'vercel.drain.edge' : 'vercel.drain', type: 'string' },
    'sentry.origin': { value: 'auto.log.vercel', type: 'string' },
  }
  const agent = Array.isArray(proxy.userAgent) ? proxy.userAgent.join(' ') : proxy.userAgent
  if (typeof agent === 'string' && agent !== '') attributes['user_agent.original'] = { value: agent, type: 'string' }
  return {
    timestamp: at / 1_000,
    level: given.level === 'warning' ? 'warn' : given.level,
    body,
    trace_id: given.traceId ?? given['trace.id'],
    span_id: given.spanId ?? given['span.id'],
    attributes,
  }
}

/** A request that wrote nothing: `GET /items 200`. */
const describeRequest = (line: Record<string, unknown>, proxy: Record<string, unknown>): string =>
  [proxy.method, proxy.path ?? line.path, proxy.statusCode ?? line.statusCode].filter(isValue).join(' ')

function typedOf(source: Record<string, unknown>, names: Readonly<Record<string, string>>): Record<string, Typed> {
  const found: Record<string, Typed> = {}
  for (const [from, to] of Object.entries(names)) {
    const value = Object.hasOwn(source, from) ? source[from] : undefined
    if (isValue(value)) found[to] = { value, type: typeof value === 'number' ? 'double' : 'string' }
  }
  return found
}

const isValue = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || (typeof value === 'number' && Number.isFinite(value))

const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
