import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { readUtc } from '#domain/events/read-columns.ts'
import { replayParams, replayRows } from './find-replay.ts'
import type { ReplaySummary } from './read-summaries.ts'

const row = z.object({
  at: z.string().transform(readUtc),
  kind: z.string(),
  level: z.string(),
  selector: z.string(),
  words: z.string(),
  address: z.string(),
  method: z.string(),
  node_id: z.coerce.number(),
  status: z.coerce.number(),
  duration_ms: z.coerce.number(),
})

/** What the user did or met at one time of a replay. */
export type ReplayMoment = {
  /** Milliseconds since 1970, as are all times here. */
  at: number
  kind: string
  /** Of a console line. */
  level: string
  selector: string
  text: string
  url: string
  method: string
  /** What was clicked, for the player. */
  nodeId: number
  /** Of a request; of a rage click, how often it was clicked. */
  status: number
  durationMs: number
}

const maxMoments = 5_000

/** The moments of a replay in the order of time, each once, also those of a segment that was sent twice. */
export async function listMoments(viewer: Viewer, replay: ReplaySummary): Promise<ReplayMoment[]> {
  const rows = await viewer.telemetry.within([replay.projectId]).query({
    query: `
      SELECT timestamp AS at, kind, level, selector, text AS words, url AS address, method, node_id, status, duration_ms
      FROM replay_moments WHERE ${replayRows}
      ORDER BY timestamp, segment_id, kind
      LIMIT 1 BY segment_id, timestamp, kind, level, selector, text, url, method, node_id, status, duration_ms
      LIMIT ${maxMoments}`,
    params: replayParams(replay),
    schema: row,
  })
  return withoutRepeats(
    rows.map(({ words: text, address: url, node_id: nodeId, duration_ms: durationMs, ...rest }) => ({
      ...rest,
      text,
      url,
      nodeId,
      durationMs,
    })),
  )
}

const isClick = (kind: string): boolean => kind === 'dead_click' || kind === 'rage_click'

/** A dead click arrives seconds after its click, with the same time. Routers report the page they are on as a navigation. */
function withoutRepeats(moments: readonly ReplayMoment[]): ReplayMoment[] {
  const known = new Set(moments.filter(({ kind }) => isClick(kind)).map(({ at, nodeId }) => `${at} ${nodeId}`))
  const once = moments.filter(({ kind, at, nodeId }) => kind !== 'click' || !known.has(`${at} ${nodeId}`))
  let page = ''
  return once.filter(({ kind, url }) => {
    if (kind !== 'page' && kind !== 'navigation') return true
    const isNew = pathOf(url) !== page
    page = pathOf(url)
    return isNew
  })
}

/** Path and query of a URL that may be relative. */
export function pathOf(url: string): string {
  const parsed = URL.parse(url, 'http://page.invalid')
  return parsed === null ? url : `${parsed.pathname}${parsed.search}`
}
