/** The web process: Next on a unix socket that only this user can open. It sends `{ type: 'ready' }` to its parent and exits with it. */
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type nextModule from 'next'
import { loadConfig } from '#config.ts'
import { readCommitted } from '#domain/logs/tail/tail-position.ts'
import { endBeforeParent } from '#lib/memory-limit.ts'
import { respondToPings } from '#lib/ping-child.ts'
import { pushCounts } from '#lib/push-counts.ts'
import { escapeControl } from '#lib/text.ts'
import { servePlayer } from '#replay-player/serve-player.ts'
import { getRuntime, provideRuntime } from '#runtime.ts'
import { loadSecret, serverActionsKey } from '#store/control/secret.ts'
import { startSymbolicator } from '#symbolication/start-symbolicator.ts'
import { createSelfFetch, selfHostname } from './fetch-self.ts'
import { followRequest } from './follow-request.ts'
import { refuseForeignOrigin } from './foreign-origin.ts'
import { inTurns, provideSymbolicator } from './get-symbolicator.ts'
import { getLiveHub } from './live/live-hub.ts'
import { createTailHub, type FromMain, provideTailHub } from './live/tail-hub.ts'
import { openIssuesAsPages } from './peek-header.ts'
import { dropPreviewMode } from './preview-mode.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { explainMethodErrors, refuseInvalidEncoding, withoutLastSlash } from './sentry-addresses.ts'
import { findSentryMove } from './sentry-moves.ts'
import { warmUp } from './warm-up.ts'

const drainMs = 3_000 // slower responses are cut off, because the parent kills after 5 s

export type WebMode = {
  /** Next compiles pages when they are asked for, and again when their sources change. */
  isDevelopment: boolean
  contentSecurityPolicy(nonce: string): string
  beforePage(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export async function runWeb(mode: WebMode): Promise<void> {
  const socketPath = process.argv[2]
  if (!socketPath) {
    process.stderr.write('usage: web-process.ts <socket path>\n')
    process.exit(64)
  }

  // Set up first, so that a parent that dies during startup is noticed.
  let stop = (): void => process.exit(0)
  for (const reason of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(reason, () => stop())
  if (process.connected === false) stop()
  endBeforeParent()
  respondToPings()

  // React chooses its production build when it is first loaded, so this comes before Next.
  Object.assign(process.env, {
    NODE_ENV: mode.isDevelopment ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
  })
  const config = loadConfig()
  Object.assign(process.env, { NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: serverActionsKey(loadSecret(config)) })
  const root = resolve(import.meta.dirname, '../..')
  provideRuntime(config, root)
  provideSymbolicator(inTurns(startSymbolicator(config)))
  const tail = provideTailHub(
    createTailHub({
      ask: isOn => process.connected && process.send?.({ type: 'tail', isOn }),
      readCommitted: () => readCommitted(getRuntime().control),
    }),
  )
  process.on('message', message => {
    if (isFromMain(message)) tail.receive(message)
  })
  globalThis.fetch = createSelfFetch(socketPath, globalThis.fetch) // before Next wraps it
  const app = (await loadNext())({
    dev: mode.isDevelopment,
    quiet: true,
    dir: root,
    hostname: selfHostname,
    port: config.port,
  })
  const handle = app.getRequestHandler()
  const usedSockets = new WeakSet<Socket>()
  const server = createServer((request, response) => {
    // Main opens one connection per request, so a second request on it is smuggled.
    if (usedSockets.has(request.socket)) return void request.socket.destroy()
    usedSockets.add(request.socket)
    dropPreviewMode(request.headers)
    request.headers['x-hydrant-path'] = request.url // for the sign-in form, which continues to this page
    // Sentry's tools end every path with a slash. Next would redirect, and not all tools follow redirects.
    if (request.url?.startsWith('/api/')) request.url = withoutLastSlash(request.url)
    setSecurityHeaders(request, response, {
      isHttps: config.publicUrl.startsWith('https:'),
      contentSecurityPolicy: mode.contentSecurityPolicy,
    })
    if (refuseInvalidEncoding(request, response) || refuseForeignOrigin(request, response)) return
    if (servePlayer(request, response)) return
    const move = findSentryMove(request.url ?? '')
    if (move !== null && isRead(request.method)) return void response.writeHead(307, { location: move }).end()
    followRequest(response, isRead(request.method), async () => {
      if (isRead(request.method) && (await hasLeft(request))) return void response.destroy()
      explainMethodErrors(request, response, findAllowed)
      await openIssuesAsPages(request)
      await mode.beforePage(request, response)
      return handle(request, response)
    }).catch((error: unknown) => {
      process.stderr.write(
        `${escapeControl(JSON.stringify({ level: 50, msg: 'page failed', url: request.url, error: String(error) }))}\n`,
      )
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })

  server.keepAliveTimeout = 0 // main closes connections

  let isStopping = false
  stop = () => {
    if (isStopping) return
    isStopping = true
    server.close(() => process.exit(0))
    getLiveHub().close()
    tail.close()
    server.closeIdleConnections()
    setTimeout(() => process.exit(0), drainMs).unref()
  }

  await app.prepare()
  rmSync(socketPath, { force: true })
  // The umask covers the time between listen and chmod, so that the socket is never open to others.
  const umaskBefore = process.umask(0o077)
  server.listen(socketPath, () => {
    process.umask(umaskBefore)
    chmodSync(socketPath, 0o600)
    process.send?.({ type: 'ready' })
    pushCounts('reads', getRuntime().readTurns.counts)
    void warmUp(() => isStopping)
  })
}

function isFromMain(message: unknown): message is FromMain {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    (message.type === 'tailing' || message.type === 'lines')
  )
}

function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Whether the browser left while the thread was busy: its request and the end of the connection are read together. */
async function hasLeft({ socket }: IncomingMessage): Promise<boolean> {
  await setImmediate()
  return socket.readableEnded || socket.destroyed
}

/** Next only lists the methods of a route in response to OPTIONS. */
async function findAllowed(path: string): Promise<string | null> {
  const response = await fetch(`http://${selfHostname}${path}`, { method: 'OPTIONS' })
  return response.headers.get('allow')
}

/** Next is CommonJS without an exports map: Node gives the function itself, but the types expect a module. */
async function loadNext(): Promise<typeof nextModule.default> {
  const loaded: { default: unknown } = await import('next')
  return loaded.default as typeof nextModule.default
}
