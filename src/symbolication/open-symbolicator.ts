import { LRUCache } from 'lru-cache'
import type { Blobs } from '#store/blobs/blobs.ts'
import { type Bundle, openBundle } from './bundle.ts'
import { limits } from './limits.ts'
import type { MapRef, MapResult, Position, Refusal } from './mapped-frame.ts'
import { beside, loadMap } from './parse-map.ts'
import { type OpenMap, resolvePosition } from './resolve-position.ts'

const MiB = 1024 * 1024
type CacheBytes = { bundles: number; maps: number; frames: number }
/** Frames repeat most: an error that occurs a thousand times needs its maps once. */
const defaultCacheBytes: CacheBytes = { bundles: 8 * MiB, maps: 64 * MiB, frames: 16 * MiB }

/**
 * Reads bundles and maps, with caches of bounded size. One map at a time: two large ones in parallel would take twice the memory,
 * and the worker has one core anyway.
 */
export function openSymbolicator(blobs: Blobs, cacheBytes: CacheBytes = defaultCacheBytes): Symbolicator {
  const bundles = new LRUCache<string, Bundle>({ maxSize: cacheBytes.bundles })
  const maps = new LRUCache<string, OpenMap | Refusal>({ maxSize: cacheBytes.maps })
  const frameCaches = new LRUCache<string, FrameCache>({ maxSize: cacheBytes.frames })
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
    const results: MapResult[] = []
    const key = keyOf(ref)
    const cache = frameCaches.get(key) ?? { frames: new Map(), sizeBytes: 0 }
    const knownBytes = cache.sizeBytes
    // Kept here too: a map that is too large for the cache is still read only once per task.
    let open: OpenMap | Refusal | undefined
    for (const position of positions) {
      const positionKey = positionKeyOf(position)
      let frame = cache.frames.get(positionKey)
      if (frame === undefined) {
        open ??= await mapOf(ref)
        frame = 'kind' in open ? open : await resolveIn(open, ref, position)
        cache.frames.set(positionKey, frame)
        cache.sizeBytes += frameBytes(frame)
      }
      results.push(frame)
    }
    if (cache.sizeBytes > knownBytes) frameCaches.set(key, cache, { size: cache.sizeBytes })
    return results
  }

  async function resolveAll(tasks: MapTask[]): Promise<MapResult[][]> {
    const results: MapResult[][] = []
    for (const task of tasks) results.push(await resolveTask(task))
    return results
  }

  return {
    resolve: tasks => {
      const results = queue.then(() => resolveAll(tasks))
      queue = results.catch(() => undefined)
      return results
    },
    close: async () => undefined,
  }
}

/** Resolved positions of one map. They stay cached longer than the map, which is a thousand times as large. */
type FrameCache = { frames: Map<number, MapResult>; sizeBytes: number }

const refusalBytes = 200
/** Columns are below 2^26. */
const positionKeyOf = ({ line, column }: Position): number => line * 2 ** 26 + column
const keyOf = ({ blobKey, mapPath, minifiedPath }: MapRef): string => `${blobKey}\0${mapPath || minifiedPath}`

function frameBytes(frame: MapResult): number {
  if (frame.kind !== 'mapped') return refusalBytes
  const { context } = frame
  const lines = context === null ? [] : [...context.before, context.line, ...context.after]
  return 400 + 2 * lines.reduce((sum, line) => sum + line.length + 16, 0)
}

/** Positions in one minified file, and its map. */
export type MapTask = { ref: MapRef; positions: Position[] }

/** Resolves positions in the order of the tasks. Rejects only if the blob store is unavailable or the thread has ended. */
export type Symbolicator = {
  resolve(tasks: MapTask[]): Promise<MapResult[][]>
  close(): Promise<void>
}
