/** The public port with ingest, the digest thread behind it, and the way to the children that main has started. */
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import { listCursors } from '#digest/commit-batch.ts'
import { createHelperPaths } from '#hydration-helper/serve-helper.ts'
import { openInbox } from '#inbox/open-inbox.ts'
import { readEnd } from '#inbox/segment-ends.ts'
import { listDamaged } from '#inbox/segments.ts'
import { listSpool } from '#inbox/survey-log.ts'
import { createIngest } from '#ingest/create-ingest.ts'
import { startMaintenance } from '#jobs/maintenance.ts'
import { startReconciliation } from '#jobs/reconciliation.ts'
import type { PrometheusRegistry } from '#lib/prometheus.ts'
import { settleWithin } from '#lib/timing.ts'
import type { HydrantMetrics } from '#metrics.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { openControl } from '#store/control/open-control.ts'
import { readKeys } from '#store/control/read-keys.ts'
import { beginTrustedClock } from '#store/control/trust-clock.ts'
import { telemetryAddress } from '#store/telemetry/telemetry.ts'
import { createBacklog, watchDisk } from './backlog.ts'
import type { DataPaths } from './data-folder.ts'
import { startDigestThread } from './digest-thread.ts'
import { answerFault, createFront } from './front/create-front.ts'
import { createWebPass } from './front/pass-to-web.ts'
import type { Child, KeptChild } from './keep-alive.ts'
import { createKeyCache, createKeyFile, readKeyFile } from './key-cache.ts'
import type { MemoryPlan } from './memory-plan.ts'
import { createOperatorPaths } from './operator-paths.ts'
import { createRefusalCounter } from './refusal-counter.ts'
import { greet, onStopSignal } from './start-failure.ts'
import { openControlStore, openTelemetryStore } from './stores.ts'

/** A few batches. More would only keep the next start waiting: it goes on where this one ends. */
const drainMs = 2_000
/** For requests whose body is still on its way when the port closes. */
const lastRequestsMs = 1_000

type SupervisorContext = {
  config: Config
  paths: DataPaths
  memory: MemoryPlan
  log: Logger
  registry: PrometheusRegistry
  metrics: HydrantMetrics
  web: KeptChild<Child> | null
  engine: KeptChild<Child> | null
  releaseFolder(): Promise<void>
  /** Called when events are accepted: what fails from then on is not the data folder's fault. */
  onAccepting(): void
}

export async function serve({
  config,
  paths,
  memory,
  log,
  registry,
  metrics,
  web,
  engine,
  releaseFolder,
  onAccepting,
}: SupervisorContext): Promise<void> {
  const backlog = createBacklog()
  const keyCache = createKeyCache({
    read: () => readKeys(control),
    now: () => performance.now(),
    onChange: createKeyFile(config.dataDir).write,
  })
  let notReady: string | null = 'starting'

  const control = openControl(config)
  let isStopping = false
  let isTelemetryUp = false
  const controlStore = await openControlStore({ config, control, log, isStopping: () => isStopping })

  const spoolBefore = [...(await listSpool(paths.inbox))]
  const inbox = await openInbox(
    paths.inbox,
    (records, bytes, end) => backlog.appended({ records, bytes, end, at: Date.now() }),
    async () => (controlStore.isUp ? listCursors(control) : null),
  )
  if (inbox.isIdRestored)
    log.error({ file: 'inbox/id', inboxId: inbox.id }, 'inbox/id was damaged; restored from the control database')
  if (inbox.damagedEnds > 0)
    log.error(
      { file: 'inbox/ends.log', lines: inbox.damagedEnds },
      'lines of inbox/ends.log are damaged; the file is kept in inbox/damaged',
    )
  let damagedFiles = (await listDamaged(paths.inbox)).length
  const startedAt = readEnd(inbox.end)
  const disk = await watchDisk(config.dataDir, config.limits.diskReserveBytes)
  if (controlStore.isUp) keyCache.replace(await readKeys(control))
  else keyCache.restore(await readKeyFile(config.dataDir))

  const refusals = createRefusalCounter({ metrics, flush: outcomes => digest?.refusals(outcomes) })
  const ingest = createIngest({
    keyCache,
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
    metrics.inboxDamagedFiles.set(damagedFiles)
    metrics.inboxBacklog.set(backlog.records)
    metrics.inboxOldestSeconds.set(backlog.oldestSeconds(Date.now()))
  })

  const operator = createOperatorPaths({ registry, metricsToken: config.metricsToken, notReady: () => notReady, away })
  const helper = createHelperPaths()
  const passToWeb = createWebPass({
    socketPath: paths.webSocket,
    isUp: () => web?.current != null,
    whenUp: web?.firstUp ?? new Promise(() => undefined),
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
  })
  const server = createFront({
    trustedProxies: config.trustedProxies,
    onRequest: (req, res) => {
      // A node that does not digest must not acknowledge either: nobody would ever read its inbox.
      if (ingest.handles(req)) {
        if (config.roles.has('ingest')) return ingest.handle(req, res)
        return answerFault(req, res, { status: 503, detail: 'This node does not accept events (HYDRANT_ROLES).' })
      }
      if (!operator(req, res) && !helper(req, res)) passToWeb(req, res)
    },
  })
  await listen(config)
  notReady = null
  onAccepting()
  log.info({ port: config.port, ms: Math.round(performance.now()) }, 'accepting events')

  let digest: ReturnType<typeof startDigestThread> | null = null
  let housekeeping: ReturnType<typeof startMaintenance> | null = null
  let reconciliation: ReturnType<typeof startReconciliation> | null = null
  let isFirstSurvey = true
  onStopSignal({ log, stop })
  await controlStore.whenUp
  await beginTrustedClock(control, Date.now())

  if (!config.roles.has('ingest'))
    backlog.surveyed() // nobody appends here, and nobody reads
  else {
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
        telemetry: telemetryAddress(config),
        bound: memory.batch,
        retentionDays: config.retentionDays,
        logLevel: config.logLevel,
      },
      memory,
      log,
      onRestart: reason => metrics.restarts.inc({ child: 'digest', reason }),
      onMessage: message => {
        if (message.type === 'keyring') keyCache.replace(message.snapshot)
        else if (message.type === 'surveyed') {
          const { records, bytes, oldestReceivedAt, end } = message.survey
          if (records > 0 && isFirstSurvey) backlog.found({ records, bytes, at: oldestReceivedAt ?? Date.now(), end })
          isFirstSurvey = false
          backlog.digestedUpTo(message.from)
          backlog.surveyed()
        } else if (message.type === 'committed') {
          backlog.digestedUpTo(message.upTo)
          for (const [type, count] of message.items) metrics.digestItems.inc({ type }, count)
          for (const [category, reason, quantity] of message.outcomes) {
            metrics.outcomes.inc({ category, reason }, quantity)
            if (reason === 'inbox_damaged') void noteDamage(quantity)
          }
        }
      },
    })
  }
  // Pages and ingest are there before the engine is; whoever started us need not wait for it to be told.
  void Promise.resolve(web?.firstUp).then(() => greet({ config, control, log }))

  const telemetry = await openTelemetryStore({
    config,
    control,
    engine,
    metrics,
    log,
    isStopping: () => isStopping,
    onAnswer: isUp => {
      isTelemetryUp = isUp
    },
  })
  if (!isStopping) digest?.begin()
  if (config.roles.has('jobs') && !isStopping)
    housekeeping = startMaintenance({
      control,
      telemetry: telemetry.client,
      layout: telemetry.layout,
      blobs: openBlobs(config),
      dataDir: config.dataDir,
      retentionDays: config.retentionDays,
      artifacts: config.artifacts,
      log,
    })
  if (config.roles.has('jobs') && !isStopping)
    reconciliation = startReconciliation({
      control,
      telemetry: telemetry.client,
      layout: telemetry.layout,
      retentionDays: config.retentionDays.errors,
      metrics,
      log,
    })

  async function noteDamage(records: number): Promise<void> {
    metrics.inboxDamagedRecords.inc({}, records)
    damagedFiles = (await listDamaged(paths.inbox)).length
  }

  function away(): string[] {
    return Object.entries({ engine, web })
      .flatMap(([name, child]) => (child === null || child.state === 'up' ? [] : [`${name}: ${child.state}`]))
      .concat(controlStore.isUp ? [] : ['control database: not answering'])
      .concat(engine !== null || isTelemetryUp ? [] : ['ClickHouse: not answering'])
  }

  /** Resolves when every request that had begun is answered. */
  function closeServer(): Promise<void> {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    server.closeIdleConnections()
    return closed
  }

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

  /**
   * What arrives is accepted until the very end, since it is safe in the inbox; what waits there is finished as far as a moment
   * allows, and the rest after the next start.
   */
  async function stop(): Promise<void> {
    isStopping = true
    notReady = 'stopping'
    housekeeping?.stop()
    const reconciled = reconciliation?.stop()
    for (let waitedMs = 0; digest && backlog.records !== 0 && waitedMs < drainMs; waitedMs += 50)
      await new Promise(resolve => setTimeout(resolve, 50))
    refusals.stop()
    await Promise.all([digest?.stop(), web?.stop(), reconciled && settleWithin(reconciled, drainMs)])
    await engine?.stop()
    await settleWithin(closeServer(), lastRequestsMs)
    await inbox.close()
    // A copy of control.db alone is then complete, whichever connection was the last to close.
    await control
      .checkpoint('truncate')
      .catch(error => log.warn({ error: String(error) }, 'the write-ahead log of control.db could not be emptied'))
    await control.close()
    disk.stop()
    await releaseFolder()
    log.info({ leftInInbox: backlog.records }, 'stopped')
  }
}
