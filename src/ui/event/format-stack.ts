import { shorten } from '../shorten.ts'
import type { ExceptionView, FrameView } from './event-view.ts'

const maxFrames = 50 // for reading and pasting; all of them are in the JSON

/** One exception as engines print it. */
export function formatStack(type: string, message: string, frames: FrameView[]): string {
  const more = frames.length - maxFrames
  return [
    `${shorten(type || 'Error', 200)}: ${shorten(message, 2_000)}`,
    ...frames.slice(0, maxFrames).map(frame => `    at ${shorten(frame.name, 200)} (${place(frame)})`),
    ...(more > 0 ? [`    … ${more} more`] : []),
  ].join('\n')
}

/** A whole chain, as Node prints causes. */
export function formatChain(exceptions: ExceptionView[]): string {
  return exceptions
    .map(({ type, message, frames }, index) => `${index > 0 ? 'Caused by: ' : ''}${formatStack(type, message, frames)}`)
    .join('\n')
}

function place({ path, line, column }: FrameView): string {
  return [shorten(path || '<unknown>', 300), line, column].filter(part => part !== null).join(':')
}
