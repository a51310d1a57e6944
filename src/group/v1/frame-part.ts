import { isObject } from '#lib/json-value.ts'
import type { Frame } from '#protocol/event.ts'
import { codeLineOf } from './code-line-of.ts'
import { placeOf } from './place-of.ts'

export type FramePart = {
  /** `pay in cart: charge(order)`. Never a line number. */
  text: string
  /** False when it names a file and nothing in it. */
  isExact: boolean
}

export function framePart(frame: Frame, name: string): FramePart {
  const place = placeOf(frame)
  const line = codeLineOf(frame)
  // Of a mapped frame the line is the author's own, the name may still be the minifier's.
  const shown = line !== '' && isMapped(frame) ? '' : name
  const where = shown === '' ? place : `${shown} in ${place}`
  return { text: line === '' ? where : `${where}: ${line}`, isExact: shown !== '' || line !== '' }
}

function isMapped(frame: Frame): boolean {
  return isObject(frame.data) && typeof frame.data.sourcemap === 'string'
}
