import { posix } from 'node:path'
import { AnyMap, isIgnored, type TraceMap } from '@jridgewell/trace-mapping'
import { isObject, type JsonObject } from '#lib/json-value.ts'
import type { Bundle } from './bundle.ts'
import { limits } from './limits.ts'
import { type MapRef, type Refusal, refused } from './mapped-frame.ts'
import { decodePath } from './source-lines.ts'

type ParsedMap = {
  map: TraceMap
  /** Whether the bundler put the source on its ignore list. */
  isIgnored: (source: string) => boolean
  /** Approximate memory when decoded. */
  sizeBytes: number
}

const segmentBytes = 80 // an array of four or five numbers
const comma = 44
const semicolon = 59

/** Parses a map, with or without sections. Counts segments before decoding, because decoding takes the memory. */
export function parseMap(bytes: Buffer): ParsedMap | Refusal {
  if (bytes.length > limits.mapBytes) return refused('map_too_large')
  const json = parseJson(bytes)
  if (!isObject(json)) return refused('map_unreadable')
  const segments = countSegments(json, 0)
  if (segments > limits.segments) return refused('too_many_segments')
  try {
    // The library checks the shape and throws.
    const map = new AnyMap(json as unknown as ConstructorParameters<typeof AnyMap>[0])
    return { map, isIgnored: source => isIgnored(map, source), sizeBytes: bytes.length + segments * segmentBytes }
  } catch {
    return refused('map_unreadable')
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    const text = bytes.toString('utf8')
    // A map may start with a line that prevents its execution as a script.
    return JSON.parse(text.startsWith(')]}') ? text.slice(text.indexOf('\n')) : text.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}

const maxSectionDepth = 8

/** Infinite for absurdly deep sections. */
function countSegments(map: JsonObject, depth: number): number {
  if (depth > maxSectionDepth) return Number.POSITIVE_INFINITY
  if (Array.isArray(map.sections)) {
    const inner = map.sections.map((section: unknown) =>
      isObject(section) && isObject(section.map) ? section.map : {},
    )
    return inner.reduce((sum, each) => sum + countSegments(each, depth + 1), 0)
  }
  if (typeof map.mappings !== 'string') return 0
  let count = 1
  for (let at = 0; at < map.mappings.length; at++) {
    const code = map.mappings.charCodeAt(at)
    if (code === comma || code === semicolon) count++
  }
  return count
}

export type LoadedMap = ParsedMap & {
  /** The map's path in its bundle; sources are relative to it. */
  path: string
}

/** Reads a map from its bundle. */
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

/** Files reference their maps with URL escapes; paths in the bundle have none. */
async function readMap(bundle: Bundle, named: string): Promise<LoadedMap | Refusal> {
  const path = bundle.has(named) ? named : decodePath(named)
  if (!bundle.has(path)) return refused('map_missing')
  const bytes = await bundle.read(path, limits.mapBytes)
  return 'kind' in bytes ? bytes : withPath(parseMap(bytes), path)
}

const withPath = (parsed: ParsedMap | Refusal, path: string): LoadedMap | Refusal =>
  'kind' in parsed ? parsed : { ...parsed, path }

/** Bytes at the end of a file that are searched first; an inline map is larger. */
const tailBytes = 64 * 1024
const mark = 'sourceMappingURL='

/** The value of the last `//# sourceMappingURL=`: a name, or the map as a data URL; '' without one. */
export function findMapComment(file: Buffer): string {
  const tail = file.subarray(Math.max(0, file.length - tailBytes))
  const inTail = tail.lastIndexOf(mark)
  const at = inTail >= 0 ? file.length - tail.length + inTail : file.lastIndexOf(mark)
  if (at < 0) return ''
  const start = at + mark.length
  const end = file.subarray(start).findIndex(byte => byte <= 32)
  return file.toString('latin1', start, end < 0 ? file.length : start + end).replace(/\*\/$/, '')
}

/** The map in a data URL; null for an unsupported one. */
export function decodeDataUrl(url: string): Buffer | null {
  const match = /^data:application\/json[^,]*?(;base64)?,/.exec(url)
  if (!match) return null
  const text = url.slice(match[0].length)
  try {
    return match[1] ? Buffer.from(text, 'base64') : Buffer.from(decodeURIComponent(text))
  } catch {
    return null
  }
}

/** Resolves a name relative to the file that references it. Paths in a bundle mirror URLs: `files/_/_/static/app.js` is `~/static/app.js`. */
export const beside = (path: string, name: string): string =>
  posix.normalize(posix.join(posix.dirname(path), name.split(/[?#]/, 1)[0] ?? ''))
