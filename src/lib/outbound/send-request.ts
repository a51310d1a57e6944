/** HTTP requests to servers that members name: only to checked addresses, without redirects, in bounded time and size. */
import { lookup as lookupName } from 'node:dns/promises'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { checkTarget, findAddressFault, type TargetFault, type TargetRules } from './check-target.ts'

export type OutboundRequest = { method: string; url: string; headers: Record<string, string>; body: string }
export type OutboundResponse = { status: number; headers: Record<string, string>; body: string }
export type OutboundFault =
  | TargetFault
  | 'request_invalid'
  | 'dns_failed'
  | 'tls_failed'
  | 'connection_failed'
  | 'connect_timeout'
  | 'timeout'
export type OutboundResult = { latencyMs: number } & (
  | { ok: true; response: OutboundResponse }
  | { ok: false; code: OutboundFault; detail: string }
)
export type ResolvedAddress = { address: string; family: number }
export type OutboundOptions = {
  rules: TargetRules
  /** Resolves a name. The addresses it gives are checked, and the socket connects to one of them. */
  resolve?: (hostname: string) => Promise<ResolvedAddress[]>
  limits?: { connectMs: number; totalMs: number; maxResponseBytes: number }
}
export type Outbound = {
  /** Checks what can be checked without a request, for forms. */
  check(url: string): TargetFault | null
  send(request: OutboundRequest): Promise<OutboundResult>
}

const usualLimits = { connectMs: 10_000, totalMs: 20_000, maxResponseBytes: 64 * 1024 }
const resolveBySystem = (hostname: string) => lookupName(hostname, { all: true })

export function createOutbound({ rules, resolve = resolveBySystem, limits = usualLimits }: OutboundOptions): Outbound {
  return {
    check: url => {
      const checked = checkTarget(rules, url)
      return checked.ok ? null : checked.code
    },
    send: request => send({ rules, resolve, limits }, request),
  }
}

/** A refusal that travels through the callbacks of Node's sockets. */
class Refusal extends Error {
  readonly code: OutboundFault
  constructor(code: OutboundFault, message: string = code) {
    super(message)
    this.code = code
  }
}

async function send(options: Required<OutboundOptions>, given: OutboundRequest): Promise<OutboundResult> {
  const startedAt = performance.now()
  const latencyMs = () => Math.round(performance.now() - startedAt)
  const checked = checkTarget(options.rules, given.url)
  if (!checked.ok) return { ok: false, code: checked.code, detail: '', latencyMs: 0 }
  const { url, hostname, port } = checked.target
  const { promise, resolve: settle, reject } = Promise.withResolvers<OutboundResponse>()
  let request: ClientRequest
  try {
    request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: given.method,
      headers: { ...given.headers, 'content-length': Buffer.byteLength(given.body) },
      // No pool: every request resolves, checks and connects anew.
      agent: false,
      lookup: lookupOf(options, hostname, port),
    })
  } catch (error) {
    return { ok: false, code: 'request_invalid', detail: describe(error), latencyMs: latencyMs() }
  }
  const fail = (code: OutboundFault) => request.destroy(new Refusal(code))
  const timers = [
    setTimeout(() => fail('connect_timeout'), options.limits.connectMs),
    setTimeout(() => fail('timeout'), options.limits.totalMs),
  ]
  request.on('socket', socket => watchSocket(socket, url.protocol === 'https:', connected))
  request.on('response', response => readResponse(response, options.limits.maxResponseBytes).then(settle, reject))
  request.on('error', reject)
  request.end(given.body)

  /** The last check, should a socket ever connect to what `lookup` did not give it. */
  function connected({ remoteAddress = '' }: Socket): void {
    clearTimeout(timers[0])
    const fault = findAddressFault(options.rules, { hostname, port }, remoteAddress)
    if (fault !== null) fail(fault)
  }

  try {
    return { ok: true, response: await promise, latencyMs: latencyMs() }
  } catch (error) {
    return { ok: false, code: faultOf(error), detail: describe(error), latencyMs: latencyMs() }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    request.destroy()
  }
}

function watchSocket(socket: Socket, isTls: boolean, connected: (socket: Socket) => void): void {
  socket.once(isTls ? 'secureConnect' : 'connect', () => connected(socket))
}

/** The socket connects to addresses from here and asks no one else: a name that resolves differently a moment later gains nothing. */
function lookupOf({ rules, resolve }: Required<OutboundOptions>, hostname: string, port: number): LookupFunction {
  return (_name, { all }, callback) => {
    resolve(hostname).then(
      addresses => {
        const known = addresses.filter(({ address }) => isIP(address) !== 0)
        const allowed = known.filter(({ address }) => findAddressFault(rules, { hostname, port }, address) === null)
        const [first] = allowed
        if (first === undefined) {
          const fault = known[0] && findAddressFault(rules, { hostname, port }, known[0].address)
          callback(new Refusal(fault ?? 'dns_failed'), '', 4)
        } else if (all) callback(null, allowed)
        else callback(null, first.address, first.family)
      },
      error => callback(new Refusal('dns_failed', describe(error)), '', 4),
    )
  }
}

/** Reads up to the limit and leaves the rest: who sends more cannot fill our memory. */
async function readResponse(response: IncomingMessage, maxBytes: number): Promise<OutboundResponse> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxBytes) break
  }
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
  )
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8'),
  }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200)

function faultOf(error: unknown): OutboundFault {
  const cause = error instanceof AggregateError ? error.errors[0] : error
  if (cause instanceof Refusal) return cause.code
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (/^ENOTFOUND$|^EAI_/.test(code)) return 'dns_failed'
  if (code === 'ETIMEDOUT') return 'connect_timeout'
  return /CERT|TLS|SSL|^EPROTO$|SIGNATURE/.test(code) ? 'tls_failed' : 'connection_failed'
}
