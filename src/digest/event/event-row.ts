import type { Grouping } from '#group/group-event.ts'
import { isPrefetch } from '#lens/is-prefetch.ts'
import { routeOf } from '#lens/route.ts'
import { type JsonObject, textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { EventRow } from '#store/telemetry/rows.ts'
import { readId, readIdOrNone, readSpanId } from '../normalise/ids.ts'
import { userHash } from '../normalise/user-hash.ts'
import type { RecordContext } from '../record-context.ts'
import { headerOf } from './header-of.ts'

export function eventRow(event: StoredEvent, grouping: Grouping, kind: string, context: RecordContext): EventRow {
  const { contexts, user, sdk } = event
  const chain = event.exception?.values ?? []
  const error = chain.at(-1)
  const routeRaw = textOf(contexts.nextjs?.router_path) || (event.transaction ?? '')
  const os = contexts.client_os ?? contexts.os
  return {
    project_id: context.projectId,
    event_id: event.event_id,
    timestamp: Math.round(event.timestamp * 1e3),
    received_at: context.receivedAt,
    retention_days: context.retentionDays.errors,
    weight: 1,
    client_sample_rate: 1,
    group_version: grouping.version,
    group_hash: grouping.hash,
    kind,
    level: event.level,
    platform: event.platform,
    type: error?.type ?? '',
    title: grouping.title,
    culprit: grouping.culprit,
    is_handled: chain.every(each => each.mechanism?.handled !== false),
    mechanism: error?.mechanism?.type ?? '',
    route_raw: routeRaw,
    route: routeOf(routeRaw),
    url: event.request?.url ?? '',
    environment: event.environment ?? '',
    release: event.release ?? '',
    dist: event.dist ?? '',
    server_name: event.server_name ?? '',
    user_hash: userHash(context.projectId, user?.id ?? '', user?.email, user?.username, user?.ip_address),
    replaced_user_hash: '0',
    user_id: user?.id ?? '',
    user_email: user?.email ?? '',
    user_name: user?.username ?? textOf(user?.name),
    user_ip: user?.ip_address ?? '',
    trace_id: readIdOrNone(contexts.trace?.trace_id),
    span_id: readSpanId(contexts.trace?.span_id),
    replay_id: replayIdOf(event, context),
    sdk_name: textOf(sdk?.name),
    sdk_version: textOf(sdk?.version),
    browser_name: textOf(contexts.browser?.name),
    browser_version: textOf(contexts.browser?.version),
    os_name: textOf(os?.name),
    os_version: textOf(os?.version).trim(),
    device: textOf(contexts.device?.model ?? contexts.device?.family),
    is_prefetch: isPrefetchRequest(event.request?.headers),
    tags: event.tags,
    data: JSON.stringify(event),
  }
}

function replayIdOf(event: StoredEvent, context: RecordContext): string {
  const id = readId(event.contexts.replay?.replay_id) || readId(event.tags.replayId)
  return id || readIdOrNone(context.trace?.replay_id)
}

function isPrefetchRequest(headers: JsonObject | undefined): boolean {
  if (headers === undefined) return false
  return isPrefetch({
    prefetch: undefined,
    nextPrefetch: headerOf(headers, 'next-router-prefetch'),
    nextSegmentPrefetch: headerOf(headers, 'next-router-segment-prefetch'),
    middlewarePrefetch: headerOf(headers, 'x-middleware-prefetch'),
    purpose: headerOf(headers, 'purpose'),
    secPurpose: headerOf(headers, 'sec-purpose'),
  })
}
