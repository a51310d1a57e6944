/** Whether a frame lies in a bundle whose names are made anew by every build. Frames that a source map led home are not. */
import type { Frame } from '#protocol/event.ts'
import { fileOf } from './file-of.ts'

/** Columns. Nobody writes a line this long; a bundle is one. */
const maxWrittenColumn = 500
const nextOutput = /(?:^|\/)_next\/(?:static|server)\//
const script = /\.[cm]?js(?:[?#].*)?$/
const minName = /[.-]min\.[cm]?js/
/** `index-BkX3f_9a.js`, `main.6e3f2a1b.js`: at least one digit, so that words remain words. */
const hashedName = /[-._~](?=[a-z_-]*\d)[0-9a-z_-]{7,40}\.(?:chunk\.|bundle\.)?[cm]?js(?:[?#]|$)/i

export function isMinified(frame: Frame): boolean {
  const file = fileOf(frame)
  if (nextOutput.test(file)) return true
  if (typeof frame.colno === 'number' && frame.colno > maxWrittenColumn) return true
  if (!script.test(file)) return false
  return minName.test(file) || (isAddress(file) && hashedName.test(file))
}

const isAddress = (file: string): boolean => file.startsWith('http') || file.startsWith('app:')
