/** Starts and supervises what is asked for: the public port with ingest, the digest thread, the engine and web children. */
import { createServer } from 'node:http'
import { type Config, loadConfig } from '#config.ts'
import { startEngine } from '#engine/start-engine.ts'
import { createHelperPaths } from '#helper/serve-helper.ts'
import { readEnd } from '#inbox/durable-end.ts'
import { openInbox } from '#inbox/open-inbox.ts'
import { listSpool } from '#inbox/survey-log.ts'
import { createIngest } from '#ingest/create-ingest.ts'
import { createHydrantMetrics } from '#ingest/metrics.ts'
import { openLog } from '#lib/open-log.ts'
import { createPrometheusRegistry } from '#lib/prometheus.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { readKeyring } from '#store/control/read-keyring.ts'
import { telemetryPlace } from '#store/telemetry/telemetry-place.ts'
import { createBacklog } from '#supervise/backlog.ts'
import { claimDataFolder, dataPaths } from '#supervise/data-folder.ts'
import { startDigestThread } from '#supervise/digest-thread.ts'
import { watchDisk } from '#supervise/disk-watch.ts'
import { greet } from '#supervise/greet.ts'
import { startHousekeeping } from '#supervise/housekeeping.ts'
import { keepAlive } from '#supervise/keep-alive.ts'
import { createKeyring } from '#supervise/keyring.ts'
import { createOperatorPaths } from '#supervise/operator-paths.ts'
import { createWebPass } from '#supervise/pass-to-web.ts'
import { createRefusalCounter } from '#supervise/refusal-counter.ts'
import { startWeb } from '#supervise/start-web.ts'
import { onStopSignal } from '#supervise/stop-signals.ts'
import { openTelemetryStore } from '#supervise/telemetry-store.ts'

const begunMs = performance.timeOrigin
const config = loadConfig()
const paths = dataPaths(config.dataDir)
const log = openLog('main', config.logLevel)

const claim = await claimDataFolder(paths)
if (!claim.ok) {
  process.stderr.write(
    `Hydrant is already running on ${config.dataDir} (process ${claim.pid}). Stop it first, or set HYDRANT_DATA_DIR to another folder.\n`,
  )
  process.exit(1)
}

const releaseFolder = claim.release

const registry = createPrometheusRegistry()
const metrics = createHydrantMetrics(registry)
const backlog = createBacklog()
const keyring = createKeyring({ read: () => readKeyring(control), now: Date.now })
let notReady: string | null = 'starting'

// The slow ones first, side by side: neither an SDK nor a health check waits for them.
const engine =
  config.clickhouseUrl === undefined
    ? keepAlive({
        name: 'engine',
        log,
        start: () =>
          startEngine({
            dataPath: paths.telemetry,
            socketPath: paths.engineSocket,
            log: line => log.warn({ child: 'engine', line }, 'engine says'),
          }),
        onUp: () => metrics.engineUp.set(1),
        onDown: () => metrics.engineUp.set(0),
      })
    : null
// Nobody can ask web for a page before this process listens, and by then the control database has its tables.
const web = config.roles.has('web')
  ? keepAlive({ name: 'web', log, start: () => startWeb(paths.webSocket, process.env) })
  : null
const control = openControl(config)
const migrated = await migrateControl(control, { dataDir: config.dataDir, log })

const spoolBefore = [...(await listSpool(paths.inbox))]
const inbox = await openInbox(paths.inbox, (records, bytes, end) =>
  backlog.appended({ records, bytes, end, at: Date.now() }),
)
const startedAt = readEnd(inbox.end)
const disk = await watchDisk(config.dataDir, config.limits.diskReserveBytes)
keyring.replace(await readKeyring(control))

const refusals = createRefusalCounter({ metrics, flush: outcomes => digest?.refusals(outcomes) })
const ingest = createIngest({
  keyring,
  inbox: {
    append: inbox.append,
    spool: inbox.spool,
    isFull: () => backlog.bytes > config.limits.inboxMaxBytes || disk.isNearlyFull(),
  },
  outcomes: refusals,
  metrics: { acknowledged: metrics.acknowledged },
  log,
  clock: { now: () => Date.now() },
  config,
})
registry.onCollect(() => {
  metrics.inboxBacklog.set(backlog.records)
  metrics.inboxOldestSeconds.set(backlog.oldestSeconds(Date.now()))
})

const operator = createOperatorPaths({ registry, metricsToken: config.metricsToken, notReady: () => notReady })
const helper = createHelperPaths()
const passToWeb = createWebPass({
  socketPath: paths.webSocket,
  isUp: () => web?.current != null,
  whenUp: web?.firstUp ?? new Promise(() => undefined),
  publicUrl: config.publicUrl,
  trustedProxies: config.trustedProxies,
})
const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 300_000 }, (req, res) => {
  // A node that does not digest must not acknowledge either: nobody would ever read its inbox.
  if (config.roles.has('ingest') && ingest.handles(req)) return ingest.handle(req, res)
  if (!operator(req, res) && !helper(req, res)) passToWeb(req, res)
})
await listen(config)
notReady = null
log.info(
  { port: config.port, ms: Math.round(performance.timeOrigin + performance.now() - begunMs), migrated },
  'accepting events',
)

let digest: ReturnType<typeof startDigestThread> | null = null
let housekeeping: ReturnType<typeof startHousekeeping> | null = null
let isStopping = false
let isFirstSurvey = true
onStopSignal({ log, stop })

if (config.roles.has('ingest')) {
  digest = startDigestThread({
    data: {
      inboxFolder: paths.inbox,
      inboxId: inbox.id,
      end: inbox.end,
      startedAt,
      spoolBefore,
      dataDir: config.dataDir,
      databaseUrl: config.databaseUrl,
      blobsUrl: config.blobsUrl,
      telemetry: telemetryPlace(config),
      retentionDays: config.retentionDays,
      logLevel: config.logLevel,
    },
    log,
    onMessage: message => {
      if (message.type === 'keyring') keyring.replace(message.snapshot)
      else if (message.type === 'surveyed') {
        const { records, bytes, oldestReceivedAt, end } = message.survey
        if (records > 0 && isFirstSurvey) backlog.found({ records, bytes, at: oldestReceivedAt ?? Date.now(), end })
        isFirstSurvey = false
        backlog.digestedUpTo(message.from)
      } else if (message.type === 'committed') {
        backlog.digestedUpTo(message.upTo)
        for (const [type, count] of message.items) metrics.digestItems.inc({ type }, count)
        for (const [category, reason, quantity] of message.outcomes)
          metrics.outcomes.inc({ category, reason }, quantity)
      }
    },
  })
}
// Pages and ingest are there before the engine is; whoever started us need not wait for it to be told.
void Promise.resolve(web?.firstUp).then(() => greet({ config, control, log }))

const telemetry = await openTelemetryStore({ config, control, engine, metrics, log, isStopping: () => isStopping })
if (!isStopping) digest?.begin()
if (config.roles.has('jobs') && !isStopping)
  housekeeping = startHousekeeping({
    control,
    telemetry: telemetry.client,
    layout: telemetry.layout,
    blobs: openBlobs(config),
    dataDir: config.dataDir,
    retentionDays: config.retentionDays,
    artifacts: config.artifacts,
    log,
  })

async function listen({ host }: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      process.stderr.write(
        `Port ${config.port} is taken by another program. Stop it, or start Hydrant with PORT set to a free one.\n`,
      )
      void releaseFolder().finally(() => process.exit(1))
    })
    server.listen(config.port, host, resolve)
  })
}

/** Nothing new is taken, what was taken is finished as far as time allows; the rest is safe in the inbox for the next start. */
async function stop(): Promise<void> {
  isStopping = true
  notReady = 'stopping'
  server.close()
  server.closeIdleConnections()
  housekeeping?.stop()
  refusals.stop()
  for (let waitedMs = 0; digest && backlog.records > 0 && waitedMs < 10_000; waitedMs += 50)
    await new Promise(resolve => setTimeout(resolve, 50))
  await Promise.all([digest?.stop(), web?.stop()])
  await inbox.close()
  await engine?.stop()
  await control.close()
  disk.stop()
  await releaseFolder()
  log.info({ leftInInbox: backlog.records }, 'stopped')
}
