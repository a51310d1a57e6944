/** The frames of an event that a source map may know, as they were sent. */
import { isObject } from '#lib/json-value.ts'
import type { ExceptionValue, Frame, StoredEvent } from '#protocol/event.ts'
import type { WantedMap } from '../lookup/wanted-map.ts'
import type { Position } from '../mapped.ts'
import { debugIdsOf } from './debug-ids.ts'

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
