/**
 * Frames per second that source maps lead back to their sources, as a ratio to bare trace-mapping on the same maps in the same run, and the
 * memory that a burst of 1,000 events over 50 maps of 5 MB leaves.
 *   npm run bench -- symbolicate [--maps 50] [--events 1000]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import type { MapRef, Position } from '#symbolication/mapped-frame.ts'
import { openSymbolicator } from '#symbolication/open-symbolicator.ts'
import { startSymbolicator } from '#symbolication/start-symbolicator.ts'
import { makeBundle } from '../test/make-bundle.ts'
import { makeLargeMap } from './lib/large-map.ts'
import { readNumber } from './lib/options.ts'
import { report } from './lib/report.ts'

const mapCount = readNumber('maps', 50)
const eventCount = readNumber('events', 1_000)
const framesPerEvent = 20
const positionsPerMap = 200
const mapPath = 'files/_/_/app.js.map'
const dataDir = mkdtempSync(join(tmpdir(), 'hydrant-bench-maps-'))
const blobs = openBlobs({ dataDir })

try {
  const first = await store(0)
  const mapMb = Buffer.byteLength(first.json) / 1e6
  const refs = [first.ref]
  for (let seed = 1; seed < mapCount; seed++) refs.push((await store(seed)).ref)
  await measureCold(refs.slice(0, 5), first.positions)
  await measureWarm(first)
  await measureBurst(refs, first.positions, mapMb)
} finally {
  rmSync(dataDir, { recursive: true })
}

async function store(seed: number): Promise<{ ref: MapRef; json: string; positions: Position[] }> {
  const { json, positions } = makeLargeMap({ sources: 250, linesPerSource: 250, seed, positions: positionsPerMap })
  const blobKey = `artifact-bundle/2026-11-15/1/${seed}`
  const bytes = makeBundle([{ path: mapPath, type: 'source_map', url: '~/app.js.map', content: json }])
  await blobs.put(blobKey, { kind: 'bytes', bytes })
  return { ref: { bundleId: seed + 1, blobKey, mapPath, minifiedPath: '' }, json, positions }
}

/** From the bundle on disk to the frames of one event, each map for the first time; the bare one has its JSON in memory already. */
async function measureCold(cold: MapRef[], positions: Position[]): Promise<void> {
  const frames = positions.slice(0, framesPerEvent)
  const texts = cold.map((_, seed) => makeLargeMap({ sources: 250, linesPerSource: 250, seed, positions: 1 }).json)
  const bare = timed(() => {
    for (const json of texts) {
      const map = new TraceMap(json)
      for (const { line, column } of frames) originalPositionFor(map, { line, column: column - 1 })
    }
  })
  const symbolicator = openSymbolicator(blobs)
  const begun = performance.now()
  for (const ref of cold) await symbolicator.resolve([{ ref, positions: frames }])
  const ours = performance.now() - begun
  const total = cold.length * frames.length
  report({
    name: 'symbolicate, cold: one event per map',
    value: total / (ours / 1e3),
    unit: 'frames/s',
    limit: { name: 'bare trace-mapping, JSON in memory', value: total / (bare / 1e3) },
    promise: null,
    note: `${(ours / cold.length).toFixed(0)} ms a map, unpacked from its bundle`,
  })
}

/** The frames of a burst again and again, as errors come. */
async function measureWarm({ ref, json, positions }: { ref: MapRef; json: string; positions: Position[] }) {
  const rounds = 500
  const map = new TraceMap(json)
  const bareRound = () => {
    for (const { line, column } of positions) originalPositionFor(map, { line, column: column - 1 })
  }
  const symbolicator = openSymbolicator(blobs)
  const task = [{ ref, positions }]
  await symbolicator.resolve(task)
  bareRound()
  const bare = timed(() => {
    for (let round = 0; round < rounds; round++) bareRound()
  })
  const begun = performance.now()
  for (let round = 0; round < rounds; round++) await symbolicator.resolve(task)
  const ours = performance.now() - begun
  const total = rounds * positions.length
  report({
    name: 'symbolicate, warm: the same frames again',
    value: total / (ours / 1e3),
    unit: 'frames/s',
    limit: { name: 'bare trace-mapping', value: total / (bare / 1e3) },
    promise: { of: 'ratio', is: 'at least', bound: 0.5 },
    note: `${positions.length} different frames, with names and lines of source`,
  })
}

/** Through the thread, in batches as digest asks, each event in another map. */
async function measureBurst(refs: MapRef[], positions: Position[], mapMb: number): Promise<void> {
  const symbolicator = startSymbolicator({ dataDir })
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50)
  const begun = performance.now()
  const perBatch = 250
  for (let start = 0; start < eventCount; start += perBatch) {
    const events = Array.from({ length: Math.min(perBatch, eventCount - start) }, (_, at) => start + at)
    const byMap = Map.groupBy(events, event => event % refs.length)
    const tasks = [...byMap].flatMap(([at, own]) => {
      const ref = refs[at]
      const asked = own.flatMap(event => pick(positions, event * 7, framesPerEvent))
      return ref ? [{ ref, positions: asked }] : []
    })
    await symbolicator.resolve(tasks)
  }
  const seconds = (performance.now() - begun) / 1e3
  clearInterval(watch)
  await symbolicator.close()
  report({
    name: `symbolicate, memory in a burst of ${eventCount} events`,
    value: (peak - before) / 1e6,
    unit: 'MB',
    promise: { of: 'value', is: 'at most', bound: 400 },
    note: `${refs.length} maps of ${mapMb.toFixed(1)} MB, ${framesPerEvent} frames an event, ${seconds.toFixed(1)} s in a thread`,
  })
}

function pick(positions: Position[], from: number, count: number): Position[] {
  return Array.from({ length: count }, (_, at) => positions[(from + at) % positions.length] ?? { line: 1, column: 1 })
}

function timed(work: () => void): number {
  const begun = performance.now()
  work()
  return performance.now() - begun
}
