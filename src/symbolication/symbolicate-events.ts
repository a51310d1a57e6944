import { isObject, objectOf, textOf } from '#lib/json-value.ts'
import { readDebugId } from '#protocol/artifact-manifest.ts'
import type { ExceptionValue, Frame, StoredEvent } from '#protocol/event.ts'
import { type FoundMaps, type WantedMap, wantedKey } from './find-maps.ts'
import type { MappedFrame, MapRef, MapResult, Position } from './mapped-frame.ts'
import type { MapTask, Symbolicator } from './open-symbolicator.ts'

/** The result of one frame; `found` is null if no map was uploaded for it. */
export type FrameResult = { frame: MinifiedFrame; found: { ref: MapRef; result: MapResult } | null }

type PlannedTask = MapTask & { indexes: Map<string, number> }

/** Resolves frames with the maps that were found. In the order of the frames; changes nothing. */
export async function resolveFrames(
  symbolicator: Symbolicator,
  frames: readonly MinifiedFrame[],
  maps: FoundMaps,
): Promise<FrameResult[]> {
  const tasks = new Map<MapRef, PlannedTask>()
  const requests = frames.map(frame => {
    const ref = maps.get(wantedKey(frame.wanted))
    if (ref === undefined) return null
    const task: PlannedTask = tasks.get(ref) ?? { ref, positions: [], indexes: new Map() }
    tasks.set(ref, task)
    const key = `${frame.position.line}:${frame.position.column}`
    const index = task.indexes.get(key) ?? task.positions.push(frame.position) - 1
    task.indexes.set(key, index)
    return { ref, index }
  })
  const sent = [...tasks.values()].map(({ ref, positions }) => ({ ref, positions }))
  const results = sent.length === 0 ? [] : await symbolicator.resolve(sent)
  const byRef = new Map(sent.map(({ ref }, at) => [ref, results[at] ?? []]))
  return frames.map((frame, at) => {
    const request = requests[at]
    const result = request && byRef.get(request.ref)?.[request.index]
    return { frame, found: request && result ? { ref: request.ref, result } : null }
  })
}

/** Replaces mapped frames and keeps the original ones in `raw_stacktrace`. True if any frame changed. */
export function applyFrameResults(event: StoredEvent, results: readonly FrameResult[]): boolean {
  let isChanged = false
  for (const [at, exception] of (event.exception?.values ?? []).entries()) {
    const sent = sentFrames(exception)
    const frames: Frame[] = [...sent]
    let mapped = 0
    for (const { frame, found } of results) {
      const minified = sent[frame.index]
      if (frame.exception !== at || found?.result.kind !== 'mapped' || minified === undefined) continue
      frames[frame.index] = toMappedFrame(minified, found.result, found.ref)
      mapped += 1
    }
    if (mapped === 0) continue
    exception.raw_stacktrace = { frames: sent }
    exception.stacktrace = { ...exception.stacktrace, frames }
    isChanged = true
  }
  return isChanged
}

/** The frame with its original position. Fields that don't describe the position (variables, additions of an SDK) stay. */
function toMappedFrame(sent: Frame, mapped: MappedFrame, ref: MapRef): Frame {
  const { module: _, pre_context: _before, context_line: _line, post_context: _after, ...rest } = sent
  const { context } = mapped
  return {
    ...rest,
    filename: mapped.file,
    abs_path: mapped.source,
    // If the source is known and the enclosing function is anonymous, the minified name would only mislead.
    function: mapped.functionName || (context === null ? (sent.function ?? '?') : '?'),
    lineno: mapped.line,
    colno: mapped.column,
    in_app: mapped.isInApp,
    ...(context && { pre_context: context.before, context_line: context.line, post_context: context.after }),
    data: { ...objectOf(sent.data), sourcemap: ref.mapPath || ref.minifiedPath },
  }
}

/** A frame that a source map may resolve. Holds only indexes, because digest keeps those of a whole batch without the events. */
export type MinifiedFrame = {
  /** Index of its exception in the chain. */
  exception: number
  /** Index in the stack. */
  index: number
  position: Position
  wanted: WantedMap
}

/** Not a build output: runtime files, unbundled packages, eval. */
const unbundled =
  /^(?:node:|<|\[|native|eval at |internal\/)|[/\\]node_modules[/\\]|^(?:chrome|moz|safari|safari-web)-extension:/

/** The frames of an event that a source map may resolve, as they were sent. */
export function minifiedFrames(event: StoredEvent, projectId: number): MinifiedFrame[] {
  const ids = debugIdsOf(event)
  const { release = '', dist = '' } = event
  // Without debug ids and release, no map can be found.
  if (ids.size === 0 && release === '') return []
  return (event.exception?.values ?? []).flatMap((value, exception) =>
    sentFrames(value).flatMap((frame, index): MinifiedFrame[] => {
      const file = frame.abs_path || frame.filename || ''
      const { lineno, colno } = frame
      if (!isPositionNumber(lineno) || !isPositionNumber(colno) || file === '' || unbundled.test(file)) return []
      const debugId = ids.get(file) ?? ids.get(frame.filename ?? '') ?? ''
      if (debugId === '' && release === '') return []
      const wanted = { projectId, file, debugId, release, dist }
      return [{ exception, index, position: { line: lineno, column: colno }, wanted }]
    }),
  )
}

/** The frames as they were sent, whether they have been mapped or not. */
export function sentFrames(exception: ExceptionValue): Frame[] {
  const shown = exception.stacktrace?.frames ?? []
  const raw = isObject(exception.raw_stacktrace) ? exception.raw_stacktrace.frames : undefined
  return Array.isArray(raw) && raw.length === shown.length && raw.every(isObject) ? raw : shown
}

/** Larger than any real line or column, and the limit of the keys in open-symbolicator.ts. */
const maxPosition = 2 ** 26

const isPositionNumber = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) < maxPosition

/** The debug ids of an event by file, as the SDK read them from the running code. */
export function debugIdsOf(event: StoredEvent): Map<string, string> {
  const images = objectOf(event.debug_meta)?.images
  const ids = new Map<string, string>()
  for (const image of Array.isArray(images) ? images : []) {
    if (!isObject(image) || image.type !== 'sourcemap') continue
    const file = textOf(image.code_file)
    const id = readDebugId(textOf(image.debug_id))
    if (file !== '' && id !== '') ids.set(file, id)
  }
  return ids
}
