import { type MinifiedFrame, minifiedFrames } from '#symbolicate/event/minified-frames.ts'
import type { RecordYield, StackYield } from '../yield.ts'

/** An event of a batch that a source map may make readable, and the frames in question. */
export type BatchStack = { stack: StackYield; yielded: RecordYield; frames: MinifiedFrame[] }

export function batchStacks(understood: readonly { yielded: RecordYield }[]): BatchStack[] {
  return understood.flatMap(({ yielded }) =>
    yielded.stacks.flatMap(stack => {
      const frames = minifiedFrames(stack.event, yielded.projectId)
      return frames.length === 0 ? [] : [{ stack, yielded, frames }]
    }),
  )
}
