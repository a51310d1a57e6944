/** A request of an SDK as the capture file holds it: payloads that can be read are JSON, so that they compress well and can be changed. */
import { inflateSync } from 'node:zlib'
import type { CapturedItem, CapturedRequest } from '#cli/seed/captures/capture-file.ts'
import { readEnvelope } from '#protocol/read-envelope.ts'
import type { ReceivedRequest } from './start-recorder.ts'

/** About what an SDK did not send, which is not shown anywhere. */
const unwanted = new Set(['client_report'])
export function unpackEnvelope({ at, userAgent, body }: ReceivedRequest): CapturedRequest | null {
  const envelope = readEnvelope(body)
  const [fault] = envelope.faults
  if (fault) throw new Error(`The SDK sent an envelope with a fault: ${fault.code}`)
  const items = envelope.items
    .filter(({ headers }) => !unwanted.has(headers.type))
    .map(({ headers, payload }) => {
      if (payload.kind !== 'bytes') throw new Error('Bodies are in memory.')
      return { headers: { ...headers }, payload: unpackPayload(headers.type, payload.bytes) }
    })
  if (items.length === 0) return null
  const { dsn: _, ...headers } = JSON.parse(body.subarray(0, body.indexOf(0x0a)).toString('utf8')) as { dsn?: string }
  return { at, userAgent, headers, items }
}

/** Per visit. The server profiles each request, and most profiles show only the profiler. */
const keptProfiles = 6

export function withLargestProfiles(requests: readonly CapturedRequest[]): CapturedRequest[] {
  const sizes = requests.flatMap(({ items }) => items.filter(isProfile).map(countSamples))
  const least = sizes.toSorted((one, other) => other - one)[keptProfiles - 1] ?? 0
  return requests
    .map(request => ({
      ...request,
      items: request.items.filter(item => !isProfile(item) || countSamples(item) >= least),
    }))
    .filter(({ items }) => items.length > 0)
}

const isProfile = ({ headers }: CapturedItem): boolean => headers.type === 'profile_chunk'

type ProfileChunk = { profiler_id?: string; profile?: { samples?: { timestamp: number }[] } }
const countSamples = ({ payload }: CapturedItem): number =>
  payload.kind === 'json' ? ((payload.value as ProfileChunk).profile?.samples?.length ?? 0) : 0

type Attributes = Record<string, unknown>
type Span = { start_timestamp: number; end_timestamp: number; attributes: Attributes }
const profilerId = 'sentry.profiler_id'

/** A span whose time has no sample would promise a profile that is not there. */
export function withoutMissingProfiles(requests: CapturedRequest[]): CapturedRequest[] {
  const valuesOf = (type: string) =>
    requests
      .flatMap(({ items }) => items)
      .flatMap(({ headers, payload }) => (headers.type === type && payload.kind === 'json' ? [payload.value] : []))
  const chunks = valuesOf('profile_chunk') as ProfileChunk[]
  const hasSample = ({ start_timestamp, end_timestamp, attributes }: Span): boolean => {
    const id = (attributes[profilerId] as { value?: unknown } | undefined)?.value
    const samples = chunks.filter(chunk => chunk.profiler_id === id).flatMap(chunk => chunk.profile?.samples ?? [])
    return samples.some(({ timestamp }) => timestamp >= start_timestamp && timestamp <= end_timestamp)
  }
  for (const { items } of valuesOf('span') as { items: Span[] }[])
    for (const span of items) if (profilerId in span.attributes && !hasSample(span)) delete span.attributes[profilerId]
  return requests
}

function unpackPayload(type: string, bytes: Buffer): CapturedItem['payload'] {
  if (type === 'attachment') return { kind: 'bytes', base64: bytes.toString('base64') }
  if (type !== 'replay_recording') return { kind: 'json', value: JSON.parse(bytes.toString('utf8')) }
  const end = bytes.indexOf(0x0a)
  const events = bytes.subarray(end + 1)
  const text = events[0] === 0x78 ? inflateSync(events) : events
  return {
    kind: 'recording',
    headers: JSON.parse(bytes.subarray(0, end).toString('utf8')) as Record<string, unknown>,
    events: JSON.parse(text.toString('utf8')),
  }
}

const idPattern = /^(?:[0-9a-f]{32}|[0-9a-f]{16}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
/** Look like ids, and are the same in all visits. */
const lasting = new Set(['debug_id', 'public_key'])

/** The ids in a payload, which each repeat of a visit renames. */
export function listIds(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string' && idPattern.test(value)) found.add(value)
  else if (Array.isArray(value)) for (const each of value) listIds(each, found)
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) if (!lasting.has(name)) listIds(each, found)
  return found
}
