/** A path without a pattern is null; `malformed` is one with invalid percent-encoding. */
type PathMatch<Value> = { value: Value; params: Record<string, string> } | 'malformed' | null

/**
 * Finds the pattern of a path, segment by segment: `/projects/[org]/[project]` matches `/projects/acme/web`. Parameters are decoded once,
 * after the path is split, so that an encoded slash stays in its segment. Literals are compared as they are: a route has one spelling.
 * Only patterns with as many segments are compared, so the time is linear in the path.
 */
export function createPathMatcher<Value>(
  patterns: Iterable<readonly [pattern: string, value: Value]>,
): (path: string) => PathMatch<Value> {
  const byLength = Map.groupBy(
    Array.from(patterns, ([pattern, value]) => ({ segments: pattern.split('/').map(readSegment), value })),
    ({ segments }) => segments.length,
  )
  return path => {
    const given = path.split('/')
    const decoded = decodeAll(given)
    if (decoded === null) return 'malformed'
    const found = byLength
      .get(given.length)
      ?.find(({ segments }) => segments.every((segment, index) => isMatch(segment, given[index] ?? '')))
    return found ? { value: found.value, params: readParams(found.segments, decoded) } : null
  }
}

type Segment = { kind: 'literal' | 'param'; name: string }

function readSegment(text: string): Segment {
  const [, param] = /^\[(\w+)\]$/.exec(text) ?? []
  return param === undefined ? { kind: 'literal', name: text } : { kind: 'param', name: param }
}

function isMatch({ kind, name }: Segment, given: string): boolean {
  return kind === 'param' ? given !== '' : given === name
}

function readParams(segments: readonly Segment[], decoded: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    segments.flatMap(({ kind, name }, index) => (kind === 'param' ? [[name, decoded[index] ?? '']] : [])),
  )
}

function decodeAll(segments: readonly string[]): string[] | null {
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return null
  }
}
