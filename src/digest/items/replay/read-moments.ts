/** What a user did and met, from the custom events of a recording: clicks, inputs, pages, requests, console lines. Pure. */

import { countOf, type JsonObject, numberOf, objectOf, textOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import { recordedMs, rrweb } from '#protocol/recording.ts'
import type { ReplayMomentRow } from '#store/telemetry/rows.ts'

export type MomentKind =
  | 'page'
  | 'navigation'
  | 'click'
  | 'dead_click'
  | 'rage_click'
  | 'input'
  | 'console'
  | 'request'
  | 'hydration_error'
  | 'feedback'
  | 'leave'
  | 'return'

type Fields = Omit<
  ReplayMomentRow,
  'project_id' | 'replay_id' | 'segment_id' | 'timestamp' | 'received_at' | 'retention_days' | 'weight' | 'kind'
>
/** `at` is in milliseconds, by the clock of the browser. */
export type Moment = Fields & { at: number; kind: MomentKind }

export type SegmentMoments = { moments: Moment[]; clicks: number; deadClicks: number; rageClicks: number }

/** Of one segment, which covers some seconds. More would be a page that logs in a loop. */
const maxMoments = 300
const [maxSelectorChars, maxTextChars, maxUrlChars] = [500, 500, 1_000]

export function readMoments(events: readonly JsonObject[]): SegmentMoments {
  const found = events.flatMap(event => momentOf(event) ?? [])
  const moves = found.filter(({ kind, method }) => kind === 'navigation' && method !== '')
  // The SDK reports a navigation twice, as a breadcrumb and as a span with the whole URL.
  const once = found.filter(
    ({ kind, method, at }) =>
      kind !== 'navigation' || method !== '' || !moves.some(move => Math.abs(move.at - at) <= sameMs),
  )
  const count = (...kinds: MomentKind[]) => once.filter(({ kind }) => kinds.includes(kind)).length
  return {
    moments: once.sort((a, b) => a.at - b.at).slice(0, maxMoments),
    clicks: count('click'),
    deadClicks: once.filter(({ kind, level }) => kind === 'dead_click' || (kind === 'rage_click' && level === 'dead'))
      .length,
    rageClicks: count('rage_click'),
  }
}

const sameMs = 5

const none: Fields = { level: '', selector: '', text: '', url: '', method: '', node_id: 0, status: 0, duration_ms: 0 }

function momentOf({ type, timestamp, data: rawData }: JsonObject): Moment | null {
  const data = objectOf(rawData) ?? {}
  const at = numberOf(timestamp)
  if (type === rrweb.meta && at !== undefined)
    return { ...none, kind: 'page', at: recordedMs(at), url: cut(data.href, maxUrlChars) }
  const payload = type === rrweb.custom ? objectOf(data.payload) : undefined
  if (payload === undefined) return null
  if (data.tag === 'breadcrumb') return crumbMoment(payload, numberOf(payload.timestamp) ?? at)
  if (data.tag === 'performanceSpan') return spanMoment(payload)
  return null
}

function crumbMoment(payload: JsonObject, time: number | undefined): Moment | null {
  if (time === undefined) return null
  const data = objectOf(payload.data) ?? {}
  const node = objectOf(data.node)
  const at = recordedMs(time)
  const onNode = {
    ...none,
    at,
    selector: cut(payload.message, maxSelectorChars),
    text: cut(node?.textContent, maxTextChars),
    node_id: countOf(data.nodeId, 4_294_967_295),
  }
  switch (payload.category) {
    case 'ui.click':
      return { ...onNode, kind: 'click' }
    case 'ui.slowClickDetected':
      return slowClick(onNode, data, textOf(node?.tagName))
    case 'ui.multiClick':
      return countOf(data.clickCount) >= rageClicks
        ? { ...onNode, kind: 'rage_click', url: cut(data.url, maxUrlChars), status: countOf(data.clickCount, 65_535) }
        : null
    case 'ui.input':
      return { ...onNode, kind: 'input' }
    case 'navigation':
      return { ...none, at, kind: 'navigation', url: cut(data.to, maxUrlChars), text: cut(data.from, maxUrlChars) }
    case 'console':
      return { ...none, at, kind: 'console', level: cut(payload.level, 20), text: cut(payload.message, maxTextChars) }
    case 'replay.hydrate-error':
      return { ...none, at, kind: 'hydration_error', url: cut(data.url, maxUrlChars) }
    case 'sentry.feedback':
      return { ...none, at, kind: 'feedback', text: cut(data.feedbackId, 32) }
    case 'ui.blur':
      return { ...none, at, kind: 'leave' }
    case 'ui.focus':
      return { ...none, at, kind: 'return' }
    default:
      return null
  }
}

const [deadAfterMs, rageClicks] = [7_000, 5]
const clickable = new Set(['a', 'button', 'input'])

/** A click on a control after which nothing happened is dead; a rage click is five or more of them. */
function slowClick(onNode: Omit<Moment, 'kind'>, data: JsonObject, tagName: string): Moment | null {
  const isDead = clickable.has(tagName) && data.endReason === 'timeout' && countOf(data.timeAfterClickMs) >= deadAfterMs
  if (!isDead) return null
  const clicks = countOf(data.clickCount, 65_535)
  const about = { ...onNode, url: cut(data.url, maxUrlChars), status: clicks, level: 'dead' }
  return { ...about, kind: clicks >= rageClicks ? 'rage_click' : 'dead_click' }
}

function spanMoment(payload: JsonObject): Moment | null {
  const [start, end] = [numberOf(payload.startTimestamp), numberOf(payload.endTimestamp)]
  const op = textOf(payload.op)
  if (start === undefined) return null
  const data = objectOf(payload.data) ?? {}
  const at = recordedMs(start)
  const duration_ms = Math.min(Math.max(0, Math.round(recordedMs(end ?? start) - at)), 4_294_967_295)
  const about = { ...none, at, url: cut(payload.description, maxUrlChars), duration_ms }
  if (op === 'resource.fetch' || op === 'resource.xhr')
    return {
      ...about,
      kind: 'request',
      method: cut(data.method, 20) || 'GET',
      status: countOf(data.statusCode, 65_535),
    }
  return op.startsWith('navigation.') ? { ...about, kind: 'navigation', method: op.slice(11, 31) } : null
}

const cut = (value: unknown, chars: number): string => clipText(textOf(value), chars).toWellFormed()
