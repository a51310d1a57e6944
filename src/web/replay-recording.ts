import { setImmediate } from 'node:timers/promises'
import type { ReplaySegment } from '#domain/replays/find-replay.ts'
import { openRecording, readFrames } from '#domain/replays/recording/read-frames.ts'
import { readSignal } from '#lib/read-signal.ts'
import { inflateRecording } from '#protocol/recording.ts'
import { getRuntime } from '#runtime.ts'
import { streamParts } from './stream-parts.ts'

/** Ingest refuses larger ones. */
const maxSegmentBytes = 40 * 1024 * 1024

/**
 * The recording of a replay for its player: a line of JSON for each segment, sanitized and in order, written as it is read. Only the
 * player document builds it, but what comes here must not be able to harm any other reader either.
 */
export function recordingResponse(segments: readonly ReplaySegment[], keepsRemote: boolean): Response {
  const body = streamParts(readLines(segments, keepsRemote), { route: '/[org]/replays/[replayId]/recording' })
  return new Response(body, {
    headers: {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  })
}

async function* readLines(segments: readonly ReplaySegment[], keepsRemote: boolean): AsyncGenerator<string, void> {
  const reader = openRecording({ keepsRemote })
  for (const { segment, blob } of segments) {
    const bytes = await readBlob(blob)
    const read = bytes === null ? null : readFrames(reader, bytes)
    const { isReadable = false, cut = 0, stylesheets = 0, masking = null, frames = [] } = read ?? {}
    const { resources = [], memory = [] } = read ?? {}
    const about = JSON.stringify({ segment, isReadable, cut, stylesheets, masking, resources, memory })
    yield `${about.slice(0, -1)},"frames":[${frames.join(',')}]}\n`
    await setImmediate() // other requests go first
  }
}

/** The sanitized events of each segment, for readers on the server. */
export async function* recordingFrames(segments: readonly ReplaySegment[]): AsyncGenerator<string[], undefined> {
  const reader = openRecording({ keepsRemote: false })
  for (const { blob } of segments) {
    const bytes = await readBlob(blob)
    if (bytes !== null) yield readFrames(reader, bytes).frames
    await setImmediate() // other requests go first
    readSignal()?.throwIfAborted()
  }
  return undefined
}

/** The recording as it is stored, for exports: one array of events for each segment. */
export function recordingArrays(segments: readonly ReplaySegment[]): Response {
  const body = streamParts(readArrays(segments), {
    route: '/api/0/projects/[org]/[project]/replays/[replayId]/recording-segments',
  })
  return new Response(body, { headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' } })
}

async function* readArrays(segments: readonly ReplaySegment[]): AsyncGenerator<string | Uint8Array, void> {
  yield '['
  for (const [index, { blob }] of segments.entries()) {
    const bytes = await readBlob(blob)
    const plain = bytes === null ? null : inflateRecording(bytes)
    if (index > 0) yield ','
    yield Buffer.isBuffer(plain) ? plain : '[]'
  }
  yield ']'
}

async function readBlob(key: string): Promise<Buffer | null> {
  const stream = await getRuntime().blobs.read(key)
  if (stream === null) return null
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream) {
    const bytes = Buffer.from(part)
    size += bytes.length
    if (size > maxSegmentBytes) {
      stream.destroy()
      return null
    }
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}
