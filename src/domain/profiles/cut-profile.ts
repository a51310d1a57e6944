/** Joins the chunks of one profiler, and cuts them to a time and a thread. */
import type { Chunk, ProfileFrame } from './read-chunk.ts'

/** What a thread did from `startMs` on, for `durationMs`: relative to the beginning of the cut. */
export type Slice = { startMs: number; durationMs: number; stack: readonly number[] }
export type CutProfile = {
  frames: ProfileFrame[]
  slices: Slice[]
  /** Between two samples, usually. No time is more exact. */
  intervalMs: number
  threadName: string
  samples: number
}

export type Cut = { fromMs: number; toMs: number; thread: string | null }

/** Whoever sleeps longer than this many intervals was not sampled. */
const longestGap = 10

/** Null without a sample in that time. Without a thread, the one with the most samples is taken. */
export function cutProfile(chunks: readonly Chunk[], { fromMs, toMs, thread }: Cut): CutProfile | null {
  const { frames, samples } = join(chunks)
  const counts = new Map<string, number>()
  for (const { thread: id, atMs } of samples)
    if (atMs <= toMs && atMs >= fromMs - 1_000) counts.set(id, (counts.get(id) ?? 0) + 1)
  const busiest = [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
  const chosen = thread !== null && counts.has(thread) ? thread : busiest
  if (chosen === undefined) return null
  const own = samples.filter(({ thread: id }) => id === chosen)
  const gaps = own.slice(1).map((sample, at) => sample.atMs - (own[at]?.atMs ?? 0))
  const intervalMs = median(gaps.filter(gap => gap > 0)) || 10
  const slices: Slice[] = []
  for (const [at, { atMs, stack }] of own.entries()) {
    const endMs = atMs + Math.min(gaps[at] ?? intervalMs, longestGap * intervalMs)
    const [start, end] = [Math.max(atMs, fromMs), Math.min(endMs, toMs)]
    if (end > start && stack.length > 0) slices.push({ startMs: start - fromMs, durationMs: end - start, stack })
  }
  if (slices.length === 0) return null
  const threadName = chunks.map(({ threads }) => threads.get(chosen)).find(name => name) ?? chosen
  return { frames, slices, intervalMs, threadName, samples: slices.length }
}

/** The same function of two chunks is one frame. */
function join(chunks: readonly Chunk[]) {
  const frames: ProfileFrame[] = []
  const indexes = new Map<string, number>()
  const samples = chunks.flatMap(chunk => {
    const mapped = chunk.frames.map(frame => {
      const key = `${frame.name}\n${frame.file}\n${frame.line}:${frame.column}`
      const known = indexes.get(key) ?? frames.push(frame) - 1
      indexes.set(key, known)
      return known
    })
    return chunk.samples.map(sample => ({ ...sample, stack: sample.stack.map(at => mapped[at] ?? 0) }))
  })
  return { frames, samples: samples.sort((a, b) => a.atMs - b.atMs) }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Only the app's own frames, as if the others had been inlined. */
export const ownCodeOnly = (profile: CutProfile): CutProfile => ({
  ...profile,
  slices: profile.slices.flatMap(slice => {
    const stack = slice.stack.filter(at => profile.frames[at]?.isOwn)
    return stack.length > 0 ? [{ ...slice, stack }] : []
  }),
})
