/**
 * Checks the machine and the data folder, starts the children and then serves. The children take longest to start, so
 * supervisor/serve.ts with all its imports is loaded only after they were launched.
 */
import { join } from 'node:path'
import { loadConfig } from '#config.ts'
import { engineKindHere } from '#engine/engine-kind.ts'
import { startEngine } from '#engine/start-engine.ts'
import { readMemoryLimit } from '#lib/memory-limit.ts'
import { openLog } from '#lib/open-log.ts'
import { createPrometheusRegistry } from '#lib/prometheus.ts'
import { claimDataFolder, dataPaths } from '#supervisor/data-folder.ts'
import { keepAlive } from '#supervisor/keep-alive.ts'
import { describeLostFiles } from '#supervisor/lost-files.ts'
import { describeShortage, planMemory } from '#supervisor/memory-plan.ts'
import { showReads, showStatements } from '#supervisor/show-counts.ts'
import { describeStartFailure } from '#supervisor/start-failure.ts'
import { startWeb } from '#supervisor/start-web.ts'
import { createTailRelay } from '#supervisor/tail-relay.ts'
import { createHydrantMetrics } from './metrics.ts'

const webHeadStartMs = 2_000 // the engine must not wait longer for web, which may fail to start

const config = loadConfig()
const paths = dataPaths(config.dataDir)
const log = openLog('main', config.logLevel)

const limit = readMemoryLimit()
const engineKind = engineKindHere(join(import.meta.dirname, '..'), config.clickhouseUrl)
exitIf(describeShortage(limit.bytes, engineKind))
const memory = planMemory(limit.bytes, engineKind)

const claim = await claimDataFolder(paths)
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
      start: () => startWeb(paths.webSocket, process.env, memory, { tail, onReads: reads.show }),
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
          return startEngine({
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

const { serve } = await import('#supervisor/serve.ts')
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
  onAccepting,
}).catch((error: unknown) => {
  const reason = isAccepting ? null : describeStartFailure(config, error)
  if (reason === null) throw error
  exit(reason)
})

function exit(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

function exitIf(reason: string | null): void {
  if (reason !== null) exit(reason)
}
