/** Handlers about replays: list, one replay, its recording. */

import type { Viewer } from '#domain/access/viewer.ts'
import { formatKeyCursor, parseKeyCursor } from '#domain/events/list-filter.ts'
import { describeMoment } from '#domain/replays/describe-replay.ts'
import { findReplay, listSegments, locateReplay } from '#domain/replays/find-replay.ts'
import { listMoments } from '#domain/replays/list-moments.ts'
import { countReplays, listReplays } from '#domain/replays/list-replays.ts'
import type { ReplayFilter, ReplaySort } from '#domain/replays/replay-condition.ts'
import { parseSearch } from '#search/parse-search.ts'
import { replayFields } from '#search/replay-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { recordingArrays } from '#web/replay-recording.ts'
import type { ApiHandler } from '../api-call.ts'
import { apiError, apiNotFound } from '../api-error.ts'
import { ofProject } from '../named-resources.ts'
import { cursorResponse, readPage } from '../pages.ts'
import { readFilter } from '../read-filter.ts'
import { serializeReplay } from './serialize-replay.ts'

/** Sentry's sorts. Others are newest first. */
const sorts: Readonly<Record<string, ReplaySort>> = {
  '-duration': 'longest',
  '-count_errors': 'errors',
  '-count_rage_clicks': 'rage',
  '-activity': 'activity',
}

function readReplays(viewer: Viewer, search: URLSearchParams): ReplayFilter | Response {
  const filter = readFilter(viewer, search)
  if (filter instanceof Response) return filter
  const parsed = parseSearch(search.get('query') ?? '', languageOf(replayFields))
  if (!parsed.ok) return apiError(400, parsed.faults[0]?.message ?? 'The query can’t be read.')
  const sort = sorts[search.get('sort') ?? search.get('orderBy') ?? ''] ?? 'newest'
  const [environment] = filter.environments ?? []
  return {
    terms: parsed.terms,
    projectIds: filter.projectIds,
    environment,
    rangeMs: filter.to - filter.from,
    to: filter.to,
    sort,
    after: parseKeyCursor(search.get('cursor') ?? ''),
  }
}

export const getReplays: ApiHandler = async ({ viewer, request, search }) => {
  const filter = readReplays(viewer, search)
  if (filter instanceof Response) return filter
  const { replays, next } = await listReplays(viewer, filter, readPage(search, 50).limit)
  return cursorResponse(
    request,
    { data: replays.map(serializeReplay) },
    {
      previous: { hasResults: false, cursor: '' },
      next: { hasResults: next !== null, cursor: next === null ? '' : formatKeyCursor(next) },
    },
  )
}

/** How many replays match. */
export const getReplayCount: ApiHandler = async ({ viewer, search }) => {
  const filter = readReplays(viewer, search)
  return filter instanceof Response ? filter : Response.json({ count: await countReplays(viewer, filter) })
}

/** A replay, with what the user did as lines of text. */
export const getReplay: ApiHandler<'replay'> = async ({ viewer, params }) => {
  const replay = await findReplay(viewer, params.replay)
  if (replay === null) return apiNotFound()
  const moments = await listMoments(viewer, replay)
  const lines = moments.flatMap(moment => {
    const line = describeMoment(moment)
    if (line === null) return []
    const seconds = ((line.at - replay.startedAt) / 1_000).toFixed(1)
    return [`${seconds} s  ${[line.verb, line.what, line.note].filter(Boolean).join(' ')}`]
  })
  return Response.json({ data: { ...serializeReplay(replay), user_did: lines.slice(0, 500) } })
}

/** The events of a recording as they are stored, an array for each segment. */
export const getRecordingSegments = ofProject<'replay'>(async ({ viewer, project, params }) => {
  const replay = await locateReplay(viewer, params.replay)
  if (replay === null || replay.projectId !== project.id) return apiNotFound()
  return recordingArrays(await listSegments(viewer, replay))
})
