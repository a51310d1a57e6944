import type { Frame } from '#protocol/event.ts'
import { fileOf } from './file-of.ts'
import { fileTraits } from './file-traits.ts'

const functions = new Set([
  'eval',
  'nextTick',
  'processTicksAndRejections',
  'queueMicrotask',
  'runMicrotasks',
  'runNextTicks',
  'sentryWrapped',
])

/** A frame that is nobody's, and may come or go with a runtime's or compiler's version. */
export function isPlumbing(frame: Frame, name: string): boolean {
  if (functions.has(name)) return true
  const file = fileOf(frame)
  return file === '' ? name === '' : fileTraits(file).isPlumbing
}
