import type { StoredEvent } from '#protocol/event.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import type { Parent } from '../span/legacy-span-row.ts'

/** What streamed spans say each for itself, and children of a transaction leave to it. */
export function inheritedFacts(event: StoredEvent, segment: SpanRow): Parent['inherited'] {
  return {
    segmentName: segment.segment_name,
    source: segment.segment_source,
    segmentId: event.contexts.trace?.span_id,
    sdkName: segment.sdk_name,
    sdkVersion: segment.sdk_version,
    release: segment.release,
    environment: segment.environment,
    dist: segment.dist,
    serverName: segment.server_name,
    replayId: segment.replay_id,
    userId: event.user?.id,
    userEmail: event.user?.email,
    userName: event.user?.username,
    userIp: event.user?.ip_address,
    sampleRate: segment.client_sample_rate,
  }
}
