import type { GroupedEvent, ServerErrorClue } from '#domain/issues/counters/grouped-event.ts'
import { type Grouping, type GroupKey, groupEvent } from '#grouping/group-event.ts'
import { isMinified } from '#grouping/v1/file-traits.ts'
import { feedbackKind } from '#lib/event-kind.ts'
import { isObject, type JsonObject, textOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { findAnySkew } from '#react/deploy-skew.ts'
import { missingFileOf, routeSyntaxOf, sentRouteOf } from '#react/frameworks/find-frameworks.ts'
import { findNoise } from '#react/noise/noise-rules.ts'
import { routeOf } from '#react/route.ts'
import { isPrefetch } from '#react/router-fetch.ts'
import { digestOf } from '#react/server-digest.ts'
import { isServerEcho, isServerError } from '#react/server-error.ts'
import { type Side, sideOf } from '#react/side.ts'
import { hasShapes } from '#scrubbing/scrub-text.ts'
import type { EventRow } from '#store/telemetry/rows.ts'
import { type MinifiedFrame, minifiedFrames, sentFrames } from '#symbolication/symbolicate-events.ts'
import { limits } from '../../limits.ts'
import { cleanTree } from '../../normalize/clean-tree.ts'
import { readId, readIdOrNone, readSpanId } from '../../normalize/ids.ts'
import { userHash } from '../../normalize/user-hash.ts'
import { Notes } from '../../notes.ts'
import { scrubOwnEvent } from '../../own-rules/scrub-item.ts'
import { addRow } from '../../processed-record.ts'
import { readJsonItem } from '../../read/read-json.ts'
import { claimEventId, discard, type RecordContext } from '../../record-context.ts'
import { headerOf, userAgentOf } from './event-client.ts'
import { normalizeEvent } from './normalize-event.ts'

export function processEvent(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  if (!isObject(payload.value)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const notes = new Notes()
  if (!payload.isValidUtf8) notes.add('invalid', '', 'bytes that are no UTF-8 were replaced')
  const event = normalizeEvent(payload.value, claimEventId(payload.value.event_id, itemIndex, context), context, notes)
  cleanEvent(event, hasShapes(payload.text), notes)
  addEvent(event, kindOf(event), notes, context)
}

/** A message stays a message when the SDK attaches a stack to it. */
function kindOf(event: StoredEvent): string {
  const error = event.exception?.values.at(-1)
  if (error === undefined) return 'message'
  const isMessage = error.mechanism?.synthetic === true && event.logentry !== undefined
  return isMessage ? 'message' : 'error'
}

/**
 * Groups and classifies a clean event, and adds its row. Own scrubbing rules come after the grouping, so that no rule splits an issue or
 * hides a known kind of noise; titles and all other columns come after the rules (0065).
 */
export function addEvent(event: StoredEvent, kind: string, notes: Notes, context: RecordContext): void {
  const sent = groupEvent(event)
  const classes = kind === feedbackKind ? plain : classify(event, context)
  const frames = minifiedFrames(event, context.projectId)
  const sentData = context.own !== null && frames.length > 0 ? JSON.stringify(event) : ''
  const isChanged = scrubOwnEvent(event, context, notes)
  if (!notes.isEmpty) event._hydrant = notes.toJson()
  const { title, culprit } = isChanged ? groupEvent(event) : sent
  const row = eventRow(event, { ...sent, title, culprit }, kind, context)
  addRow(context.out, 'events', row)
  const grouped = { ...groupedEventOf(row, sent.fallbacks, sideOf(event)), ...classes }
  context.out.groupedEvents.push(grouped)
  if (frames.length === 0) return
  const deciding = frames.filter(frame => isDeciding(event, frame))
  context.out.stacks.push({ row, grouped, frames, deciding, ...(isChanged ? { sentData } : {}) })
}

/** What a user writes is neither noise nor a known error, whatever it says. */
const plain = { noise: [], isSkew: false, isMissingFile: false, serverError: null }

const classify = (event: StoredEvent, context: RecordContext) => ({
  noise: findNoise(event, userAgentOf(event, context)),
  isSkew: findAnySkew(event) !== null,
  isMissingFile: missingFileOf(event) !== null,
  serverError: serverErrorOf(event),
})

function serverErrorOf(event: StoredEvent): ServerErrorClue | null {
  if (isServerError(event)) return { digest: digestOf(event) }
  return isServerEcho(event) ? { digest: '', isEcho: true } : null
}

/** Whether the frame is minified and belongs to the thrown error, not to one of its causes. */
function isDeciding(event: StoredEvent, { exception, index }: MinifiedFrame): boolean {
  const values = event.exception?.values ?? []
  const value = values[exception]
  const frame = value && exception === values.length - 1 ? sentFrames(value)[index] : undefined
  return frame !== undefined && isMinified(frame)
}

function groupedEventOf(
  row: EventRow,
  groupFallbacks: GroupKey[],
  side: Side,
): Omit<GroupedEvent, 'noise' | 'isSkew' | 'isMissingFile' | 'serverError'> {
  return {
    projectId: row.project_id,
    groupVersion: row.group_version,
    groupHash: row.group_hash,
    groupFallbacks,
    eventId: row.event_id,
    timestamp: row.timestamp,
    title: row.title,
    culprit: row.culprit,
    kind: row.kind,
    level: row.level,
    side,
    release: row.release,
    userHash: row.user_hash,
    weight: row.weight,
  }
}

function eventRow(event: StoredEvent, grouping: Grouping, kind: string, context: RecordContext): EventRow {
  const { contexts, user, sdk } = event
  const chain = event.exception?.values ?? []
  const error = chain.at(-1)
  const routeRaw = sentRouteOf(event)
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
    route: routeOf(routeRaw, routeSyntaxOf(textOf(sdk?.name))),
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
    tags: tagsOf(event),
    data: JSON.stringify(event),
  }
}

/** `logger` is searched and shown as a tag, as SDKs of Python and Java expect. A tag of that name that the app sets has precedence. */
function tagsOf({ tags, logger }: StoredEvent): Record<string, string> {
  const name = clipText(textOf(logger), limits.tagValueChars)
  return name === '' ? tags : { logger: name, ...tags }
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

/** Scrubs and cuts the whole event. `extra` has a limit of its own, because apps put dumps there. */
export function cleanEvent(event: StoredEvent, mayHaveShapes: boolean, notes: Notes): void {
  const { extra } = event
  if (extra !== undefined) event.extra = undefined
  cleanTree(event, '', mayHaveShapes, notes)
  if (extra !== undefined) event.extra = cleanTree(extra, 'extra', mayHaveShapes, notes, limits.extraChars)
}
