import { isObject } from '#lib/json-value.ts'
import type { Frame, StoredEvent } from '#protocol/event.ts'
import type { IgnoredParts, Part } from '../fingerprint.ts'
import { fileOf, fileTraits, isMinified } from './file-traits.ts'
import { framePart, functionOf } from './frame-part.ts'
import type { Rules } from './rules.ts'

/** Distinct frames nearest to the throw; frames further out are only callers. */
const maxParts = 40
/** Frames. A longer stack is a recursion that repeats the same frames. */
const maxFrames = 2_000

type Stack = {
  frames: Part[]
  /** Whether the in-app frame nearest to the throw keeps its name after the next deploy. */
  hasStableFrame: boolean
  /** Whether that frame is minified: then the other frames are only its callers. */
  endsMinified: boolean
  /** Whether that frame has a line of code that is too long to be compared. */
  endsInLongLine: boolean
}

/** The in-app frames as fingerprint parts, the one nearest to the throw last. */
export function readStack(given: Frame[], ignored: IgnoredParts, rules: Rules): Stack & { isOwn: boolean } {
  const fates: FrameFate[] | null = ignored === null ? null : []
  const own = readFrames(given, true, fates, rules)
  if (fates !== null) reportIgnored(given, fates, ignored)
  if (own.sawOne) return { ...own.stack, isOwn: true }
  // A stack of library frames shows which call failed, but not which bug: the message has to separate bugs.
  return { ...readFrames(given, false, null, rules).stack, hasStableFrame: false, isOwn: false }
}

function readFrames(given: Frame[], isOwnOnly: boolean, fates: FrameFate[] | null, rules: Rules) {
  const found = new Set<string>()
  let hasStableFrame = false
  let endsMinified = false
  let endsInLongLine = false
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
      fates?.push('helper')
      continue
    }
    const isNearest = !sawOne
    sawOne = true
    if (isMinified(frame)) {
      if (isNearest) endsMinified = true
      fates?.push('minified')
      continue
    }
    const { text, isExact, isLineTooLong } = framePart(frame, name, rules)
    fates?.push(found.has(text) ? 'repeated' : 'counted')
    found.add(text)
    if (!isNearest) continue
    hasStableFrame = isExact
    endsInLongLine = isLineTooLong
  }
  const frames = Array.from(found, (value): Part => ({ kind: 'frame', value })).reverse()
  return { stack: { frames, hasStableFrame, endsMinified, endsInLongLine }, sawOne }
}

/** The frames of an event without an error: of the crashed or current thread, else of the event itself. */
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

type FrameFate = 'counted' | 'foreign' | 'helper' | 'minified' | 'repeated'

const reasons: [FrameFate, string][] = [
  ['foreign', 'library or runtime code'],
  ['helper', 'engine, eval or compiler helpers, which change with versions'],
  ['minified', 'minified: names, files and lines change with every build'],
  ['repeated', 'repeated frame: a recursion counts once'],
]

/** Adds one entry per reason. `fates` start at the throw. */
function reportIgnored(frames: Frame[], fates: FrameFate[], ignored: IgnoredParts): void {
  for (const [fate, why] of reasons) {
    const count = fates.filter(each => each === fate).length
    if (count > 0) ignored?.push({ what: frameCount(count), why })
  }
  const far = frames.length - fates.length
  if (far > 0) ignored?.push({ what: frameCount(far), why: 'too far from the throw' })
}

const frameCount = (count: number): string => (count === 1 ? '1 frame' : `${count} frames`)

/** Whether the frame is in-app. */
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

/** A frame of the engine or a compiler, which may appear or vanish with their versions. */
export function isRuntimeHelper(frame: Frame, name: string): boolean {
  if (functions.has(name)) return true
  const file = fileOf(frame)
  return file === '' ? name === '' : fileTraits(file).isRuntimeHelper
}
