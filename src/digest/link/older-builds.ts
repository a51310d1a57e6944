/** A server that is asked for a file of an older build does not know which one: it is taken for that of the release before its own. */
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import { skewGroup } from '#grouping/group-event.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { Control } from '#store/control/control.ts'
import type { BatchRecord } from '../process-records.ts'

type Builds = Readonly<Record<string, string>>

/** The release of each event of a server for a missing file, by event id. An event whose release is the project's first keeps its own. */
export async function findOlderBuilds(control: Control, records: readonly BatchRecord[]): Promise<Builds> {
  const events = records.flatMap(({ processed }) => processed.groupedEvents.filter(isNamed))
  if (events.length === 0) return {}
  const builds: Record<string, string> = {}
  for (const projects of chunksOf([...new Set(events.map(({ projectId }) => projectId))])) {
    const releases = await control.db
      .selectFrom('project_release')
      .select(['project_id', 'version', 'first_seen'])
      .where('project_id', 'in', projects)
      .orderBy('first_seen', 'desc')
      .limit(maxReleases)
      .execute()
    for (const { projectId, release, eventId } of events) {
      const own = releases.filter(({ project_id }) => project_id === projectId)
      const seen = own.find(({ version }) => version === release)?.first_seen ?? Number.POSITIVE_INFINITY
      const before = own.find(({ version, first_seen }) => version !== release && first_seen <= seen)
      if (before !== undefined) builds[eventId] = before.version
    }
  }
  return builds
}

const maxReleases = 1_000

const isNamed = ({ isMissingFile, release }: GroupedEvent): boolean => isMissingFile === true && release !== ''

export function applyOlderBuilds(records: readonly BatchRecord[], builds: Builds): readonly BatchRecord[] {
  if (Object.keys(builds).length === 0) return records
  const groups = new Map([...new Set(Object.values(builds))].map(release => [release, skewGroup(release)]))
  return records.map(record => {
    const { groupedEvents, rows } = record.processed
    if (!groupedEvents.some(({ eventId }) => builds[eventId] !== undefined)) return record
    const groupOf = (eventId: string) => groups.get(builds[eventId] ?? '')
    return {
      ...record,
      processed: {
        ...record.processed,
        groupedEvents: groupedEvents.map(each => {
          const group = groupOf(each.eventId)
          if (group === undefined) return each
          return { ...each, groupVersion: group.version, groupHash: group.hash, title: group.title }
        }),
        rows: {
          ...rows,
          events: (rows.events ?? []).map(row => {
            const group = groupOf(row.event_id)
            if (group === undefined) return row
            return { ...row, group_version: group.version, group_hash: group.hash, title: group.title }
          }),
        },
      },
    }
  })
}
