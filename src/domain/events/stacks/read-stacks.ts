import { unscopedStores } from '#domain/access/unscoped-stores.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { markForeign } from '#grouping/mark-libraries.ts'
import { isMinified } from '#grouping/v1/file-traits.ts'
import { isObject } from '#lib/json-value.ts'
import type { Frame, StoredEvent } from '#protocol/event.ts'
import { isInLibrary, unmappedAdvice } from '#react/frameworks/find-frameworks.ts'
import { findMaps, type WantedMap, wantedKey } from '#symbolication/find-maps.ts'
import type { Symbolicator } from '#symbolication/open-symbolicator.ts'
import {
  applyFrameResults,
  type FrameResult,
  type MinifiedFrame,
  minifiedFrames,
  resolveFrames,
} from '#symbolication/symbolicate-events.ts'
import { adviseMissing, adviseUnmapped, readMapSituation } from './advise-frame.ts'

/** Why a frame is still minified, by its index in the stored event. */
export type FrameAdvice = { exception: number; frame: number; sentence: string }
type ReadableStacks = { data: string; advice: FrameAdvice[] }

/** Files. A stack has few, and one advice covers all frames of a file. */
const maxFiles = 12

/** Symbolicates a stored event again, because maps may have arrived since; explains frames that stay minified, and marks libraries. */
export async function readStacks(
  viewer: Viewer,
  symbolicator: Symbolicator,
  { projectId, data, zone = 'UTC' }: { projectId: number; data: string; zone?: string },
): Promise<ReadableStacks> {
  const event = parseEvent(data)
  if (event === null) return { data, advice: [] }
  const unread = unreadFrames(markForeign(event))
  if (unread.length === 0) return { data: writeMarked(event, data), advice: [] }
  // The maps of a file are those of its project: the search needs no scope, but the project must be one of the viewer's.
  const frames = viewer.projects.some(({ id }) => id === projectId) ? minifiedFrames(event, projectId) : []
  const maps = await findMaps(
    unscopedStores(viewer).control.db,
    frames.map(({ wanted }) => wanted),
  )
  const results = await resolveFrames(symbolicator, frames, maps)
  const isChanged = applyFrameResults(event, results)
  const advice = await advise(viewer, unread, results, { projectId, zone })
  return { data: writeMarked(event, isChanged ? null : data), advice }
}

/** `data` is the JSON of the event if nothing has changed. */
function writeMarked(event: StoredEvent, data: string | null): string {
  const marked = markForeign(event)
  return data !== null && marked === event ? data : JSON.stringify(marked)
}

/** Digest normalized the event before it was stored. */
function parseEvent(data: string): StoredEvent | null {
  try {
    const value: unknown = JSON.parse(data)
    return isObject(value) ? (value as StoredEvent) : null
  } catch {
    return null
  }
}

type StoredFrame = { exception: number; index: number; frame: Frame }

/** The stored frames that are still minified. */
function unreadFrames(event: StoredEvent): StoredFrame[] {
  return (event.exception?.values ?? []).flatMap((value, exception) =>
    (value.stacktrace?.frames ?? []).flatMap((frame, index) =>
      (isMinified(frame) && !isForeign(frame) && !isInLibrary(frame)) || isUnmapped(frame)
        ? [{ exception, index, frame }]
        : [],
    ),
  )
}

/** A file of the app that its framework bundles without a source map. Its names are readable, its lines are those of the bundle. */
const isUnmapped = (frame: Frame): boolean => frame.in_app !== false && unmappedAdvice(frame) !== ''

const isForeign = (frame: Frame): boolean => /^(?:node:|<|\[)/.test(frame.filename ?? '')

async function advise(
  viewer: Viewer,
  unread: readonly StoredFrame[],
  results: readonly FrameResult[],
  { projectId, zone }: { projectId: number; zone: string },
): Promise<FrameAdvice[]> {
  const sentences = new Map<string, Promise<string>>()
  const missing = (wanted: WantedMap): Promise<string> | null => {
    const key = `${wantedKey(wanted)}${wanted.file}`
    const known = sentences.get(key)
    if (known !== undefined || sentences.size >= maxFiles) return known ?? null
    const advice = readMapSituation(viewer, wanted).then(situation => adviseMissing(wanted, situation, zone))
    sentences.set(key, advice)
    return advice
  }
  const given = await Promise.all(
    unread.map(async ({ exception, index, frame }) => {
      const result = results.find(each => each.frame.exception === exception && each.frame.index === index)
      if (result?.found?.result.kind === 'mapped') return null
      const sentence = result?.found
        ? adviseUnmapped(result.found.result)
        : unmappedAdvice(frame) || (await missing(result?.frame.wanted ?? nothingKnown(frame, projectId)))
      return sentence === null ? null : { exception, frame: index, sentence }
    }),
  )
  return given.filter(each => each !== null)
}

/** For an event with neither debug ids nor a release. */
const nothingKnown = (frame: Frame, projectId: number): MinifiedFrame['wanted'] => ({
  projectId,
  file: frame.abs_path || frame.filename || '',
  debugId: '',
  release: '',
  dist: '',
})
