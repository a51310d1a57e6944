/** Adds up where the time of a route went: the samples of profile chunks within the spans of the route. Pure. */
import { cutProfile } from '#domain/profiles/cut-profile.ts'
import { isBundled } from '#domain/profiles/name-frames.ts'
import type { Chunk, ProfileFrame } from '#domain/profiles/read-chunk.ts'
import { noId, type ProfileRow, type ProfileSumRow, type SpanRow } from '#store/telemetry/rows.ts'

/** A segment that names its profiler. Times are milliseconds since 1970. */
export type ProfiledSpan = {
  /** Without its data, since thousands are remembered. */
  row: SpanFields
  profilerId: string
  thread: string | null
  fromMs: number
  toMs: number
}

/** The time of a sample, and which functions of own code were on the stack, the outermost first. */
type OwnSlice = { fromMs: number; toMs: number; own: readonly number[] }

export type SampledChunk = {
  row: ProfileRow
  fromMs: number
  toMs: number
  frames: readonly ProfileFrame[]
  debugIds: ReadonlyMap<string, string>
  /** The threads with the most samples first. */
  threads: Map<string, OwnSlice[]>
  slices: number
}

type SpanFields = Pick<
  SpanRow,
  'project_id' | 'received_at' | 'retention_days' | 'route' | 'release' | 'environment' | 'trace_id' | 'span_id'
>

export function profiledSpanOf(row: SpanRow): ProfiledSpan | null {
  const profilerId = row.profiler_id
  if (!row.is_segment || row.route === '' || profilerId === noId) return null
  const fromMs = row.timestamp / 1e3
  const { project_id, received_at, retention_days, route, release, environment, trace_id, span_id } = row
  return {
    row: { project_id, received_at, retention_days, route, release, environment, trace_id, span_id },
    profilerId,
    thread: row.attributes['thread.id'] ?? null,
    fromMs,
    toMs: fromMs + row.duration_us / 1e3,
  }
}

const mostThreads = 8

/** The samples of each thread as times, with the frames of own code only. */
export function sampleChunk(row: ProfileRow, chunk: Chunk, debugIds: ReadonlyMap<string, string>): SampledChunk | null {
  const [first, last] = [chunk.samples[0], chunk.samples.at(-1)]
  if (first === undefined || last === undefined) return null
  const counts = new Map<string, number>()
  for (const { thread } of chunk.samples) counts.set(thread, (counts.get(thread) ?? 0) + 1)
  const busiest = [...counts].sort(([, a], [, b]) => b - a).slice(0, mostThreads)
  const range = { fromMs: first.atMs, toMs: last.atMs + 1_000 }
  const threads: SampledChunk['threads'] = new Map()
  let frames: readonly ProfileFrame[] = chunk.frames
  for (const [thread] of busiest) {
    const cut = cutProfile([chunk], { ...range, thread })
    if (cut === null) continue
    frames = cut.frames
    threads.set(
      thread,
      cut.slices.map(({ startMs, durationMs, stack }) => ({
        fromMs: range.fromMs + startMs,
        toMs: range.fromMs + startMs + durationMs,
        own: stack.filter((frame, at) => cut.frames[frame]?.isOwn && stack.indexOf(frame) === at),
      })),
    )
  }
  const slices = [...threads.values()].reduce((sum, own) => sum + own.length, 0)
  return slices === 0 ? null : { row, ...range, frames, debugIds, threads, slices }
}

type Sum = { selfMs: number; totalMs: number; samples: number; spans: number; example: ProfiledSpan; exampleMs: number }
type RouteSum = { of: ProfiledSpan; totalMs: number; samples: number; spans: number; functions: Map<number, Sum> }

/** Of one route in one chunk. */
const mostFunctions = 100
/** Slices of all spans: many requests at once share the same samples. */
const mostVisits = 500_000
export const stepSeconds = 300

/** What the functions of a chunk took within these spans, which are of its profiler. */
export function sumFunctions(chunk: SampledChunk, spans: readonly ProfiledSpan[]): ProfileSumRow[] {
  const routes = new Map<string, RouteSum>()
  let visits = 0
  for (const span of spans) {
    if (span.toMs < chunk.fromMs || span.fromMs > chunk.toMs || visits > mostVisits) continue
    const slices = chunk.threads.get(span.thread ?? '') ?? [...chunk.threads.values()][0] ?? []
    const { route, release, environment, retention_days } = span.row
    const key = JSON.stringify([bucketOf(span), route, release, environment, retention_days])
    const sum: RouteSum = routes.get(key) ?? { of: span, totalMs: 0, samples: 0, spans: 0, functions: new Map() }
    visits += addSpan(sum, span, slices)
    if (sum.spans > 0) routes.set(key, sum)
  }
  return [...routes.values()].flatMap(sum => rowsOf(sum, chunk))
}

function addSpan(sum: RouteSum, span: ProfiledSpan, slices: readonly OwnSlice[]): number {
  const inSpan = new Map<number, { selfMs: number; totalMs: number; samples: number }>()
  let samples = 0
  for (let at = firstAfter(slices, span.fromMs); at < slices.length; at++) {
    const slice = slices[at]
    if (slice === undefined || slice.fromMs >= span.toMs) break
    const ms = Math.min(slice.toMs, span.toMs) - Math.max(slice.fromMs, span.fromMs)
    if (ms <= 0) continue
    samples += 1
    sum.totalMs += ms
    for (const [depth, frame] of slice.own.entries()) {
      const own = inSpan.get(frame) ?? { selfMs: 0, totalMs: 0, samples: 0 }
      inSpan.set(frame, own)
      own.totalMs += ms
      own.samples += 1
      if (depth === slice.own.length - 1) own.selfMs += ms
    }
  }
  if (samples === 0) return 0
  sum.samples += samples
  sum.spans += 1
  for (const [frame, { selfMs, totalMs, samples: seen }] of inSpan) {
    const known = sum.functions.get(frame)
    const isMost = known === undefined || totalMs > known.exampleMs
    sum.functions.set(frame, {
      selfMs: (known?.selfMs ?? 0) + selfMs,
      totalMs: (known?.totalMs ?? 0) + totalMs,
      samples: (known?.samples ?? 0) + seen,
      spans: (known?.spans ?? 0) + 1,
      example: isMost ? span : known.example,
      exampleMs: isMost ? totalMs : known.exampleMs,
    })
  }
  return samples
}

/** The first slice that ends after a time. */
function firstAfter(slices: readonly { toMs: number }[], ms: number): number {
  let [low, high] = [0, slices.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((slices[middle]?.toMs ?? 0) <= ms) low = middle + 1
    else high = middle
  }
  return low
}

const bucketOf = ({ fromMs }: ProfiledSpan): number => Math.floor(fromMs / 1e3 / stepSeconds) * stepSeconds

function rowsOf({ of, functions, ...all }: RouteSum, { row, frames, debugIds }: SampledChunk): ProfileSumRow[] {
  const about = {
    project_id: row.project_id,
    bucket: bucketOf(of),
    received_at: row.received_at,
    retention_days: of.row.retention_days,
    route: of.row.route,
    platform: row.platform,
    release: of.row.release,
    environment: of.row.environment,
  }
  const example = ({ trace_id, span_id }: SpanFields, example_ms: number) => ({ trace_id, span_id, example_ms })
  const nothing = { function_name: '', file: '', line: 0, position: 0, debug_id: '' }
  const whole = { self_ms: 0, total_ms: all.totalMs, samples: all.samples, spans: all.spans }
  const slowest = [...functions].sort(([, a], [, b]) => b.totalMs - a.totalMs).slice(0, mostFunctions)
  return [
    { ...about, ...nothing, ...whole, ...example(of.row, all.totalMs) },
    ...slowest.map(([at, sum]): ProfileSumRow => {
      const { name = '', file = '', line = 0, column = 0 } = frames[at] ?? {}
      return {
        ...about,
        function_name: name,
        file,
        line,
        position: column,
        debug_id: isBundled(file) ? (debugIds.get(file) ?? '') : '',
        self_ms: sum.selfMs,
        total_ms: sum.totalMs,
        samples: sum.samples,
        spans: sum.spans,
        ...example(sum.example.row, sum.exampleMs),
      }
    }),
  ]
}
