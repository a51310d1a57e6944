import type { Frame } from '#protocol/event.ts'
import { fileOf } from './file-of.ts'
import { fileTraits } from './file-traits.ts'

/** Is it code of the app? */
export function isOwnFrame(frame: Frame): boolean {
  return frame.in_app !== false && !fileTraits(fileOf(frame)).isForeign
}
