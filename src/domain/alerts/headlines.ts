/** Titles of messages: `New: TypeError: x is undefined`, `Failing: checkout is slow`. */
import type { Viewer } from '#domain/access/viewer.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { IncidentMessage, IssueMessage, SingleMessage } from './stored-message.ts'

const words: Record<IssueMessage['type'], string> = {
  'issue.new': 'New',
  'issue.regressed': 'Regressed',
  'issue.escalating': 'Escalating',
  'issue.resolved': 'Resolved',
  'issue.frequent': 'Frequent',
  'issue.assigned': 'Assigned to you',
}

/** The title of an issue message in lists: `New: TypeError: x is undefined`. */
export const headline = (type: IssueMessage['type'], title: string): string => `${words[type]}: ${title}`

const incidentWords: Record<IncidentMessage['type'], string> = {
  'incident.opened': 'Failing',
  'incident.worsened': 'Worse',
  'incident.improved': 'Better',
  'incident.closed': 'Resolved',
}

/** The title of an incident message in lists: `Failing: checkout is slow`. */
export const incidentHeadline = (type: IncidentMessage['type'], name: string): string =>
  `${incidentWords[type]}: ${name}`

/** The names of incidents that the viewer sees. */
export async function readIncidentNames(
  viewer: Viewer,
  messages: readonly SingleMessage[],
): Promise<ReadonlyMap<number, string>> {
  const ids = messages.flatMap(message => (message.kind === 'incident' ? [message.incidentId] : []))
  const names = new Map<number, string>()
  for (const chunk of chunksOf(ids))
    for (const row of await viewer.control
      .incidents()
      .select(['incident.id', 'incident.name'])
      .where('incident.id', 'in', chunk)
      .execute())
      names.set(row.id, row.name)
  return names
}
