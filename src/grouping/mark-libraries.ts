import type { ExceptionValue, Frame, StoredEvent } from '#protocol/event.ts'
import { isForeignFrame, isInLibrary } from '#react/frameworks/find-frameworks.ts'

/** For grouping: the event with frames of libraries marked as not in-app. The same event if no frame has to be marked. */
export const markLibraries = (event: StoredEvent): StoredEvent => markFrames(event, isInLibrary)

/** For readers: those without a file, too. */
export const markForeign = (event: StoredEvent): StoredEvent => markFrames(event, isForeignFrame)

function markFrames(event: StoredEvent, isForeign: (frame: Frame) => boolean): StoredEvent {
  const values = event.exception?.values
  const isWrong = (frame: Frame): boolean => frame.in_app !== false && isForeign(frame)
  if (!values?.some(value => value.stacktrace?.frames.some(isWrong))) return event
  const mark = (frame: Frame): Frame => (isWrong(frame) ? { ...frame, in_app: false } : frame)
  const markError = ({ stacktrace, ...rest }: ExceptionValue): ExceptionValue =>
    stacktrace ? { ...rest, stacktrace: { ...stacktrace, frames: stacktrace.frames.map(mark) } } : rest
  return { ...event, exception: { ...event.exception, values: values.map(markError) } }
}
