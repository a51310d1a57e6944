import type { Frame } from '#protocol/event.ts'
import { fileOf } from './file-of.ts'
import { fileTraits } from './file-traits.ts'

/** Columns. Nobody writes a line this long; a bundle is one. */
const maxWrittenColumn = 500

/** Whether the frame's names are made anew by every build. A source map leads a frame to a file where this is not so. */
export function isMinified(frame: Frame): boolean {
  if (typeof frame.colno === 'number' && frame.colno > maxWrittenColumn) return true
  return fileTraits(fileOf(frame)).isBundle
}
