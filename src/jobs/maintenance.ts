/** Periodic maintenance: deletes expired partitions and blobs, unused source maps and old event ids, and updates issues whose state depends on time. */
import type { Logger } from 'pino'
import { trimAlerts } from '#domain/alerts/trim-alerts.ts'
import { trimOutbox } from '#domain/channels/delivery/trim-outbox.ts'
import { seenEventsForMs } from '#domain/events/seen-event-ids.ts'
import { trimChanges } from '#domain/issues/change-log/read-changes.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import type { Control } from '#store/control/control.ts'
import { trimSubmissions } from '#store/control/submissions.ts'
import { maintenanceEveryMs, readTrustedClock, trustClock } from '#store/control/trust-clock.ts'
import { dropExpiredPartitions } from '#store/telemetry/drop-expired.ts'
import type { TableLayout } from '#store/telemetry/table-layout.ts'
import type { TableName } from '#store/telemetry/tables.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { freeBytes, makeReserve, releaseReserve, roomBytes } from './disk-reserve.ts'
import { keepErrorReplays } from './keep-error-replays.ts'
import { purgeDeleted } from './purge-deleted.ts'
import { purgeProjects } from './purge-projects.ts'
import { type ArtifactLimits, removeUnusedArtifacts } from './remove-unused-artifacts.ts'
import { sweepIssues } from './sweep-issues.ts'

type Options = {
  control: Control
  telemetry: Telemetry
  layout: TableLayout
  blobs: Blobs
  dataDir: string
  retentionDays: { errors: number; rest: number }
  artifacts: ArtifactLimits
  log: Logger
}

const firstAfterMs = 60_000
/** A step that failed is repeated sooner than the others: it may be what frees the disk. */
const retryAfterMs = 5 * 60_000

export function startMaintenance(options: Options): { stop(): void } {
  let retry: NodeJS.Timeout | undefined
  const repeat = (failed: FailedSteps): void => {
    if (failed.steps.length === 0) return
    retry = setTimeout(() => void makeSpace(options).then(() => runSteps(options, failed).then(repeat)), retryAfterMs)
    retry.unref()
  }
  const run = (): void => {
    clearTimeout(retry)
    runMaintenance(options, Date.now())
      .then(repeat)
      .catch(error => options.log.error({ error: String(error) }, 'maintenance failed; retrying at the next interval'))
  }
  const first = setTimeout(run, firstAfterMs)
  const timer = setInterval(run, maintenanceEveryMs)
  first.unref()
  timer.unref()
  return {
    stop: () => {
      clearTimeout(first)
      clearTimeout(retry)
      clearInterval(timer)
    },
  }
}

type Report = Record<string, number>
type Step = {
  name: string
  /** The step that must have succeeded before, in the same run. */
  after?: string
  run(options: Options, nowMs: number): Promise<Report>
}
type FailedSteps = { steps: readonly Step[]; nowMs: number }

/**
 * First what only deletes, then what deletes by writing, then what writes. Each step is by itself: one that fails does not stop the
 * others. Replays come after the rest, because those of errors are kept first, for which there may be no room before.
 */
const steps: readonly Step[] = [
  {
    name: 'expired blobs',
    run: async ({ blobs, retentionDays }, nowMs) => ({
      blobDays: await removeExpiredBlobs(blobs, blobKinds(retentionDays), nowMs),
    }),
  },
  {
    name: 'unused source maps',
    run: async ({ control, blobs, dataDir, artifacts }, nowMs) => {
      const unused = await removeUnusedArtifacts({ control, blobs, dataDir, limits: artifacts }, nowMs)
      return { artifactBundles: unused.bundles, uploadChunks: unused.chunks }
    },
  },
  {
    name: 'expired partitions',
    run: async ({ telemetry, layout }, nowMs) => ({
      partitions: (await dropExpiredPartitions(telemetry, layout, nowMs, table => !isOfReplays(table))).length,
    }),
  },
  {
    name: 'old event ids',
    run: async ({ control }, nowMs) => {
      const before = nowMs - seenEventsForMs
      const expired = await control.db.deleteFrom('seen_event').where('seen_at', '<', before).executeTakeFirst()
      return { seenEvents: Number(expired.numDeletedRows) }
    },
  },
  {
    name: 'old recommended events',
    run: async ({ control, retentionDays }, nowMs) => {
      const before = nowMs - retentionDays.errors * 86_400_000
      await control.db.deleteFrom('recommended_event').where('at', '<', before).execute()
      return {}
    },
  },
  {
    name: 'replays of errors',
    run: async ({ telemetry, layout, blobs, dataDir, retentionDays }, nowMs) => {
      const checkRoom = async (): Promise<void> => {
        if ((await freeBytes(dataDir)) < roomBytes) throw new Error('the disk is full')
      }
      return { keptReplays: await keepErrorReplays({ telemetry, layout, blobs, checkRoom }, retentionDays, nowMs) }
    },
  },
  {
    name: 'expired replays',
    after: 'replays of errors',
    run: async ({ telemetry, layout, blobs, retentionDays }, nowMs) => ({
      replayPartitions: (await dropExpiredPartitions(telemetry, layout, nowMs, isOfReplays)).length,
      replayDays: await removeExpiredBlobs(blobs, replayKinds(retentionDays), nowMs),
    }),
  },
  { name: 'issues', run: ({ control }, nowMs) => sweepIssues(control, nowMs) },
  { name: 'change log', run: async ({ control }, nowMs) => ({ changes: await trimChanges(control, nowMs) }) },
  { name: 'notifications', run: async ({ control }, nowMs) => ({ notifications: await trimAlerts(control, nowMs) }) },
  { name: 'outbox', run: ({ control }, nowMs) => trimOutbox(control, nowMs) },
  {
    name: 'old submissions',
    run: async ({ control }, nowMs) => ({ submissions: await trimSubmissions(control.db, nowMs) }),
  },
  {
    name: 'deleted issues',
    run: async ({ control, telemetry, layout }, nowMs) => ({
      purgedHashes: await purgeDeleted(control, telemetry, layout, nowMs),
    }),
  },
  {
    name: 'deleted projects',
    run: async ({ control, telemetry, layout, blobs }, nowMs) => ({
      purgedProjects: await purgeProjects({ control, telemetry, layout, blobs }, nowMs),
    }),
  },
  {
    name: 'checkpoint',
    run: async ({ control }) => {
      await control.checkpoint()
      return {}
    },
  },
]

/** Resolves with the steps that failed. */
export async function runMaintenance(options: Options, clockMs: number): Promise<FailedSteps> {
  const { control, dataDir, log } = options
  await makeSpace(options)
  const { trustedMs: nowMs, isLeap } = await trustClock(control, clockMs).catch(error => {
    log.error({ step: 'trusted clock', error: String(error) }, 'maintenance step failed')
    return readTrustedClock(control, clockMs)
  })
  if (isLeap)
    log.warn(
      { clock: new Date(clockMs).toISOString(), trusted: new Date(nowMs).toISOString() },
      'the clock has leapt; retention ignores it until a day of runs has confirmed it',
    )
  const failed = await runSteps(options, { steps, nowMs })
  await makeReserve(dataDir).catch(error =>
    log.error({ step: 'reserve', error: String(error) }, 'maintenance step failed'),
  )
  return failed
}

async function makeSpace({ dataDir, log }: Options): Promise<void> {
  const isReleased = await releaseReserve(dataDir).catch(error => {
    log.error({ step: 'reserve', error: String(error) }, 'maintenance step failed')
    return false
  })
  if (isReleased) log.warn('the disk is full; released the reserve, so that expired data can be deleted')
}

/** Retries failed steps once at the end, because other steps may have freed the space that they need. */
async function runSteps(options: Options, { steps: given, nowMs }: FailedSteps): Promise<FailedSteps> {
  const { log } = options
  const report: Report = {}
  let failed: Step[] = [...given]
  for (let pass = 0; pass < 2 && failed.length > 0; pass++) {
    if (pass > 0) await makeSpace(options)
    const now = failed
    failed = []
    for (const step of now)
      try {
        if (failed.some(({ name }) => name === step.after)) throw new Error(`“${step.after}” has failed`)
        for (const [name, count] of Object.entries(await step.run(options, nowMs)))
          report[name] = (report[name] ?? 0) + count
      } catch (error) {
        failed.push(step)
        log.error({ step: step.name, error: String(error) }, 'maintenance step failed')
      }
  }
  if (failed.length === 0) log.info(report, 'maintenance done')
  else
    log.error(
      { ...report, failed: failed.map(({ name }) => name) },
      'maintenance is incomplete; retrying what failed in 5 minutes',
    )
  return { steps: failed, nowMs }
}

type KeptKinds = readonly (readonly [kind: string, days: number])[]

const blobKinds = ({ errors, rest }: Options['retentionDays']): KeptKinds => [
  ['attachment', errors],
  ['dead-letters', errors],
  ['profile', rest],
  // Chunks of uploads are removed one by one; this is for those whose row is gone.
  ['upload-chunk', 2],
]

const replayKinds = ({ errors, rest }: Options['retentionDays']): KeptKinds => [
  ['replay', rest],
  ['error-replay', Math.max(errors, rest)],
]

const isOfReplays = (table: TableName): boolean => table === 'replays' || table === 'replay_moments'

/** Blob keys begin with kind and day, so a day is removed as a whole. A day that can't be removed does not keep the others. */
async function removeExpiredBlobs(blobs: Blobs, kinds: KeptKinds, nowMs: number): Promise<number> {
  const errors: unknown[] = []
  let removed = 0
  for (const [kind, keepDays] of kinds)
    try {
      const oldest = new Date(nowMs - keepDays * 86_400_000).toISOString().slice(0, 10)
      for (const day of await blobs.listDays(kind, oldest)) {
        await blobs.removeDay(kind, day)
        removed += 1
      }
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
  return removed
}
