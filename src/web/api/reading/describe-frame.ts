import { isInApp } from '#lib/is-in-app.ts'
import { isObject, type JsonObject, numberOf, objectOf, textOf } from '#lib/json-value.ts'

const orNull = (value: unknown): string | null => textOf(value) || null

/** A frame with its source lines as pairs of number and text. */
export function describeFrame(frame: JsonObject) {
  return {
    // Go's SDK sends the whole path alone, and tools print this field.
    filename: orNull(frame.filename) ?? orNull(frame.abs_path),
    absPath: orNull(frame.abs_path),
    module: orNull(frame.module),
    package: orNull(frame.package),
    platform: orNull(frame.platform),
    function: orNull(frame.function),
    rawFunction: orNull(frame.raw_function),
    context: describeLines(frame),
    lineNo: numberOf(frame.lineno) ?? null,
    colNo: numberOf(frame.colno) ?? null,
    inApp: isInApp(frame),
    trust: null,
    errors: null,
    sourceLink: null,
    vars: objectOf(frame.vars) ?? null,
  }
}

function describeLines(frame: JsonObject): [number, string][] {
  const line = numberOf(frame.lineno)
  if (line === undefined || typeof frame.context_line !== 'string') return []
  const before = texts(frame.pre_context)
  return [...before, frame.context_line, ...texts(frame.post_context)].map((text, index) => [
    line - before.length + index,
    text,
  ])
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : [])

export function describeStack(stack: unknown) {
  const frames = objectOf(stack)?.frames
  if (!Array.isArray(frames)) return null
  const described = frames.filter(isObject).map(describeFrame)
  return {
    frames: described,
    framesOmitted: null,
    registers: null,
    hasSystemFrames: described.some(frame => !frame.inApp),
  }
}
