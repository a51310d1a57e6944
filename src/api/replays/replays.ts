/** Handlers about replays: list, one replay, its recording. */

import type { Viewer } from '#domain/access/viewer.ts'
import { formatKeyCursor, parseKeyCursor } from '#domain/events/list-filter.ts'
import { describeMoment } from '#domain/replays/describe-replay.ts'
import { findReplay, listSegments, locateReplay } from '#domain/replays/find-replay.ts'
import { listMoments } from '#domain/replays/list-moments.ts'
import { countReplays, listReplays } from '#domain/replays/list-replays.ts'
import type { ReplayFilter, ReplaySort } from '#domain/replays/replay-condition.ts'
import { clipText } from '#lib/text.ts'
import { parseSearch } from '#search/parse-search.ts'
import { replayFields } from '#search/replay-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { fieldsOf, fieldTerm } from '#search/search-term.ts'
import { recordingArrays } from '#web/replay-recording.ts'
import type { ApiHandler } from '../api-call.ts'
import { apiError, apiNotFound } from '../api-error.ts'
import { findNamedIssue, ofProject } from '../named-resources.ts'
import { cursorResponse, readLimit, wrongCursor } from '../pages.ts'
import { environmentTerms, readFilter } from '../read-filter.ts'
import { serializeReplay } from './serialize-replay.ts'

/** Sentry's sorts, as far as there is an order of Hydrant's. */
const sorts: Readonly<Record<string, ReplaySort>> = {
  '-started_at': 'newest',
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
  const sortName = search.get('sort') || search.get('orderBy') || '-started_at'
  const sort = Object.hasOwn(sorts, sortName) ? sorts[sortName] : undefined
  if (sort === undefined)
    return apiError(
      400,
      `Replays can't be sorted by ${JSON.stringify(clipText(sortName, 100))}. Use one of ${Object.keys(sorts).join(', ')}.`,
    )
  const cursor = search.get('cursor') ?? ''
  const after = parseKeyCursor(cursor)
  if (after === undefined && cursor !== '') return wrongCursor()
  return {
    terms: [...parsed.terms, ...environmentTerms(filter.environments)],
    rangeMs: filter.to - filter.from,
    to: filter.to,
    sort,
    after,
  }
}

export const getReplays: ApiHandler = async ({ viewer, request, search }) => {
  const filter = readReplays(viewer, search)
  if (filter instanceof Response) return filter
  const limit = readLimit(search, 50)
  if (limit instanceof Response) return limit
  const { replays, next } = await listReplays(viewer, filter, limit)
  return cursorResponse(
    request,
    { data: replays.map(serializeReplay) },
    {
      previous: { hasResults: false, cursor: '' },
      next: { hasResults: next !== null, cursor: next === null ? '' : formatKeyCursor(next) },
    },
  )
}

/** How many replays match; with `returnIds=true`, those of the issues in `issue.id:[1,2]`, by issue. */
export const getReplayCount: ApiHandler = async ({ viewer, search }) => {
  const filter = readReplays(viewer, search)
  if (filter instanceof Response) return filter
  const returnIds = search.get('returnIds') || 'false'
  if (returnIds === 'false') return Response.json({ count: await countReplays(viewer, filter) })
  if (returnIds !== 'true') return apiError(400, 'returnIds takes true or false.')
  const issues = fieldsOf(filter.terms).filter(({ key }) => key === 'issue.id')
  const issueIds = issues.flatMap(({ values }) => values.map(({ parts }) => parts[0] ?? '')).slice(0, maxIssues)
  return Response.json(
    Object.fromEntries(await Promise.all(issueIds.map(async id => [id, await listIds(viewer, filter, id)]))),
  )
}

const maxIssues = 25
const maxIdsPerIssue = 100

/** The replays in which an issue happened, newest first; none for an issue that the token can't see. */
async function listIds(viewer: Viewer, filter: ReplayFilter, id: string): Promise<string[]> {
  const issue = await findNamedIssue(viewer, id)
  if (issue === null) return []
  const terms = [fieldTerm('issue', [issue.shortId])]
  const { replays } = await listReplays(viewer, { ...filter, terms, sort: 'newest' }, maxIdsPerIssue)
  return replays.map(({ replayId }) => replayId)
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
