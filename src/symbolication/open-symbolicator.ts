/**
 * Reads bundles and maps, and remembers as much of them as three bounds allow. One map after the other: two large ones side by side would
 * take twice the memory, and there is one core for them anyway.
 */
import { LRUCache } from 'lru-cache'
import type { Blobs } from '#store/blobs/blobs.ts'
import { type Bundle, openBundle } from './bundle.ts'
import { limits } from './limits.ts'
import type { MapRef, MapResult, Position, Refusal } from './mapped-frame.ts'
import { beside, loadMap } from './parse-map.ts'
import { type OpenMap, resolvePosition } from './resolve-position.ts'

const MiB = 1024 * 1024
type CacheBytes = { bundles: number; maps: number; frames: number }
/** Frames are what repeats: an error that comes a thousand times needs its maps once. */
const defaultCacheBytes: CacheBytes = { bundles: 8 * MiB, maps: 64 * MiB, frames: 16 * MiB }

export function openSymbolicator(blobs: Blobs, cacheBytes: CacheBytes = defaultCacheBytes): Symbolicator {
  const bundles = new LRUCache<string, Bundle>({ maxSize: cacheBytes.bundles })
  const maps = new LRUCache<string, OpenMap | Refusal>({ maxSize: cacheBytes.maps })
  const memos = new LRUCache<string, FrameMemo>({ maxSize: cacheBytes.frames })
  let queue: Promise<unknown> = Promise.resolve()

  async function bundleOf(blobKey: string): Promise<Bundle | Refusal> {
    const known = bundles.get(blobKey)
    if (known) return known
    const opened = await openBundle(blobs, blobKey)
    if (!('kind' in opened)) bundles.set(blobKey, opened, { size: opened.sizeBytes })
    return opened
  }

  async function mapOf(ref: MapRef): Promise<OpenMap | Refusal> {
    const key = keyOf(ref)
    const known = maps.get(key)
    if (known) return known
    const bundle = await bundleOf(ref.blobKey)
    const loaded = 'kind' in bundle ? bundle : await loadMap(bundle, ref)
    const opened = 'kind' in loaded ? loaded : { ...loaded, lines: new Map() }
    maps.set(key, opened, { size: 'kind' in opened ? refusalBytes : opened.sizeBytes })
    return opened
  }

  async function readSource(ref: MapRef, mapPath: string, source: string): Promise<string | null> {
    const bundle = await bundleOf(ref.blobKey)
    const path = beside(mapPath, source)
    if ('kind' in bundle || !bundle.has(path)) return null
    const bytes = await bundle.read(path, limits.sourceBytes)
    return 'kind' in bytes ? null : bytes.toString('utf8')
  }

  const resolveIn = (open: OpenMap, ref: MapRef, position: Position): Promise<MapResult> =>
    resolvePosition(open, position, source => readSource(ref, open.path, source))

  async function resolveTask({ ref, positions }: MapTask): Promise<MapResult[]> {
    const answers: MapResult[] = []
    const key = keyOf(ref)
    const memo = memos.get(key) ?? { frames: new Map(), sizeBytes: 0 }
    const known = memo.sizeBytes
    // Held here too: a map that is too large to be kept is still read once for all its positions.
    let open: OpenMap | Refusal | undefined
    for (const position of positions) {
      const place = placeOf(position)
      let frame = memo.frames.get(place)
      if (frame === undefined) {
        open ??= await mapOf(ref)
        frame = 'kind' in open ? open : await resolveIn(open, ref, position)
        memo.frames.set(place, frame)
        memo.sizeBytes += frameBytes(frame)
      }
      answers.push(frame)
    }
    if (memo.sizeBytes > known) memos.set(key, memo, { size: memo.sizeBytes })
    return answers
  }

  async function resolveAll(tasks: MapTask[]): Promise<MapResult[][]> {
    const answers: MapResult[][] = []
    for (const task of tasks) answers.push(await resolveTask(task))
    return answers
  }

  return {
    resolve: tasks => {
      const answer = queue.then(() => resolveAll(tasks))
      queue = answer.catch(() => undefined)
      return answer
    },
    close: async () => undefined,
  }
}

/** What is remembered of one map's positions: it outlives the map itself, which is a thousand times as large. */
type FrameMemo = { frames: Map<number, MapResult>; sizeBytes: number }

const refusalBytes = 200
/** Columns are below 2^26: no file is longer. */
const placeOf = ({ line, column }: Position): number => line * 2 ** 26 + column
const keyOf = ({ blobKey, mapPath, minifiedPath }: MapRef): string => `${blobKey}\0${mapPath || minifiedPath}`

function frameBytes(frame: MapResult): number {
  if (frame.kind !== 'mapped') return refusalBytes
  const { context } = frame
  const lines = context === null ? [] : [...context.before, context.line, ...context.after]
  return 400 + 2 * lines.reduce((sum, line) => sum + line.length + 16, 0)
}

/** Positions of one minified file, and the map that leads back from it. */
export type MapTask = { ref: MapRef; positions: Position[] }

/** Answers where positions come from, in the order they were asked. Rejects only when the store is away or the thread has ended. */
export type Symbolicator = {
  resolve(tasks: MapTask[]): Promise<MapResult[][]>
  close(): Promise<void>
}
