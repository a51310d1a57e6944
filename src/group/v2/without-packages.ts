import { isInstalled } from '#lib/is-in-app.ts'
import type { ExceptionValue, Frame, StoredEvent } from '#protocol/event.ts'

/** An event whose frames of installed packages are marked as such; null where there is nothing to mark. */
export function withoutPackages(event: StoredEvent): StoredEvent | null {
  const values = event.exception?.values
  if (event.platform !== 'python' || !values?.some(value => value.stacktrace?.frames.some(isMistaken))) return null
  return { ...event, exception: { ...event.exception, values: values.map(mark) } }
}

const isMistaken = (frame: Frame): boolean => frame.in_app !== false && isInstalled(frame)

const mark = (value: ExceptionValue): ExceptionValue =>
  value.stacktrace
    ? {
        ...value,
        stacktrace: {
          ...value.stacktrace,
          frames: value.stacktrace.frames.map(frame => (isMistaken(frame) ? { ...frame, in_app: false } : frame)),
        },
      }
    : value
