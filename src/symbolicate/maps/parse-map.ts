import { AnyMap, isIgnored, type TraceMap } from '@jridgewell/trace-mapping'
import { isObject, type JsonObject } from '#lib/json-value.ts'
import { limits } from '../limits.ts'
import { type Refusal, refused } from '../mapped.ts'

/** A source map that can be asked. */
export type ParsedMap = {
  map: TraceMap
  /** Which sources the bundler calls not worth looking at, by their index. */
  isIgnored: (source: string) => boolean
  /** About what it takes in memory, decoded. */
  sizeBytes: number
}

const segmentBytes = 80 // a decoded segment is an array of four or five numbers
const comma = 44
const semicolon = 59

/** Also of sectioned maps. Segments are counted before they are decoded: decoding is what takes the memory. */
export function parseMap(bytes: Buffer): ParsedMap | Refusal {
  if (bytes.length > limits.mapBytes) return refused('map_too_large')
  const json = parseJson(bytes)
  if (!isObject(json)) return refused('map_unreadable')
  const segments = countSegments(json, 0)
  if (segments > limits.segments) return refused('too_many_segments')
  try {
    // The library looks at the shape and throws at what it cannot use.
    const map = new AnyMap(json as unknown as ConstructorParameters<typeof AnyMap>[0])
    return { map, isIgnored: source => isIgnored(map, source), sizeBytes: bytes.length + segments * segmentBytes }
  } catch {
    return refused('map_unreadable')
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    const text = bytes.toString('utf8')
    // A line that keeps a map from being run as a script may stand before it.
    return JSON.parse(text.startsWith(')]}') ? text.slice(text.indexOf('\n')) : text.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}

const maxSectionDepth = 8

/** Infinite for what nests deeper than anybody writes. */
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
