import { z } from 'zod'
import type { Undoable } from './action-state.ts'

const maxEarlier = 20
const undoable = z.object({ undo: z.string().min(1).max(2_000), message: z.string().max(500) })
const before = z.object({
  kind: z.literal('done'),
  message: undoable.shape.message,
  /** Absent or empty if nothing was changed, such as by the second of two quick presses. */
  undo: z.union([undoable.shape.undo, z.literal('')]).default(''),
  earlier: z.array(undoable).max(maxEarlier).default([]),
})

/** The undoable results up to the previous state of a form. It comes from the browser and goes back there. */
export function earlierResults(previous: unknown): Undoable[] {
  const parsed = before.safeParse(previous)
  if (!parsed.success) return []
  const { earlier, undo, message } = parsed.data
  return [...earlier, ...(undo ? [{ undo, message }] : [])].slice(-maxEarlier)
}
