import type { StoredEvent } from '#protocol/event.ts'
import { limits } from '../limits.ts'
import { cleanTree } from '../normalise/clean-tree.ts'
import type { Notes } from '../notes.ts'

/** Private data out and long texts cut, in the whole event; `extra` has a budget of its own, because apps put dumps there. */
export function cleanEvent(event: StoredEvent, mayHaveShapes: boolean, notes: Notes): void {
  const { extra } = event
  if (extra !== undefined) event.extra = undefined
  cleanTree(event, '', mayHaveShapes, notes)
  if (extra !== undefined) event.extra = cleanTree(extra, 'extra', mayHaveShapes, notes, limits.extraChars)
}
