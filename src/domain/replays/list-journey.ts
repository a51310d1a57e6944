import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import { addressSpellings } from '#lib/ip-address.ts'
import { type ReplaySummary, readSummaries } from './read-summaries.ts'

const found = z.object({ replay: z.string(), at: z.coerce.number(), end: z.coerce.number() })

/** SDKs end a replay after so long without activity, and begin another one in each tab. */
const pauseMs = 15 * 60_000
const aroundMs = 4 * 3_600_000
const [mostRead, mostShown] = [200, 20]

/**
 * The replays of one visitor that overlap or follow each other within minutes, in the order of their starts, with the given one: several
 * tabs, or one tab after a break. A visitor who is not signed in is known by address and
 * browser; empty if nothing is known of them.
 */
export async function listJourney(viewer: Viewer, replay: ReplaySummary): Promise<ReplaySummary[]> {
  const { params, bind } = boundParams()
  const same = sameVisitor(replay, text => bind(text, 'String'))
  if (same === null) return []
  const rows = await viewer.telemetry.within([replay.projectId]).query({
    query: `
      SELECT replaceAll(toString(replay_id), '-', '') AS replay, toUnixTimestamp64Milli(min(started)) AS at,
        toUnixTimestamp64Milli(max(timestamp)) AS end
      FROM replays
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli(${bind(replay.startedAt - aroundMs, 'Int64')})
        AND timestamp <= fromUnixTimestamp64Milli(${bind(replay.endedAt + aroundMs, 'Int64')}) AND ${same}
      GROUP BY replay_id ORDER BY at, replay LIMIT ${mostRead}`,
    params,
    schema: found,
  })
  return readSummaries(
    viewer,
    chain(rows, replay).map(each => ({ ...each, project: replay.projectId })),
  )
}

function sameVisitor({ user, browser, os }: ReplaySummary, bind: (text: string) => string): string | null {
  if (user.id !== '') return `user_id = ${bind(user.id)}`
  if (user.email !== '') return `user_email = ${bind(user.email)}`
  if (user.name !== '') return `user_name = ${bind(user.name)}`
  if (user.ip === '' || browser === '') return null
  const isSame = (columns: string, value: string) => `trim(concat(${columns})) = ${bind(value)}`
  return [
    `user_ip IN (${addressSpellings(user.ip).map(bind).join(', ')}) AND user_id = '' AND user_email = '' AND user_name = ''`,
    isSame(`browser_name, ' ', browser_version`, browser),
    isSame(`os_name, ' ', os_version`, os),
  ].join(' AND ')
}

type Visit = z.output<typeof found>

/** Those around the given one without a longer pause between them; the nearest if there are many. */
function chain(visits: readonly Visit[], { replayId }: ReplaySummary): Visit[] {
  const groups: Visit[][] = []
  let until = Number.NEGATIVE_INFINITY
  for (const visit of visits) {
    if (visit.at > until + pauseMs) groups.push([])
    groups.at(-1)?.push(visit)
    until = Math.max(until, visit.end)
  }
  const own = groups.find(group => group.some(({ replay }) => replay === replayId)) ?? []
  const at = own.findIndex(({ replay }) => replay === replayId)
  const first = Math.max(0, Math.min(at - mostShown / 2, own.length - mostShown))
  return own.slice(first, first + mostShown)
}
