/**
 * A recorded visit as another user would have made it at another time: consistent ids, times, releases and user in all of its payloads.
 * Each visit is written as JSON once, with slots for what differs, because most of it is the same in every repeat.
 */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import {
  type CapturedItem,
  type CapturedRequest,
  type CapturedVisit,
  type Feedback,
  recordedFeedback,
  recordedReleases,
  recordedUser,
} from './capture-file.ts'

export type Repeat = {
  /** Makes the ids of this repeat; the same text makes the same ids. */
  key: string
  /** Milliseconds since 1970. */
  beginsAt: number
  user: string
  /** Instead of the recorded ones, in their order. */
  releases: readonly [string, string]
  feedback: Feedback
}

/** `body` is the envelope that the request carried. */
export type RepeatedRequest = { at: number; userAgent: string; body: Buffer }

/** What differs between repeats. */
type Changes = {
  shiftMs: number
  user: string
  /** What the user has written, by the recorded texts. */
  words: ReadonlyMap<string, string>
  idOf(id: string): string
  /** Releases by their recorded names, as SDKs send them, and encoded as in a URL. */
  releases: ReadonlyMap<string, string>
}
type Slot = (changes: Changes) => string
type Text = readonly (string | Slot)[]

/** A payload may speak of the moments before the visit began: clocks differ, and a page load begins before its first request. */
const marginMs = 60_000

export function prepareVisit(
  visit: CapturedVisit,
  ids: ReadonlySet<string>,
): (repeat: Repeat) => readonly RepeatedRequest[] {
  const write = createWriter(visit, ids)
  const requests = visit.requests.map(({ at, userAgent, headers, items }: CapturedRequest) => ({
    at,
    userAgent,
    headers: write(headers),
    items: items.map(item => ({ headers: write(item.headers), encode: prepareItem(item, write) })),
  }))
  return repeat => {
    const changes = changesOf(visit, repeat)
    return requests.map(({ at, userAgent, headers, items }) => {
      const parts: Buffer[] = [Buffer.from(`${fill(headers, changes)}\n`)]
      for (const item of items) {
        const bytes = item.encode(changes)
        const itemHeaders = { ...JSON.parse(fill(item.headers, changes)), length: bytes.length }
        parts.push(Buffer.from(`${JSON.stringify(itemHeaders)}\n`), bytes, Buffer.from('\n'))
      }
      return { at: at + changes.shiftMs, userAgent, body: Buffer.concat(parts) }
    })
  }
}

function prepareItem({ payload }: CapturedItem, write: (value: unknown) => Text): (changes: Changes) => Buffer {
  if (payload.kind === 'bytes') {
    const bytes = Buffer.from(payload.base64, 'base64')
    return () => bytes
  }
  if (payload.kind === 'json') {
    const text = write(payload.value)
    return changes => Buffer.from(fill(text, changes))
  }
  const [headers, events] = [write(payload.headers), write(payload.events)]
  return changes => Buffer.concat([Buffer.from(`${fill(headers, changes)}\n`), deflateSync(fill(events, changes))])
}

function fill(text: Text, changes: Changes): string {
  let filled = ''
  for (const part of text) filled += typeof part === 'string' ? part : part(changes)
  return filled
}

function changesOf(visit: CapturedVisit, { key, beginsAt, user, releases, feedback }: Repeat): Changes {
  const renamed = new Map<string, string>()
  const names = recordedReleases.flatMap((recorded, index) => {
    const name = releases[index] ?? recorded
    return [[recorded, name] as const, [encodeURIComponent(recorded), encodeURIComponent(name)] as const]
  })
  return {
    shiftMs: beginsAt - visit.beganAt,
    user,
    words: new Map(feedbackFields.map(name => [recordedFeedback[name], feedback[name]])),
    idOf: id => {
      const known = renamed.get(id) ?? renameId(id, key)
      renamed.set(id, known)
      return known
    },
    releases: new Map<string, string>(names),
  }
}

/** An id, a time, or a release as SDKs send it or encoded as in a URL. */
const changing =
  /(?<![0-9a-f])(?:[0-9a-f]{32}|[0-9a-f]{16}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f])|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z|shop(?:@|%40)\d\.\d\.\d/g

/** Writes a value of the visit as JSON with slots. */
function createWriter(visit: CapturedVisit, ids: ReadonlySet<string>): (value: unknown) => Text {
  const firstMs = visit.beganAt - marginMs
  const lastMs = visit.endedAt + marginMs
  const isInVisit = (ms: number) => ms >= firstMs && ms <= lastMs

  function slotOf(match: string): Slot | null {
    if (match.startsWith('shop')) return ({ releases }) => releases.get(match) ?? match
    if (!match.endsWith('Z')) return ids.has(match) ? ({ idOf }) => idOf(match) : null
    const ms = Date.parse(match)
    return isInVisit(ms) ? ({ shiftMs }) => new Date(ms + shiftMs).toISOString() : null
  }

  /** Times are in seconds, milliseconds, or nanoseconds as OpenTelemetry has them. */
  function slotOfNumber(value: number): Slot | null {
    if (isInVisit(value)) return ({ shiftMs }) => String(value + shiftMs)
    if (isInVisit(value * 1e3)) return ({ shiftMs }) => String(Math.round(value * 1e6 + shiftMs * 1e3) / 1e6)
    return isInVisit(value / 1e6) ? ({ shiftMs }) => String(value + shiftMs * 1e6) : null
  }

  return value => {
    const parts: (string | Slot)[] = []
    let literal = ''
    const addSlot = (slot: Slot): void => {
      parts.push(literal, slot)
      literal = ''
    }
    const addString = (text: string): void => {
      literal += '"'
      if (text === recordedUser) addSlot(({ user }) => user)
      else if (isFeedback(text)) addSlot(({ words }) => inQuotes(words.get(text) ?? text))
      else {
        let from = 0
        for (const { 0: match, index } of text.matchAll(changing)) {
          const slot = slotOf(match)
          if (slot === null) continue
          literal += inQuotes(text.slice(from, index))
          addSlot(slot)
          from = index + match.length
        }
        literal += inQuotes(text.slice(from))
      }
      literal += '"'
    }
    const add = (each: unknown): void => {
      const slot = typeof each === 'number' ? slotOfNumber(each) : null
      if (slot !== null) addSlot(slot)
      else if (typeof each === 'string') addString(each)
      else if (Array.isArray(each)) addAll('[', each, ']', add)
      else if (typeof each !== 'object' || each === null) literal += JSON.stringify(each)
      else
        addAll('{', Object.entries(each), '}', ([name, inner]) => {
          addString(name)
          literal += ':'
          add(inner)
        })
    }
    function addAll<Each>(open: string, list: readonly Each[], close: string, addEach: (each: Each) => void): void {
      literal += open
      for (const [index, each] of list.entries()) {
        if (index > 0) literal += ','
        addEach(each)
      }
      literal += close
    }
    add(value)
    return [...parts, literal]
  }
}

const feedbackFields = ['name', 'email', 'message'] as const
const isFeedback = (text: string): boolean => feedbackFields.some(name => recordedFeedback[name] === text)

const inQuotes = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Keeps the length, and the hyphens of a UUID. */
function renameId(id: string, key: string): string {
  const digits = createHash('sha256').update(`${key}:${id}`).digest('hex')
  let at = 0
  return id.replaceAll(/[0-9a-f]/g, () => digits[at++] ?? '0')
}
