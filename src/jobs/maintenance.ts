/** Periodic maintenance: deletes expired partitions and blobs, unused source maps and old event ids, and updates issues whose state depends on time. */
import type { Logger } from 'pino'
import { trimAlerts } from '#domain/alerts/trim-alerts.ts'
import { trimOutbox } from '#domain/channels/delivery/trim-outbox.ts'
import { seenEventsForMs } from '#domain/events/seen-event-ids.ts'
import { trimChanges } from '#domain/issues/change-log/read-changes.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import type { Control } from '#store/control/control.ts'
import { maintenanceEveryMs, trustClock } from '#store/control/trust-clock.ts'
import { dropExpiredPartitions } from '#store/telemetry/drop-expired.ts'
import type { TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
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

export function startMaintenance(options: Options): { stop(): void } {
  const run = () =>
    runMaintenance(options, Date.now()).catch(error =>
      options.log.error({ error: String(error) }, 'maintenance failed; retrying at the next interval'),
    )
  const first = setTimeout(run, firstAfterMs)
  const timer = setInterval(run, maintenanceEveryMs)
  first.unref()
  timer.unref()
  return {
    stop: () => {
      clearTimeout(first)
      clearInterval(timer)
    },
  }
}

async function runMaintenance(
  { control, telemetry, layout, blobs, dataDir, retentionDays, artifacts, log }: Options,
  clockMs: number,
): Promise<void> {
  const { trustedMs: nowMs, isLeap } = await trustClock(control, clockMs)
  if (isLeap)
    log.warn(
      { clock: new Date(clockMs).toISOString(), trusted: new Date(nowMs).toISOString() },
      'the clock has leapt; retention ignores it until a day of runs has confirmed it',
    )
  const keptReplays = await keepErrorReplays({ telemetry, layout, blobs }, retentionDays, nowMs)
  const dropped = await dropExpiredPartitions(telemetry, layout, nowMs)
  const removed = await removeExpiredBlobs(blobs, retentionDays, nowMs)
  const expiredIds = await control.db
    .deleteFrom('seen_event')
    .where('seen_at', '<', nowMs - seenEventsForMs)
    .executeTakeFirst()
  await control.db
    .deleteFrom('recommended_event')
    .where('at', '<', nowMs - retentionDays.errors * 86_400_000)
    .execute()
  const unused = await removeUnusedArtifacts({ control, blobs, dataDir, limits: artifacts }, nowMs)
  const swept = await sweepIssues(control, nowMs)
  const trimmed = await trimChanges(control, nowMs)
  const notifications = await trimAlerts(control, nowMs)
  const trimmedMessages = await trimOutbox(control, nowMs)
  const purged = await purgeDeleted(control, telemetry, layout, nowMs)
  const purgedProjects = await purgeProjects({ control, telemetry, layout, blobs }, nowMs)
  await control.checkpoint()
  log.info(
    {
      keptReplays,
      partitions: dropped.length,
      blobDays: removed,
      seenEvents: Number(expiredIds.numDeletedRows),
      artifactBundles: unused.bundles,
      uploadChunks: unused.chunks,
      ...swept,
      purgedHashes: purged,
      purgedProjects,
      changes: trimmed,
      notifications,
      ...trimmedMessages,
    },
    'maintenance done',
  )
}

/** Blob keys begin with kind and day, so a day is removed as a whole. */
async function removeExpiredBlobs(
  blobs: Blobs,
  retentionDays: Options['retentionDays'],
  nowMs: number,
): Promise<number> {
  let removed = 0
  for (const [kind, keepDays] of [
    ['attachment', retentionDays.errors],
    ['dead-letters', retentionDays.errors],
    ['replay', retentionDays.rest],
    ['error-replay', Math.max(retentionDays.errors, retentionDays.rest)],
    ['profile', retentionDays.rest],
    // Chunks of uploads are removed one by one; this is for those whose row is gone.
    ['upload-chunk', 2],
  ] as const) {
    const oldest = new Date(nowMs - keepDays * 86_400_000).toISOString().slice(0, 10)
    for (const day of await blobs.listDays(kind, oldest)) {
      await blobs.removeDay(kind, day)
      removed += 1
    }
  }
  return removed
}
