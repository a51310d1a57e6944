/** The app's own frames as parts of a fingerprint, nearest to the throw last. */

import { isObject } from '#lib/json-value.ts'
import type { Frame, StoredEvent } from '#protocol/event.ts'
import type { IgnoredParts, Part } from '../fingerprint.ts'
import { fileOf, fileTraits, isMinified } from './file-traits.ts'
import { framePart, functionOf } from './frame-part.ts'

/** Different places. Those nearest to the throw; deeper ones only tell who called. */
const maxParts = 40
/** Frames looked at. A stack that is longer is a recursion, and its parts were seen long before. */
const maxFrames = 2_000

type Stack = {
  frames: Part[]
  /** Whether the app's frame nearest to the throw says where it is, in words that the next deploy will use too. */
  hasStableFrame: boolean
  /** Whether that frame is minified: then the others are only on the way to it. */
  endsMinified: boolean
}

export function readStack(given: Frame[], ignored: IgnoredParts): Stack {
  const fates: FrameFate[] | null = ignored === null ? null : []
  const own = readFrames(given, true, fates)
  if (fates !== null) noteFrames(given, fates, ignored)
  if (own.sawOne) return own.stack
  // A stack of libraries alone tells which call failed, not which bug: the message has to say more.
  return { ...readFrames(given, false, null).stack, hasStableFrame: false }
}

function readFrames(given: Frame[], isOwnOnly: boolean, fates: FrameFate[] | null) {
  const found = new Set<string>()
  let hasStableFrame = false
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
    if (isRuntimeHelper(frame, name)) {
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
    if (isNearest) hasStableFrame = isExact
  }
  const frames = Array.from(found, (value): Part => ({ kind: 'frame', value })).reverse()
  return { stack: { frames, hasStableFrame, endsMinified }, sawOne }
}

/** The frames of an event without an error: of the thread that crashed or was running, else those at the top of the event. */
export function bareFrames(event: StoredEvent): Frame[] {
  const threads = valuesOf(event.threads)
  const thread = threads.find(each => each.crashed === true) ?? threads.find(each => each.current === true)
  const ofThread = framesOf((thread ?? threads[0])?.stacktrace)
  return ofThread.length > 0 ? ofThread : framesOf(event.stacktrace)
}

function valuesOf(given: unknown): Record<string, unknown>[] {
  const list = isObject(given) ? given.values : given
  return Array.isArray(list) ? list.filter(isObject) : []
}

function framesOf(stack: unknown): Frame[] {
  return isObject(stack) && Array.isArray(stack.frames) ? stack.frames.filter(isObject) : []
}

type FrameFate = 'counted' | 'foreign' | 'plumbing' | 'minified' | 'repeated'

const reasons: [FrameFate, string][] = [
  ['foreign', 'code of libraries or of the runtime'],
  ['plumbing', 'engine, eval or compiler helpers: they come and go with versions'],
  ['minified', 'minified: names, files and lines change with every build'],
  ['repeated', 'the same place again: a recursion counts once'],
]

/** One sentence a reason, however many frames. `fates` are from the throw outwards. */
function noteFrames(frames: Frame[], fates: FrameFate[], ignored: IgnoredParts): void {
  for (const [fate, why] of reasons) {
    const count = fates.filter(each => each === fate).length
    if (count > 0) ignored?.push({ what: frameCount(count), why })
  }
  const far = frames.length - fates.length
  if (far > 0) ignored?.push({ what: frameCount(far), why: 'far from where the error was thrown' })
}

const frameCount = (count: number): string => (count === 1 ? '1 frame' : `${count} frames`)

/** Is it code of the app? */
export function isOwnFrame(frame: Frame): boolean {
  return frame.in_app !== false && !fileTraits(fileOf(frame)).isForeign
}

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
export function isRuntimeHelper(frame: Frame, name: string): boolean {
  if (functions.has(name)) return true
  const file = fileOf(frame)
  return file === '' ? name === '' : fileTraits(file).isRuntimeHelper
}
