import type { ExceptionValue, Frame } from '#protocol/event.ts'
import { framePart } from './frame-part.ts'

/** Frames. The ones nearest to the throw; deeper ones only tell who called. */
const maxFrames = 40

/** The app's own frames, or all of them where none is the app's. Recursion counts once. */
export function stackParts(exception: ExceptionValue): string[] {
  const frames = exception.stacktrace?.frames ?? []
  const own = frames.filter(isInApp)
  return partsOf(own.length > 0 ? own : frames)
}

function isInApp(frame: Frame): boolean {
  return frame.in_app === true
}

function partsOf(frames: Frame[]): string[] {
  const parts: string[] = []
  let last = ''
  for (let at = Math.max(0, frames.length - maxFrames); at < frames.length; at++) {
    const frame = frames[at]
    const part = frame === undefined ? '' : framePart(frame)
    if (part !== '' && part !== last) parts.push(part)
    last = part
  }
  return parts
}
