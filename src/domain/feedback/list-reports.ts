import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { isPictureSql } from '#domain/events/list-attachments.ts'
import { plainUuid } from '#domain/events/read-columns.ts'
import { feedbackKind } from '#lib/event-kind.ts'

const noId = '0'.repeat(32)
const optionalId = z
  .string()
  .transform(plainUuid)
  .transform(id => (id === noId || id === '' ? null : id))
const field = (name: string) => `JSONExtractString(data, 'contexts', 'feedback', '${name}')`

const row = z.object({
  project_id: z.coerce.number(),
  hash: z.string(),
  event_id: z.string().transform(plainUuid),
  at: z.coerce.number(),
  message: z.string(),
  name: z.string(),
  email: z.string(),
  source: z.string(),
  route: z.string(),
  url: z.string(),
  release: z.string(),
  environment: z.string(),
  browser: z.string(),
  os: z.string(),
  user_hash: z.string(),
  trace_id: optionalId,
  replay_id: optionalId,
  error_id: optionalId,
})

/** One message of a user. All texts are theirs: they are shown as text, never as markup. */
export type Report = {
  projectId: number
  hash: string
  eventId: string
  at: number
  message: string
  name: string
  email: string
  source: string
  route: string
  url: string
  release: string
  environment: string
  browser: string
  os: string
  userHash: string
  traceId: string | null
  replayId: string | null
  /** The event that the message is about, as the SDK knew it. */
  errorId: string | null
}

const maxChars = 10_000 // of a message; the SDK's form takes 4,096

/** The newest messages of each group of feedback, newest first. */
export async function listReports(
  viewer: Viewer,
  groups: readonly { projectId: number; hashes: readonly string[]; firstSeen: number; lastSeen: number }[],
  { perGroup, limit }: { perGroup: number; limit: number },
): Promise<Report[]> {
  if (groups.length === 0) return []
  const rows = await viewer.telemetry.within([...new Set(groups.map(({ projectId }) => projectId))]).query({
    query: `
      SELECT project_id, toString(group_hash) AS hash, event_id, toUnixTimestamp64Milli(timestamp) AS at,
        substringUTF8(if(${field('message')} = '', title, ${field('message')}), 1, {maxChars:UInt32}) AS message,
        substringUTF8(if(${field('name')} = '', user_name, ${field('name')}), 1, 200) AS name,
        substringUTF8(if(${field('contact_email')} = '', user_email, ${field('contact_email')}), 1, 320) AS email,
        substringUTF8(${field('source')}, 1, 40) AS source,
        substringUTF8(if(route = '', route_raw, route), 1, 300) AS route,
        substringUTF8(if(${field('url')} = '', url, ${field('url')}), 1, 2000) AS url, release, environment,
        trim(concat(browser_name, ' ', browser_version)) AS browser, trim(concat(os_name, ' ', os_version)) AS os,
        toString(user_hash) AS user_hash, toString(trace_id) AS trace_id, toString(replay_id) AS replay_id, ${field('associated_event_id')} AS error_id
      FROM events
      WHERE {scope} AND group_hash IN {hashes:Array(String)} AND kind = '${feedbackKind}'
        AND events.timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND events.timestamp <= fromUnixTimestamp64Milli({to:Int64})
      ORDER BY events.timestamp DESC, event_id
      LIMIT {perGroup:UInt32} BY project_id, group_hash
      LIMIT {limit:UInt32}`,
    params: {
      hashes: [...new Set(groups.flatMap(({ hashes }) => hashes))],
      from: Math.min(...groups.map(({ firstSeen }) => firstSeen)),
      to: Math.max(...groups.map(({ lastSeen }) => lastSeen)),
      perGroup,
      limit,
      maxChars,
    },
    schema: row,
  })
  return rows.map(({ project_id, event_id, user_hash, trace_id, replay_id, error_id, ...report }) => ({
    ...report,
    projectId: project_id,
    eventId: event_id,
    userHash: user_hash,
    traceId: trace_id,
    replayId: replay_id,
    errorId: error_id !== null && /^[0-9a-f]{32}$/.test(error_id) ? error_id : null,
  }))
}

/** Which of these messages have a picture. */
export async function findPictured(viewer: Viewer, reports: readonly Report[]): Promise<Set<string>> {
  if (reports.length === 0) return new Set()
  const rows = await viewer.telemetry.within([...new Set(reports.map(({ projectId }) => projectId))]).query({
    query: `
      SELECT DISTINCT toString(event_id) AS id FROM attachments
      WHERE {scope} AND event_id IN {ids:Array(UUID)} AND ${isPictureSql}
      LIMIT {limit:UInt32}`,
    params: { ids: reports.map(({ eventId }) => eventId), limit: reports.length },
    schema: z.object({ id: z.string().transform(plainUuid) }),
  })
  return new Set(rows.map(({ id }) => id))
}
