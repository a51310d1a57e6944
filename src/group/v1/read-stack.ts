/** The app's own frames as parts of a fingerprint, nearest to the throw last. */
import type { Frame } from '#protocol/event.ts'
import type { IgnoredNotes, Part } from '../fingerprint.ts'
import { framePart } from './frame-part.ts'
import { functionOf } from './function-of.ts'
import { isMinified } from './is-minified.ts'
import { isOwnFrame } from './is-own-frame.ts'
import { isPlumbing } from './is-plumbing.ts'
import { type FrameFate, noteFrames } from './note-frames.ts'

/** Different places. Those nearest to the throw; deeper ones only tell who called. */
const maxParts = 40
/** Frames looked at. A stack that is longer is a recursion, and its parts were seen long before. */
const maxFrames = 2_000

export type Stack = {
  frames: Part[]
  /** Whether the app's frame nearest to the throw says where it is, in words that the next deploy will use too. */
  tellsPlace: boolean
  /** Whether that frame is minified: then the others are only on the way to it. */
  endsMinified: boolean
}

export function readStack(given: Frame[], ignored: IgnoredNotes): Stack {
  const fates: FrameFate[] | null = ignored === null ? null : []
  const own = readFrames(given, true, fates)
  if (fates !== null) noteFrames(given, fates, ignored)
  if (own.sawOne) return own.stack
  // A stack of libraries alone tells which call failed, not which bug: the message has to say more.
  return { ...readFrames(given, false, null).stack, tellsPlace: false }
}

function readFrames(given: Frame[], isOwnOnly: boolean, fates: FrameFate[] | null) {
  const found = new Set<string>()
  let tellsPlace = false
  let endsMinified = false
  let sawOne = false
  for (let at = given.length - 1, left = maxFrames; at >= 0 && left > 0 && found.size < maxParts; at--, left--) {
    const frame = given[at]
    if (frame === undefined) continue
    if (isOwnOnly && !isOwnFrame(frame)) {
      fates?.push('foreign')
      continue
    }
    const name = functionOf(frame)
    if (isPlumbing(frame, name)) {
      fates?.push('plumbing')
      continue
    }
    const isNearest = !sawOne
    sawOne = true
    if (isMinified(frame)) {
      if (isNearest) endsMinified = true
      fates?.push('minified')
      continue
    }
    const { text, isExact } = framePart(frame, name)
    fates?.push(found.has(text) ? 'repeated' : 'counted')
    found.add(text)
    if (isNearest) tellsPlace = isExact
  }
  const frames = Array.from(found, (value): Part => ({ kind: 'frame', value })).reverse()
  return { stack: { frames, tellsPlace, endsMinified }, sawOne }
}
