/** Opens what ingest needs before the first request: the inbox and its backlog, the DSN keys, the free disk space. */
import { listCursors } from '#digest/cursor.ts'
import { openInbox } from '#inbox/open-inbox.ts'
import { readEnd } from '#inbox/segment-ends.ts'
import { listDamaged } from '#inbox/segments.ts'
import { listSpool } from '#inbox/survey-log.ts'
import { createIngest } from '#ingest/create-ingest.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { Control } from '#store/control/control.ts'
import { readKeys } from '#store/control/read-keys.ts'
import { drainSecret, loadSecret } from '#store/control/secret.ts'
import { createBacklog } from './backlog.ts'
import type { SupervisorContext } from './context.ts'
import { keepSpikeHistory } from './keep-spike-history.ts'
import { createKeyCache, createKeyFile, readKeyFile } from './key-cache.ts'
import { createRefusalCounter } from './refusal-counter.ts'
import { watchDisk } from './watch-disk.ts'

type Options = { control: Control; isControlUp(): boolean; flushRefusals(outcomes: Outcome[]): void }

export type OpenIngest = Awaited<ReturnType<typeof openIngest>>

export async function openIngest(
  { config, paths, log, registry, metrics }: SupervisorContext,
  { control, isControlUp, flushRefusals }: Options,
) {
  const backlog = createBacklog()
  // Listed before the inbox accepts records: files that no record names are left over from an earlier run.
  const spoolBefore = [...(await listSpool(paths.inbox))]
  const inbox = await openInbox(
    paths.inbox,
    (records, bytes, end) => backlog.appended({ records, bytes, end, at: Date.now() }),
    async () => (isControlUp() ? listCursors(control) : null),
  )
  if (inbox.isIdRestored)
    log.error({ file: 'inbox/id', inboxId: inbox.id }, 'inbox/id was damaged; restored it from the control database')
  if (inbox.damagedEnds > 0)
    log.error(
      { file: 'inbox/ends.log', lines: inbox.damagedEnds },
      'inbox/ends.log has damaged lines; a copy is kept in inbox/damaged',
    )
  const startedAt = readEnd(inbox.end)
  const disk = await watchDisk(config.dataDir, config.limits.diskReserveBytes)

  const keyCache = createKeyCache({
    read: () => readKeys(control),
    now: () => performance.now(),
    onChange: createKeyFile(config.dataDir).write,
  })
  if (isControlUp()) keyCache.replace(await readKeys(control))
  else keyCache.restore(await readKeyFile(config.dataDir))

  const spikes = config.limits.protectsFromSpikes ? await keepSpikeHistory(config.dataDir) : null
  const refusals = createRefusalCounter({ metrics, flush: flushRefusals })
  const handler = createIngest({
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
    drainSecret: keyId => drainSecret(loadSecret(config), keyId),
    spikes: spikes?.guard ?? null,
  })

  let damagedFiles = (await listDamaged(paths.inbox)).length
  registry.onCollect(() => {
    metrics.inboxDamagedFiles.set(damagedFiles)
    metrics.inboxBacklog.set(backlog.records)
    metrics.inboxOldestSeconds.set(backlog.oldestSeconds(Date.now()))
  })
  async function countDamagedRecords(records: number): Promise<void> {
    metrics.inboxDamagedRecords.inc({}, records)
    damagedFiles = (await listDamaged(paths.inbox)).length
  }

  return { inbox, spoolBefore, startedAt, backlog, keyCache, disk, refusals, handler, spikes, countDamagedRecords }
}
