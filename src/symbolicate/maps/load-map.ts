/** Reads the map that a reference names from its bundle. */
import { beside } from '../beside.ts'
import type { Bundle } from '../bundle/open-bundle.ts'
import { limits } from '../limits.ts'
import { type MapRef, type Refusal, refused } from '../mapped.ts'
import { decodePath } from './decode-path.ts'
import { decodeDataUrl, findMapComment } from './find-map-comment.ts'
import { type ParsedMap, parseMap } from './parse-map.ts'

export type LoadedMap = ParsedMap & {
  /** Where the map lies in its bundle: sources are named relative to it. */
  path: string
}

export async function loadMap(bundle: Bundle, ref: MapRef): Promise<LoadedMap | Refusal> {
  if (ref.mapPath !== '') return readMap(bundle, ref.mapPath)
  const minified = await bundle.read(ref.minifiedPath, limits.minifiedBytes)
  if ('kind' in minified) return minified
  const named = findMapComment(minified)
  if (named === '') {
    const usual = `${ref.minifiedPath}.map`
    return bundle.has(usual) ? readMap(bundle, usual) : refused('no_map_named')
  }
  if (!named.startsWith('data:')) return readMap(bundle, beside(ref.minifiedPath, named))
  const inline = decodeDataUrl(named)
  return inline === null ? refused('map_unreadable') : withPath(parseMap(inline), ref.minifiedPath)
}

/** Files name their maps as addresses do, with escapes; in the bundle they are called what they are called on disk. */
async function readMap(bundle: Bundle, named: string): Promise<LoadedMap | Refusal> {
  const path = bundle.has(named) ? named : decodePath(named)
  if (!bundle.has(path)) return refused('map_missing')
  const bytes = await bundle.read(path, limits.mapBytes)
  return 'kind' in bytes ? bytes : withPath(parseMap(bytes), path)
}

const withPath = (parsed: ParsedMap | Refusal, path: string): LoadedMap | Refusal =>
  'kind' in parsed ? parsed : { ...parsed, path }
