/** Starts the digest thread on the open inbox and applies its reports to the backlog, the key cache and the metrics. */
import type { FromDigest } from '#digest/run-digest-thread.ts'
import { loadSecret, scrubKey } from '#store/control/secret.ts'
import { telemetryAddress } from '#store/telemetry/telemetry.ts'
import type { SupervisorContext } from './context.ts'
import { type DigestThread, startDigestThread } from './digest-thread.ts'
import type { OpenIngest } from './open-ingest.ts'

export function startDigest(context: SupervisorContext, ingest: OpenIngest, onCommitted: () => void): DigestThread {
  const { config, paths, memory, log, metrics } = context
  return startDigestThread({
    data: {
      inboxFolder: paths.inbox,
      inboxId: ingest.inbox.id,
      end: ingest.inbox.end,
      startedAt: ingest.startedAt,
      spoolBefore: ingest.spoolBefore,
      dataDir: config.dataDir,
      databaseUrl: config.databaseUrl,
      blobsUrl: config.blobsUrl,
      telemetry: telemetryAddress(config),
      bound: memory.batch,
      retentionDays: config.retentionDays,
      logLevel: config.logLevel,
      scrubKey: scrubKey(loadSecret(config)),
      issueLimits: config.limits.newIssues,
    },
    memory,
    log,
    onRestart: reason => metrics.restarts.inc({ child: 'digest', reason }),
    onMessage: createMessageHandler(context, ingest, onCommitted),
  })
}

function createMessageHandler(
  { metrics, tail }: SupervisorContext,
  ingest: OpenIngest,
  onCommitted: () => void,
): (message: FromDigest) => void {
  const { backlog, keyCache } = ingest
  let isFirstSurvey = true // a restarted thread surveys again, and counting its backlog twice would be wrong

  function applySurvey({ survey, from }: Extract<FromDigest, { type: 'surveyed' }>): void {
    const { records, bytes, oldestReceivedAt, end } = survey
    if (records > 0 && isFirstSurvey) backlog.found({ records, bytes, at: oldestReceivedAt ?? Date.now(), end })
    isFirstSurvey = false
    backlog.digestedUpTo(from)
    backlog.surveyed()
  }

  function applyCommit({ upTo, items, outcomes }: Extract<FromDigest, { type: 'committed' }>): void {
    backlog.digestedUpTo(upTo)
    onCommitted()
    for (const [type, count] of items) metrics.digestItems.inc({ type }, count)
    for (const [category, reason, quantity] of outcomes) {
      metrics.outcomes.inc({ category, reason }, quantity)
      if (reason === 'inbox_damaged') void ingest.countDamagedRecords(quantity)
    }
  }

  return message => {
    if (message.type === 'keys') keyCache.replace(message.snapshot)
    else if (message.type === 'surveyed') applySurvey(message)
    else if (message.type === 'committed') applyCommit(message)
    else if (message.type === 'tailing' || message.type === 'lines') tail.fromDigest(message)
  }
}
