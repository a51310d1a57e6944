/** Where a position of a minified file comes from. */
import { originalPositionFor, sourceContentFor } from '@jridgewell/trace-mapping'
import { type Mapped, type Position, refused } from '../mapped.ts'
import { enclosingFunction } from './enclosing-function.ts'
import { isAppSource } from './is-app-source.ts'
import type { LoadedMap } from './load-map.ts'
import { contextOf, type SourceLines, sourceLines } from './source-lines.ts'
import { sourcePath } from './source-path.ts'

/** A map, and what has been read of its sources so far. */
export type OpenMap = LoadedMap & { lines: Map<string, SourceLines | null> }

/** Sources that maps do not hold themselves; null where the bundle has none either. */
export type ReadSource = (source: string) => Promise<string | null>

export async function resolvePosition(open: OpenMap, position: Position, readSource: ReadSource): Promise<Mapped> {
  const found = trace(open, position)
  if (found === null) return refused('map_unreadable')
  if (typeof found.source !== 'string') return { kind: 'no_position' }
  const { source, line, column } = found
  const path = sourcePath(source)
  const lines = await linesOf(open, source, readSource)
  return {
    kind: 'mapped',
    file: path,
    source,
    line,
    column: column + 1,
    functionName: lines === null ? '' : enclosingFunction(lines, line, column),
    isInApp: isAppSource(source, path) && !open.isIgnored(source),
    context: lines === null ? null : contextOf(lines, line, column),
  }
}

/** Null where the map makes no sense. It is decoded when it is first asked, and nobody has looked at its inside before. */
function trace({ map }: OpenMap, { line, column }: Position) {
  try {
    return originalPositionFor(map, { line, column: Math.max(0, column - 1) })
  } catch {
    return null
  }
}

async function linesOf(open: OpenMap, source: string, readSource: ReadSource): Promise<SourceLines | null> {
  const known = open.lines.get(source)
  if (known !== undefined) return known
  const inside: unknown = sourceContentFor(open.map, source)
  const text = typeof inside === 'string' ? inside : await readSource(source)
  const lines = text === null ? null : sourceLines(text)
  open.lines.set(source, lines)
  return lines
}
