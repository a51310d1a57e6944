import { countOf, textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { noId, type ReplayRow } from '#store/telemetry/rows.ts'
import { readId } from '../normalise/ids.ts'
import { clampTimeMs, readTimeMs } from '../normalise/read-time.ts'
import { userHash } from '../normalise/user-hash.ts'
import type { RecordContext } from '../record-context.ts'
import type { Recording } from './read-recording.ts'

/** Entries. A segment covers some seconds; more addresses or errors than this are noise. */
const maxListed = 200

export function replayRow(event: StoredEvent, recording: Recording | null, context: RecordContext): ReplayRow {
  const { user } = event
  const timestamp = Math.round(event.timestamp * 1e3)
  const started = readTimeMs(event.replay_start_timestamp)
  return {
    project_id: context.projectId,
    replay_id: event.event_id || noId,
    segment_id: event.segment_id === undefined ? (recording?.segmentId ?? 0) : countOf(event.segment_id, 4_294_967_295),
    timestamp,
    started:
      started === undefined ? timestamp : Math.round(clampTimeMs(started + context.clockShiftMs, context.receivedAt)),
    received_at: context.receivedAt,
    retention_days: context.retentionDays.rest,
    weight: 1,
    replay_type: textOf(event.replay_type) || 'session',
    environment: event.environment ?? '',
    release: event.release ?? '',
    user_hash: userHash(context.projectId, user?.id ?? '', user?.email, user?.username, user?.ip_address),
    urls: texts(event.urls),
    error_ids: ids(event.error_ids),
    trace_ids: ids(event.trace_ids),
    recording_bytes: recording?.sizeBytes ?? 0,
    recording_blob: recording?.key ?? '',
    data: JSON.stringify(event),
  }
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'string').slice(0, maxListed) : []

const ids = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(readId).filter(Boolean).slice(0, maxListed) : []
