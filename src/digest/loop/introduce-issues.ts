/** What is known about an issue from its events alone: whether one was unhandled, and at first how much it matters. */
import type { Transaction } from 'kysely'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import type { ControlSchema, IssuePriority } from '#store/control/schema.ts'

type Trx = Transaction<ControlSchema>
type Known = {
  id: number
  level: string
  is_unhandled: number
  substatus_at: number
  arrivals: readonly { isUnhandled: boolean }[]
}

export async function introduceIssues(trx: Trx, issues: readonly Known[]): Promise<void> {
  const isCrash = ({ arrivals }: Known): boolean => arrivals.some(arrival => arrival.isUnhandled)
  const crashed = issues.filter(issue => issue.is_unhandled === 0 && isCrash(issue))
  for (const ids of ascendingChunks(crashed.map(issue => issue.id)))
    await trx.updateTable('issue').set({ is_unhandled: 1 }).where('id', 'in', ids).execute()
  const fresh = issues.filter(issue => issue.substatus_at === 0)
  for (const [priority, group] of Map.groupBy(fresh, issue => priorityOf(issue.level, isCrash(issue))))
    for (const ids of ascendingChunks(group.map(issue => issue.id)))
      await trx
        .updateTable('issue')
        .set(eb => ({ priority, substatus_at: eb.ref('created_at') }))
        .where('id', 'in', ids)
        .execute()
}

/** People may say otherwise later. */
function priorityOf(level: string, isUnhandled: boolean): IssuePriority {
  if (level === 'fatal' || (level === 'error' && isUnhandled)) return 'high'
  return level === 'error' || level === 'warning' ? 'medium' : 'low'
}
