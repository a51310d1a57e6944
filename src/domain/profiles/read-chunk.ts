/** Reads a profile as SDKs send it: a chunk of a continuous profile (version 2), or the profile of one transaction (version 1). */

import { isInApp } from '#lib/is-in-app.ts'
import { isObject, type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'

export type ProfileFrame = { name: string; file: string; line: number; column: number; isOwn: boolean }
/** `stack` has indexes of frames, the outermost first. Empty while the thread was idle. */
export type ProfileSample = { atMs: number; thread: string; stack: number[] }
export type Chunk = {
  frames: ProfileFrame[]
  samples: ProfileSample[]
  threads: Map<string, string>
  platform: string
  release: string
  debugMeta: unknown
}

/** More is no profile of a minute. Deeper stacks lose their innermost frames. */
const limits = { frames: 50_000, stacks: 100_000, samples: 200_000, depth: 256, chars: 300 }

/** Null for what is not a profile. Samples whose stack does not exist are left out, and so are their missing frames. */
export function readChunk(value: unknown): Chunk | null {
  const chunk = objectOf(value)
  const profile = objectOf(chunk?.profile)
  if (chunk === undefined || profile === undefined) return null
  const frames = listOf(profile.frames, limits.frames).map(readFrame)
  const stacks = listOf(profile.stacks, limits.stacks).map(stack =>
    (Array.isArray(stack) ? stack : [])
      .filter((at): at is number => Number.isInteger(at) && at >= 0 && at < frames.length)
      .reverse()
      .slice(0, limits.depth),
  )
  const startMs = Date.parse(textOf(chunk.timestamp))
  const samples = listOf(profile.samples, limits.samples)
    .flatMap((sample): ProfileSample[] => {
      if (!isObject(sample)) return []
      const stack = stacks[Number(sample.stack_id)]
      const atMs = timeOf(sample, startMs)
      return stack === undefined || !Number.isFinite(atMs) ? [] : [{ atMs, thread: textOf(sample.thread_id), stack }]
    })
    .sort((a, b) => a.atMs - b.atMs)
  if (samples.length === 0) return null
  const threads = Object.entries(objectOf(profile.thread_metadata) ?? {}).slice(0, 1_000)
  return {
    frames,
    samples,
    threads: new Map(threads.map(([id, about]) => [id, clip(textOf(objectOf(about)?.name))])),
    platform: clip(textOf(chunk.platform)),
    release: clip(textOf(chunk.release)),
    debugMeta: chunk.debug_meta,
  }
}

const listOf = (value: unknown, most: number): unknown[] => (Array.isArray(value) ? value.slice(0, most) : [])
const clip = (text: string): string => clipText(text, limits.chars)

/** Version 1 counts nanoseconds from the start, as text. */
const timeOf = (sample: JsonObject, startMs: number): number =>
  sample.timestamp === undefined
    ? startMs + Number(sample.elapsed_since_start_ns) / 1e6
    : Number(sample.timestamp) * 1e3

function readFrame(value: unknown): ProfileFrame {
  const frame = objectOf(value) ?? {}
  const file = clip(textOf(frame.abs_path) || textOf(frame.filename) || textOf(frame.module))
  const number = (given: unknown): number => (Number.isInteger(given) && (given as number) > 0 ? (given as number) : 0)
  return {
    name: clip(textOf(frame.function)) || '(anonymous)',
    file,
    line: number(frame.lineno),
    column: number(frame.colno),
    isOwn: isOwnCode(file) && isInApp(frame),
  }
}

/** Neither a package, nor the runtime, nor an extension of the browser. */
const isOwnCode = (file: string): boolean =>
  file !== '' && !/[/\\]node_modules[/\\]|^(?:node:|native|internal\/|<|\[)|-extension:/.test(file)

/** By the server's clock, as the row of the chunk has it: `atMs` is the time of its first sample. */
export function shiftChunk(chunk: Chunk, atMs: number): Chunk {
  const shiftMs = Math.round(atMs - (chunk.samples[0]?.atMs ?? atMs))
  if (Math.abs(shiftMs) < 2_000) return chunk
  return { ...chunk, samples: chunk.samples.map(sample => ({ ...sample, atMs: sample.atMs + shiftMs })) }
}
