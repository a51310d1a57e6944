import { objectOf } from '#lib/json-value.ts'
import type { Frame } from '#protocol/event.ts'
import type { MappedFrame, MapRef } from '../mapped.ts'

/** A frame in the words of its source. What says nothing about the place (variables, what an SDK added) stays. */
export function mappedFrame(sent: Frame, mapped: MappedFrame, ref: MapRef): Frame {
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
