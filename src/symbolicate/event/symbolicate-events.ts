/** Puts the sources' own places into the stacks of events, as far as maps were found for them. */
import type { Frame, StoredEvent } from '#protocol/event.ts'
import type { FoundMaps } from '../lookup/find-maps.ts'
import { wantedKey } from '../lookup/wanted-map.ts'
import type { Mapped, MapRef } from '../mapped.ts'
import type { MapTask, Symbolicator } from '../symbolicator.ts'
import { mappedFrame } from './mapped-frame.ts'
import { type MinifiedFrame, sentFrames } from './minified-frames.ts'

/** What became of one frame; `found` is null where no map was uploaded for it. */
export type FrameFate = { frame: MinifiedFrame; found: { ref: MapRef; answer: Mapped } | null }

type PlannedTask = MapTask & { places: Map<string, number> }

/** In the order of the frames. Nothing is changed yet. */
export async function traceFrames(
  symbolicator: Symbolicator,
  frames: readonly MinifiedFrame[],
  maps: FoundMaps,
): Promise<FrameFate[]> {
  const tasks = new Map<MapRef, PlannedTask>()
  const asked = frames.map(frame => {
    const ref = maps.get(wantedKey(frame.wanted))
    if (ref === undefined) return null
    const task: PlannedTask = tasks.get(ref) ?? { ref, positions: [], places: new Map() }
    tasks.set(ref, task)
    const place = `${frame.position.line}:${frame.position.column}`
    const index = task.places.get(place) ?? task.positions.push(frame.position) - 1
    task.places.set(place, index)
    return { ref, index }
  })
  const sent = [...tasks.values()].map(({ ref, positions }) => ({ ref, positions }))
  const answers = sent.length === 0 ? [] : await symbolicator.resolve(sent)
  const byRef = new Map(sent.map(({ ref }, at) => [ref, answers[at] ?? []]))
  return frames.map((frame, at) => {
    const question = asked[at]
    const answer = question && byRef.get(question.ref)?.[question.index]
    return { frame, found: question && answer ? { ref: question.ref, answer } : null }
  })
}

/** Replaces the frames that were found and keeps those that were sent beside them. True where any was. */
export function applyFates(event: StoredEvent, fates: readonly FrameFate[]): boolean {
  let isChanged = false
  for (const [place, exception] of (event.exception?.values ?? []).entries()) {
    const sent = sentFrames(exception)
    const frames: Frame[] = [...sent]
    let mapped = 0
    for (const { frame, found } of fates) {
      const minified = sent[frame.index]
      if (frame.exception !== place || found?.answer.kind !== 'mapped' || minified === undefined) continue
      frames[frame.index] = mappedFrame(minified, found.answer, found.ref)
      mapped += 1
    }
    if (mapped === 0) continue
    exception.raw_stacktrace = { frames: sent }
    exception.stacktrace = { ...exception.stacktrace, frames }
    isChanged = true
  }
  return isChanged
}
