import { type JsonObject, objectOf } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import type { ProfileRow } from '#store/telemetry/rows.ts'
import { derivedId, readId, readIdOrNone } from '../normalise/ids.ts'
import { itemTimeMs } from '../normalise/item-time.ts'
import { nameOf } from '../normalise/name-of.ts'
import { Notes } from '../notes.ts'
import { sizeOf } from '../read/read-json.ts'
import type { RecordContext } from '../record-context.ts'

export function profileRow(
  profile: JsonObject,
  item: EnvelopeItem,
  itemIndex: number,
  blob: string,
  context: RecordContext,
): ProfileRow {
  const transaction = objectOf(profile.transaction)
  return {
    project_id: context.projectId,
    timestamp: Math.round(itemTimeMs(startOf(profile), 'timestamp', context, new Notes())),
    received_at: context.receivedAt,
    retention_days: context.retentionDays.rest,
    weight: 1,
    kind: item.headers.type,
    profile_id:
      readId(profile.chunk_id ?? profile.event_id ?? profile.profile_id) || derivedId(context.recordId, itemIndex),
    profiler_id: readIdOrNone(profile.profiler_id),
    platform: nameOf(profile.platform ?? item.headers.platform),
    environment: nameOf(profile.environment ?? context.trace?.environment),
    release: nameOf(profile.release ?? context.trace?.release),
    trace_id: readIdOrNone(transaction?.trace_id ?? context.trace?.trace_id),
    size_bytes: sizeOf(item.payload),
    blob,
  }
}

/** Chunks carry a time on each sample and none of their own. */
function startOf(profile: JsonObject): unknown {
  if (profile.timestamp !== undefined) return profile.timestamp
  const samples = objectOf(profile.profile)?.samples
  return Array.isArray(samples) ? objectOf(samples[0])?.timestamp : undefined
}
