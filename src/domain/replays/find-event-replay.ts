import type { Viewer } from '#domain/access/viewer.ts'
import { jsonObjectOf, objectOf, textOf } from '#lib/json-value.ts'
import { tellWhatUserDid } from './describe-replay.ts'
import { findReplay } from './find-replay.ts'
import { listMoments } from './list-moments.ts'
import type { ReplaySummary } from './read-summaries.ts'

type EventOfReplay = { data: string; tags: Record<string, string>; timestamp: number; title: string }

/** The replay in which an event happened, if it names one. */
export function replayIdOf({ data, tags }: Pick<EventOfReplay, 'data' | 'tags'>): string | null {
  const inContext = textOf(objectOf(objectOf(jsonObjectOf(data).contexts)?.replay)?.replay_id)
  const id = (inContext || tags.replayId || '').replaceAll('-', '').toLowerCase()
  return /^(?!0{32})[0-9a-f]{32}$/.test(id) ? id : null
}

export type EventReplay = {
  replay: ReplaySummary
  /** When the event happened, in milliseconds since the start of the replay. */
  at: number
  /** What the user did up to the event, at most ten lines. */
  lines: string[]
}

/**
 * The replay of an event, with what the user did before it. `missing` if the event names a replay that was never sent, which is usual
 * for SDKs that record only visits with an error, or that is not kept any more.
 */
export async function findEventReplay(viewer: Viewer, event: EventOfReplay): Promise<EventReplay | 'missing' | null> {
  const id = replayIdOf(event)
  if (id === null) return null
  const replay = await findReplay(viewer, id)
  if (replay === null) return 'missing'
  const error = { at: event.timestamp, verb: 'Error', what: event.title }
  const moments = await listMoments(viewer, replay)
  return {
    replay,
    at: Math.max(0, event.timestamp - replay.startedAt),
    lines: tellWhatUserDid(moments, { until: event.timestamp, extras: [error] }),
  }
}
