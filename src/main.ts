/**
 * Starts and supervises what is asked for. First the children, which take longest: while they load, so does the rest
 * (supervisor/serve.ts), which is why it is imported after them.
 */
import { join } from 'node:path'
import { loadConfig } from '#config.ts'
import { startEngine } from '#engine/start-engine.ts'
import { readMemoryLimit } from '#lib/memory-limit.ts'
import { openLog } from '#lib/open-log.ts'
import { createPrometheusRegistry } from '#lib/prometheus.ts'
import { describeLostFiles } from '#supervisor/damaged-parts.ts'
import { claimDataFolder, dataPaths } from '#supervisor/data-folder.ts'
import { keepAlive } from '#supervisor/keep-alive.ts'
import { describeShortage, engineKindHere, planMemory } from '#supervisor/memory-plan.ts'
import { describeStartFailure } from '#supervisor/start-failure.ts'
import { startWeb } from '#supervisor/start-web.ts'
import { createHydrantMetrics } from './metrics.ts'

const webPatienceMs = 2_000 // pages that cannot be started must not keep events waiting

const config = loadConfig()
const paths = dataPaths(config.dataDir)
const log = openLog('main', config.logLevel)

const limit = readMemoryLimit()
const engineKind = engineKindHere(join(import.meta.dirname, '..'), config.clickhouseUrl)
const shortage = describeShortage(limit.bytes, engineKind)
if (shortage !== null) {
  process.stderr.write(`${shortage}\n`)
  process.exit(1)
}
const memory = planMemory(limit.bytes, engineKind)

const claim = await claimDataFolder(paths)
if (!claim.ok) {
  process.stderr.write(`${claim.reason}\n`)
  process.exit(1)
}

const lost = await describeLostFiles(config)
if (lost !== null) {
  process.stderr.write(`${lost}\n`)
  process.exit(1)
}

const registry = createPrometheusRegistry()
const metrics = createHydrantMetrics(registry)

// Nobody can ask web for a page before this process listens, and by then the control database has its tables.
const web = config.roles.has('web')
  ? keepAlive({
      name: 'web',
      log,
      start: () => startWeb(paths.webSocket, process.env, memory.webHeapMb),
      onRestart: reason => metrics.restarts.inc({ child: 'web', reason }),
    })
  : null

const engine =
  config.clickhouseUrl === undefined
    ? keepAlive({
        name: 'engine',
        log,
        start: async () => {
          // Side by side both are up late. One after the other the pages are there sooner, and the engine hardly later.
          await Promise.race([web?.firstUp, new Promise(resolve => setTimeout(resolve, webPatienceMs).unref())])
          return startEngine({
            dataPath: paths.telemetry,
            socketPath: paths.engineSocket,
            log: line => log.warn({ child: 'engine', line }, 'engine says'),
          })
        },
        onUp: () => metrics.engineUp.set(1),
        onDown: () => metrics.engineUp.set(0),
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
  releaseFolder: claim.release,
  onAccepting,
}).catch((error: unknown) => {
  const reason = isAccepting ? null : describeStartFailure(config, error)
  if (reason === null) throw error
  process.stderr.write(`${reason}\n`)
  process.exit(1)
})
