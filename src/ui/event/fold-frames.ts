import type { FrameView } from './event-view.ts'

export type FrameRun =
  | { kind: 'frame'; index: number; frame: FrameView }
  | { kind: 'fold'; index: number; frames: FrameView[] }

/** Two or more framework frames in a row become one fold, unless the whole stack is framework: then nothing is hidden. */
export function foldFrames(frames: FrameView[]): FrameRun[] {
  if (!frames.some(frame => frame.isInApp)) return frames.map((frame, index) => ({ kind: 'frame', index, frame }))
  const runs: FrameRun[] = []
  for (let index = 0; index < frames.length; ) {
    const length = libraryRun(frames, index)
    const frame = frames[index]
    if (length > 1) runs.push({ kind: 'fold', index, frames: frames.slice(index, index + length) })
    else if (frame) runs.push({ kind: 'frame', index, frame })
    index += Math.max(1, length)
  }
  return runs
}

function libraryRun(frames: FrameView[], start: number): number {
  let end = start
  while (frames[end]?.isInApp === false) end++
  return end - start
}
