/** Puts the sources' own places into the stacks of events, as far as maps were found for them. */

import { isObject, objectOf, textOf } from '#lib/json-value.ts'
import { readDebugId } from '#protocol/artifact-manifest.ts'
import type { ExceptionValue, Frame, StoredEvent } from '#protocol/event.ts'
import { type FoundMaps, type WantedMap, wantedKey } from './find-maps.ts'
import type { MappedFrame, MapRef, MapResult, Position } from './mapped-frame.ts'
import type { MapTask, Symbolicator } from './open-symbolicator.ts'

/** What became of one frame; `found` is null where no map was uploaded for it. */
export type FrameResult = { frame: MinifiedFrame; found: { ref: MapRef; answer: MapResult } | null }

type PlannedTask = MapTask & { places: Map<string, number> }

/** In the order of the frames. Nothing is changed yet. */
export async function resolveFrames(
  symbolicator: Symbolicator,
  frames: readonly MinifiedFrame[],
  maps: FoundMaps,
): Promise<FrameResult[]> {
  const tasks = new Map<MapRef, PlannedTask>()
  const asked = frames.map(frame => {
    const ref = maps.get(wantedKey(frame.wanted))
    if (ref === undefined) return null
    const task: PlannedTask = tasks.get(ref) ?? { ref, positions: [], places: new Map() }
    tasks.set(ref, task)
    const place = `${frame.position.line}:${frame.position.column}`
    const index = task.places.get(place) ?? task.positions.push(frame.position) - 1
    task.places.set(place, index)
    return { ref, index }
  })
  const sent = [...tasks.values()].map(({ ref, positions }) => ({ ref, positions }))
  const answers = sent.length === 0 ? [] : await symbolicator.resolve(sent)
  const byRef = new Map(sent.map(({ ref }, at) => [ref, answers[at] ?? []]))
  return frames.map((frame, at) => {
    const query = asked[at]
    const answer = query && byRef.get(query.ref)?.[query.index]
    return { frame, found: query && answer ? { ref: query.ref, answer } : null }
  })
}

/** Replaces the frames that were found and keeps those that were sent beside them. True where any was. */
export function applyFrameResults(event: StoredEvent, results: readonly FrameResult[]): boolean {
  let isChanged = false
  for (const [place, exception] of (event.exception?.values ?? []).entries()) {
    const sent = sentFrames(exception)
    const frames: Frame[] = [...sent]
    let mapped = 0
    for (const { frame, found } of results) {
      const minified = sent[frame.index]
      if (frame.exception !== place || found?.answer.kind !== 'mapped' || minified === undefined) continue
      frames[frame.index] = mappedFrame(minified, found.answer, found.ref)
      mapped += 1
    }
    if (mapped === 0) continue
    exception.raw_stacktrace = { frames: sent }
    exception.stacktrace = { ...exception.stacktrace, frames }
    isChanged = true
  }
  return isChanged
}

/** A frame in the words of its source. What says nothing about the place (variables, what an SDK added) stays. */
function mappedFrame(sent: Frame, mapped: MappedFrame, ref: MapRef): Frame {
  const { module: _, pre_context: _before, context_line: _line, post_context: _after, ...rest } = sent
  const { context } = mapped
  return {
    ...rest,
    filename: mapped.file,
    abs_path: mapped.source,
    // Where the source was read and no function around the place has a name, the minifier's would only mislead.
    function: mapped.functionName || (context === null ? (sent.function ?? '?') : '?'),
    lineno: mapped.line,
    colno: mapped.column,
    in_app: mapped.isInApp,
    ...(context && { pre_context: context.before, context_line: context.line, post_context: context.after }),
    data: { ...objectOf(sent.data), sourcemap: ref.mapPath || ref.minifiedPath },
  }
}

/* The frames of an event that a source map may know, as they were sent. */

/** By numbers alone: digest holds those of a whole batch, without the events around them. */
export type MinifiedFrame = {
  /** The place of its exception in the chain. */
  exception: number
  /** Its place in the stack. */
  index: number
  position: Position
  wanted: WantedMap
}

/** No file of a build: the runtime's own, a package that runs as it was published, evaluated text. */
const unbundled =
  /^(?:node:|<|\[|native|eval at |internal\/)|[/\\]node_modules[/\\]|^(?:chrome|moz|safari|safari-web)-extension:/

export function minifiedFrames(event: StoredEvent, projectId: number): MinifiedFrame[] {
  const ids = debugIdsOf(event)
  const { release = '', dist = '' } = event
  // Neither a build nor a file can be told apart: nothing to look for.
  if (ids.size === 0 && release === '') return []
  return (event.exception?.values ?? []).flatMap((value, exception) =>
    sentFrames(value).flatMap((frame, index): MinifiedFrame[] => {
      const file = frame.abs_path || frame.filename || ''
      const { lineno, colno } = frame
      if (!isPlace(lineno) || !isPlace(colno) || file === '' || unbundled.test(file)) return []
      const debugId = ids.get(file) ?? ids.get(frame.filename ?? '') ?? ''
      if (debugId === '' && release === '') return []
      const wanted = { projectId, file, debugId, release, dist }
      return [{ exception, index, position: { line: lineno, column: colno }, wanted }]
    }),
  )
}

/** As they came, whether they have been mapped since or not. */
export function sentFrames(exception: ExceptionValue): Frame[] {
  const shown = exception.stacktrace?.frames ?? []
  const raw = isObject(exception.raw_stacktrace) ? exception.raw_stacktrace.frames : undefined
  return Array.isArray(raw) && raw.length === shown.length && raw.every(isObject) ? raw : shown
}

/** Lines and columns of no file that anybody has; they would only be confused with those of real ones. */
const tooFar = 2 ** 26

const isPlace = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) < tooFar

/** Which debug id each file of an event has, as the SDK found them in the running code. */
function debugIdsOf(event: StoredEvent): Map<string, string> {
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
