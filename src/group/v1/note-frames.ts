import type { Frame } from '#protocol/event.ts'
import type { IgnoredNotes } from '../fingerprint.ts'

export type FrameFate = 'counted' | 'foreign' | 'plumbing' | 'minified' | 'repeated'

const reasons: [FrameFate, string][] = [
  ['foreign', 'code of libraries or of the runtime'],
  ['plumbing', 'engine, eval or compiler helpers: they come and go with versions'],
  ['minified', 'minified: names, files and lines change with every build'],
  ['repeated', 'the same place again: a recursion counts once'],
]

/** One sentence a reason, however many frames. `fates` are from the throw outwards. */
export function noteFrames(frames: Frame[], fates: FrameFate[], ignored: IgnoredNotes): void {
  for (const [fate, why] of reasons) {
    const count = fates.filter(each => each === fate).length
    if (count > 0) ignored?.push({ what: frameCount(count), why })
  }
  const far = frames.length - fates.length
  if (far > 0) ignored?.push({ what: frameCount(far), why: 'far from where the error was thrown' })
}

const frameCount = (count: number): string => (count === 1 ? '1 frame' : `${count} frames`)
