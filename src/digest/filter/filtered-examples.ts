import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import type { FilteredEvent } from '../processed-record.ts'

/** Per rule and project: enough to see what the filter catches. */
const examplesKept = 20

/** Keeps the newest events that each filter dropped, so that the filter settings can show them. */
export async function keepFilteredExamples(
  trx: Transaction<ControlSchema>,
  filtered: readonly FilteredEvent[],
): Promise<void> {
  for (const group of Map.groupBy(filtered, ({ projectId, rule }) => `${projectId}:${rule}`).values()) {
    const newest = group.toSorted((a, b) => b.at - a.at).slice(0, examplesKept)
    await trx
      .insertInto('filtered_example')
      .values(newest.map(toRow))
      .onConflict(conflict => conflict.doNothing())
      .execute()
    await deleteOldest(trx, newest)
  }
}

async function deleteOldest(trx: Transaction<ControlSchema>, [first]: readonly FilteredEvent[]): Promise<void> {
  if (first === undefined) return
  const { projectId, rule } = first
  const surplus = await trx
    .selectFrom('filtered_example')
    .select('event_id')
    .where('project_id', '=', projectId)
    .where('rule', '=', rule)
    .orderBy('at', 'desc')
    .orderBy('event_id')
    .offset(examplesKept)
    .limit(examplesKept)
    .execute()
  if (surplus.length === 0) return
  await trx
    .deleteFrom('filtered_example')
    .where('project_id', '=', projectId)
    .where('rule', '=', rule)
    .where(
      'event_id',
      'in',
      surplus.map(row => row.event_id),
    )
    .execute()
}

/** PostgreSQL cannot store U+0000 in text. */
const withoutZeros = (text: string): string => text.replaceAll('\0', '')

const toRow = ({ projectId, rule, eventId, at, title, route, release, browser }: FilteredEvent) => ({
  project_id: projectId,
  rule,
  event_id: eventId,
  at,
  title: withoutZeros(title),
  route: withoutZeros(route),
  release: withoutZeros(release),
  browser: withoutZeros(browser),
})
