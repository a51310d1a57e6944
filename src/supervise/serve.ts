/** The public port with ingest, the digest thread behind it, and the way to the children that main has started. */
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import { createHelperPaths } from '#helper/serve-helper.ts'
import { readEnd } from '#inbox/durable-end.ts'
import { openInbox } from '#inbox/open-inbox.ts'
import { listSpool } from '#inbox/survey-log.ts'
import { createIngest } from '#ingest/create-ingest.ts'
import type { HydrantMetrics } from '#ingest/metrics.ts'
import type { PrometheusRegistry } from '#lib/prometheus.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { readKeyring } from '#store/control/read-keyring.ts'
import { telemetryPlace } from '#store/telemetry/telemetry-place.ts'
import { createBacklog } from './backlog.ts'
import type { DataPaths } from './data-folder.ts'
import { startDigestThread } from './digest-thread.ts'
import { watchDisk } from './disk-watch.ts'
import { createFront } from './front/create-front.ts'
import { createWebPass } from './front/pass-to-web.ts'
import { greet } from './greet.ts'
import { startHousekeeping } from './housekeeping.ts'
import type { Child, KeptChild } from './keep-alive.ts'
import { createKeyring } from './keyring.ts'
import type { MemoryPlan } from './memory-plan.ts'
import { createOperatorPaths } from './operator-paths.ts'
import { createRefusalCounter } from './refusal-counter.ts'
import { onStopSignal } from './stop-signals.ts'
import { openTelemetryStore } from './telemetry-store.ts'

type House = {
  config: Config
  paths: DataPaths
  memory: MemoryPlan
  log: Logger
  registry: PrometheusRegistry
  metrics: HydrantMetrics
  web: KeptChild<Child> | null
  engine: KeptChild<Child> | null
  releaseFolder(): Promise<void>
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
}: House): Promise<void> {
  const backlog = createBacklog()
  const keyring = createKeyring({ read: () => readKeyring(control), now: Date.now })
  let notReady: string | null = 'starting'

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
      if (config.roles.has('ingest') && ingest.handles(req)) return ingest.handle(req, res)
      if (!operator(req, res) && !helper(req, res)) passToWeb(req, res)
    },
  })
  await listen(config)
  notReady = null
  log.info({ port: config.port, ms: Math.round(performance.now()), migrated }, 'accepting events')

  let digest: ReturnType<typeof startDigestThread> | null = null
  let housekeeping: ReturnType<typeof startHousekeeping> | null = null
  let isStopping = false
  let isFirstSurvey = true
  onStopSignal({ log, stop })

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
        telemetry: telemetryPlace(config),
        bound: memory.batch,
        retentionDays: config.retentionDays,
        logLevel: config.logLevel,
      },
      memory,
      log,
      onRestart: reason => metrics.restarts.inc({ child: 'digest', reason }),
      onMessage: message => {
        if (message.type === 'keyring') keyring.replace(message.snapshot)
        else if (message.type === 'surveyed') {
          const { records, bytes, oldestReceivedAt, end } = message.survey
          if (records > 0 && isFirstSurvey) backlog.found({ records, bytes, at: oldestReceivedAt ?? Date.now(), end })
          isFirstSurvey = false
          backlog.digestedUpTo(message.from)
          backlog.surveyed()
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

  function away(): string[] {
    return Object.entries({ engine, web }).flatMap(([name, child]) =>
      child === null || child.state === 'up' ? [] : [`${name}: ${child.state}`],
    )
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

  /** Nothing new is taken, what was taken is finished as far as time allows; the rest is safe in the inbox for the next start. */
  async function stop(): Promise<void> {
    isStopping = true
    notReady = 'stopping'
    server.close()
    server.closeIdleConnections()
    housekeeping?.stop()
    refusals.stop()
    for (let waitedMs = 0; digest && backlog.records !== 0 && waitedMs < 10_000; waitedMs += 50)
      await new Promise(resolve => setTimeout(resolve, 50))
    await Promise.all([digest?.stop(), web?.stop()])
    await inbox.close()
    await engine?.stop()
    await control.close()
    disk.stop()
    await releaseFolder()
    log.info({ leftInInbox: backlog.records }, 'stopped')
  }
}
