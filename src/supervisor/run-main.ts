/**
 * Checks the machine and the data folder, starts the children and then serves. The children take longest to start, so
 * serve.ts with all its imports is loaded only after they were launched.
 */
import { join } from 'node:path'
import { loadConfig } from '#config.ts'
import { engineKindHere } from '#engine/engine-kind.ts'
import type { startEngine } from '#engine/start-engine.ts'
import { readMemoryLimit } from '#lib/memory-limit.ts'
import { openLog } from '#lib/open-log.ts'
import { createPrometheusRegistry } from '#lib/prometheus.ts'
import { createHydrantMetrics } from '#metrics.ts'
import { type claimDataFolder, dataPaths } from './data-folder.ts'
import { type Child, keepAlive } from './keep-alive.ts'
import { describeLostFiles } from './lost-files.ts'
import { describeShortage, planMemory } from './memory-plan.ts'
import type { OpenPort } from './open-port.ts'
import { showReads, showStatements } from './show-counts.ts'
import { describeStartFailure } from './start-failure.ts'
import type { greet } from './start-messages.ts'
import type { startWeb } from './start-web.ts'
import { createTailRelay } from './tail-relay.ts'

/** The parts of main that `npm run dev` replaces, because there they outlive main. A demo greets by itself. */
export type MainParts = {
  claimFolder: typeof claimDataFolder
  startWeb: typeof startWeb
  startEngine(...options: Parameters<typeof startEngine>): Promise<Child>
  openPort: OpenPort
  greet?: typeof greet
  drainMs?: number
}

const webHeadStartMs = 2_000 // the engine must not wait longer for web, which may fail to start

export async function runMain(parts: MainParts): Promise<void> {
  const config = loadConfig()
  const paths = dataPaths(config.dataDir)
  const log = openLog('main', config.logLevel)

  const limit = readMemoryLimit()
  const engineKind = engineKindHere(join(import.meta.dirname, '../..'), config.clickhouseUrl)
  exitIf(describeShortage(limit.bytes, engineKind))
  const memory = planMemory(limit.bytes, engineKind)

  const claim = await parts.claimFolder(paths)
  if (!claim.ok) exit(claim.reason)
  exitIf(await describeLostFiles(config))

  const registry = createPrometheusRegistry()
  const metrics = createHydrantMetrics(registry)

  // Web gets no request before this process listens, and by then the control database is migrated.
  const reads = showReads(metrics)
  const statements = showStatements(metrics)
  reads.reset()
  const tail = createTailRelay()
  const web = config.roles.has('web')
    ? keepAlive({
        name: 'web',
        log,
        start: () => parts.startWeb(paths.webSocket, process.env, memory, { tail, onReads: reads.show }),
        onDown: reads.reset,
        onRestart: reason => metrics.restarts.inc({ child: 'web', reason }),
      })
    : null

  const engine =
    config.clickhouseUrl === undefined
      ? keepAlive({
          name: 'engine',
          log,
          start: async () => {
            // Started together, both are slow. One after the other, the pages are up sooner and the engine hardly later.
            await Promise.race([web?.firstUp, new Promise(resolve => setTimeout(resolve, webHeadStartMs).unref())])
            return parts.startEngine({
              dataPath: paths.telemetry,
              socketPath: paths.engineSocket,
              log: line => log.warn({ child: 'engine', line }, 'engine output'),
              onCounts: statements.show,
            })
          },
          onUp: () => metrics.engineUp.set(1),
          onDown: () => {
            metrics.engineUp.set(0)
            statements.reset()
          },
          onRestart: reason => metrics.restarts.inc({ child: 'engine', reason }),
        })
      : null

  const { serve } = await import('./serve.ts')
  let isAccepting = false
  const onAccepting = (): void => {
    isAccepting = true
  }
  await serve({
    config,
    paths,
    memory,
    log,
    registry,
    metrics,
    web,
    engine,
    tail,
    releaseFolder: claim.release,
    openPort: parts.openPort,
    ...(parts.greet && { greet: parts.greet }),
    ...(parts.drainMs !== undefined && { drainMs: parts.drainMs }),
    onAccepting,
  }).catch((error: unknown) => {
    const reason = isAccepting ? null : describeStartFailure(config, error)
    if (reason === null) throw error
    exit(reason)
  })
}

function exit(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

function exitIf(reason: string | null): void {
  if (reason !== null) exit(reason)
}
