import { isObject, type JsonObject, objectOf } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import type { ProfileRow } from '#store/telemetry/rows.ts'
import { derivedId, readId, readIdOrNone } from '../../normalize/ids.ts'
import { nameOf } from '../../normalize/user-hash.ts'
import { Notes } from '../../notes.ts'
import { addRow } from '../../processed-record.ts'
import { loadBytes, maxJsonBytes, parseJson, sizeOf } from '../../read/read-json.ts'
import { blobKey, discard, itemTimeMs, type RecordContext } from '../../record-context.ts'

/** A whole profile or a chunk of a continuous one: the samples are a blob, the row has its ids. */
export function processProfile(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  // A larger profile only loses some columns of its row; parsing 50 MiB of samples would take ten times as much heap.
  const isReadable = sizeOf(item.payload) <= maxJsonBytes
  const payload = isReadable ? parseJson(loadBytes(item.payload)) : null
  if (isReadable && payload === null) {
    discard(context, item, 'invalid_json')
    return
  }
  if (payload !== null && !isObject(payload.value)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const key = blobKey('profile', itemIndex, context)
  context.out.blobs.push({ key, source: item.payload })
  const profile = payload !== null && isObject(payload.value) ? payload.value : {}
  addRow(context.out, 'profiles', profileRow(profile, item, itemIndex, key, context))
}

function profileRow(
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

/** Chunks have no time of their own, only one per sample. */
function startOf(profile: JsonObject): unknown {
  if (profile.timestamp !== undefined) return profile.timestamp
  const samples = objectOf(profile.profile)?.samples
  return Array.isArray(samples) ? objectOf(samples[0])?.timestamp : undefined
}
