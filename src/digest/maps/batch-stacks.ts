import type { RecordYield, StackYield } from '../yield.ts'

/** An event of a batch that a source map may make readable. */
export type BatchStack = { stack: StackYield; yielded: RecordYield }

export function batchStacks(understood: readonly { yielded: RecordYield }[]): BatchStack[] {
  return understood.flatMap(({ yielded }) => yielded.stacks.map(stack => ({ stack, yielded })))
}
