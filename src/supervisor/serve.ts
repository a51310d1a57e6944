/** Runs the main process once its children are starting: the public port with ingest, the digest thread and the jobs. */
import { startAlertJob } from '#jobs/alert-issues.ts'
import {
  type ClockReports,
  channelsHandler,
  minuteHandler,
  type OperatorFacts,
  operatorHandler,
  startClockReports,
} from '#jobs/alert-minutes.ts'
import { startTimeCorrection } from '#jobs/correct-times.ts'
import { createFirstOwner } from '#jobs/create-first-owner.ts'
import { startDeliveryJob } from '#jobs/deliver-messages.ts'
import { startErasureJob } from '#jobs/erase-users/erase-users.ts'
import { startMaintenance } from '#jobs/maintenance.ts'
import { createMessageBuilder } from '#jobs/message-builder.ts'
import { startMirrorJob } from '#jobs/mirror-issues.ts'
import { startRouteMoves } from '#jobs/move-routes.ts'
import { startReconciliation } from '#jobs/reconciliation.ts'
import { startJobRunner } from '#jobs/run-jobs.ts'
import { startImpactJob } from '#jobs/update-impact.ts'
import { createTargetRules } from '#lib/outbound/check-target.ts'
import { openMailer } from '#lib/outbound/mailer.ts'
import { createOutbound } from '#lib/outbound/send-request.ts'
import { settleWithin } from '#lib/timing.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import type { Control } from '#store/control/control.ts'
import { openControl } from '#store/control/open-control.ts'
import { loadSecret, scrubKey } from '#store/control/secret.ts'
import { beginTrustedClock } from '#store/control/trust-clock.ts'
import type { SupervisorContext } from './context.ts'
import type { DigestThread } from './digest-thread.ts'
import { openIngest } from './open-ingest.ts'
import { createPublicServer } from './public-server.ts'
import { startDigest } from './start-digest.ts'
import { greet, onStopSignal } from './start-messages.ts'
import { openControlStore, openTelemetryStore, type TelemetryStore } from './stores.ts'
import { readFreeShare } from './watch-disk.ts'

/** Enough for a few batches. Draining longer would only delay the next start, which continues where this one ends. */
const usualDrainMs = 2_000
/** Jobs go on from what they have committed. */
const lastJobsMs = 2_000

export async function serve(context: SupervisorContext): Promise<void> {
  const { config, log, metrics, engine, web, drainMs = usualDrainMs } = context
  const state = { notReady: 'starting' as string | null, isStopping: false, isTelemetryUp: false }
  const isStopping = () => state.isStopping
  let digest: DigestThread | null = null
  let jobs: Jobs | null = null
  let clock: ClockReports | null = null

  const control = openControl(config)
  const controlStore = await openControlStore({ config, control, log, isStopping })
  const ingest = await openIngest(context, {
    control,
    isControlUp: () => controlStore.isUp,
    flushRefusals: outcomes => digest?.refusals(outcomes),
  })

  const server = createPublicServer(context, {
    ingest,
    notReady: () => state.notReady,
    listUnavailable: () => [
      ...listUnavailableChildren({ engine, web }),
      ...(controlStore.isUp ? [] : ['control database: not answering']),
      ...(engine !== null || state.isTelemetryUp ? [] : ['ClickHouse: not answering']),
    ],
  })
  const closePort = await context.openPort(server, context)
  state.notReady = null
  context.onAccepting()
  const acceptingSince = Date.now()
  log.info({ port: config.port, ms: Math.round(performance.now()) }, 'accepting events')
  onStopSignal({ log, stop })

  await controlStore.whenUp
  await beginTrustedClock(control, Date.now())
  await createFirstOwner({ firstOwner: config.firstOwner, control, log })
  if (config.roles.has('ingest')) {
    digest = startDigest(context, ingest, () => jobs?.onCommitted())
    context.tail.connectDigest(digest.tail)
    const { inbox, backlog } = ingest
    clock = startClockReports({
      control,
      inboxId: inbox.id,
      oldestSeconds: backlog.oldestSeconds,
      acceptingSince,
      log,
    })
  } else {
    context.tail.connectDigest(null)
    ingest.backlog.surveyed() // this node neither appends nor reads
  }
  // Pages and ingest are up before the engine, so the address is printed without waiting for it.
  void Promise.resolve(web?.firstUp).then(() => (context.greet ?? greet)({ config, control, log }))

  const telemetry = await openTelemetryStore({
    config,
    control,
    engine,
    metrics,
    log,
    isStopping,
    onPing: isUp => {
      state.isTelemetryUp = isUp
    },
  })
  if (state.isStopping) return
  digest?.begin()
  if (config.roles.has('jobs')) jobs = startJobs(context, control, telemetry, readFacts)

  async function readFacts(): Promise<OperatorFacts> {
    const waited = ingest.backlog.oldestSeconds(Date.now())
    return {
      diskFree: await readFreeShare(config.dataDir),
      backlogSeconds: Number.isNaN(waited) ? null : waited,
      isEngineUp: engine === null ? state.isTelemetryUp : engine.state === 'up',
    }
  }

  /** Accepts events until the end, since they are safe in the inbox. Digests what `drainMs` allows; the rest follows after the next start. */
  async function stop(): Promise<void> {
    state.isStopping = true
    state.notReady = 'stopping'
    jobs?.maintenance.stop()
    const clockStopped = clock?.stop()
    const settled =
      jobs &&
      Promise.all(
        [
          jobs.reconciliation,
          jobs.mirror,
          jobs.impact,
          jobs.routeMoves,
          jobs.alerts,
          jobs.delivery,
          jobs.times,
          jobs.runner,
          jobs.erasures,
        ].map(job => job.stop()),
      )
    for (let waitedMs = 0; digest && ingest.backlog.records !== 0 && waitedMs < drainMs; waitedMs += 50)
      await new Promise(resolve => setTimeout(resolve, 50))
    ingest.refusals.stop()
    await Promise.all([digest?.stop(), web?.stop(), settled && settleWithin(settled, lastJobsMs), clockStopped])
    await engine?.stop()
    await closePort()
    if (ingest.backlog.records === 0) await clock?.close()
    await ingest.inbox.close()
    await ingest.spikes?.stop()
    await closeControl()
    ingest.disk.stop()
    await context.releaseFolder()
    log.info({ leftInInbox: ingest.backlog.records }, 'stopped')
  }

  /** Truncates the write-ahead log first, so that a copy of control.db alone is complete. */
  async function closeControl(): Promise<void> {
    await control
      .checkpoint('truncate')
      .catch(error => log.warn({ error: String(error) }, 'control.db checkpoint failed'))
    await control.close()
  }
}

type Jobs = ReturnType<typeof startJobs>

function startJobs(
  { config, metrics, log }: SupervisorContext,
  control: Control,
  telemetry: TelemetryStore,
  readFacts: () => Promise<OperatorFacts>,
) {
  const { client, layout } = telemetry
  const mirror = startMirrorJob({ control, telemetry: client, log })
  const delivery = startDeliveryJob({
    control,
    buildMessage: createMessageBuilder({ control, telemetry: client }, config.publicUrl),
    outbound: createOutbound({ rules: createTargetRules({ ...config, allow: config.outboundAllow }) }),
    mailer: config.mail && openMailer(config.mail),
    installationSecret: loadSecret(config),
    publicUrl: config.publicUrl,
    metrics,
    log,
  })
  const alerts = startAlertJob({
    control,
    telemetry: client,
    hasMail: config.mail !== null,
    log,
    onSent: delivery.wake,
  })
  const stores = { control, telemetry: client }
  const handlers = {
    'alerts.minute': minuteHandler(stores, delivery.wake),
    'alerts.operator': operatorHandler(stores, readFacts),
    'alerts.channels': channelsHandler(stores, config.mail !== null),
  }
  const runner = startJobRunner({ control, handlers, log })
  const blobs = openBlobs(config)
  return {
    maintenance: startMaintenance({
      control,
      telemetry: client,
      layout,
      blobs,
      dataDir: config.dataDir,
      retentionDays: config.retentionDays,
      artifacts: config.artifacts,
      log,
    }),
    reconciliation: startReconciliation({
      control,
      telemetry: client,
      layout,
      retentionDays: config.retentionDays.errors,
      metrics,
      log,
    }),
    mirror,
    impact: startImpactJob({ control, log }),
    routeMoves: startRouteMoves({ control, telemetry: client, layout, log }),
    alerts,
    delivery,
    times: startTimeCorrection({ control, log }),
    runner,
    /** Digest has committed a batch: issues may have changed. */
    onCommitted: () => {
      mirror.wake()
      alerts.wake()
    },
    erasures: startErasureJob({
      control,
      telemetry: client,
      layout,
      blobs,
      hashKey: scrubKey(loadSecret(config)),
      log,
    }),
  }
}

function listUnavailableChildren(children: Pick<SupervisorContext, 'engine' | 'web'>): string[] {
  return Object.entries(children).flatMap(([name, child]) =>
    child === null || child.state === 'up' ? [] : [`${name}: ${child.state}`],
  )
}
