/** What happened to issues in the time of a preview, as the change log tells it. */
import type { Viewer } from '#domain/access/viewer.ts'
import { readChangeDetail } from '#domain/issues/change-log/append-changes.ts'
import type { ReadChange } from '#domain/issues/change-log/read-changes.ts'
import { newsForMs } from './late-news.ts'
import type { RuleConfig } from './rule.ts'

type Range = { from: number; to: number }
type Control = Viewer['control']
const maxChanges = 5_000

const kinds = { regression: 'regressed', escalation: 'escalating', resolved: 'resolved' } as const

/**
 * In the order of time, at most 5,000 of a kind. An issue whose events arrived long after they happened is told as if they had arrived in
 * time: the preview is about the rule, not about an import.
 */
export async function listPastChanges(
  viewer: Viewer,
  scope: readonly number[],
  when: RuleConfig['when'],
  range: Range,
): Promise<ReadChange[]> {
  const control = viewer.control.within(scope)
  const wanted = (Object.keys(kinds) as (keyof typeof kinds)[]).filter(each => when.includes(each))
  const changes = [
    ...(when.includes('new-issue') ? await listNew(control, range) : []),
    ...(wanted.length > 0
      ? await listActivity(
          control,
          wanted.map(each => kinds[each]),
          range,
        )
      : []),
  ]
  return changes.sort((a, b) => a.at - b.at || a.position - b.position || a.issueId - b.issueId)
}

async function listNew(control: Control, range: Range): Promise<ReadChange[]> {
  const logged = new Map((await readLog(control, ['new'], range)).map(change => [change.issueId, change]))
  const rows = await control
    .issueHashes()
    .select(({ fn }) => ['issue_id', 'project_id', fn.min<number>('first_seen').as('at')])
    .select(({ fn }) => fn.min('first_release').as('release'))
    .groupBy(['issue_id', 'project_id'])
    .having(({ and, eb, fn }) =>
      and([eb(fn.min('first_seen'), '>=', range.from), eb(fn.min('first_seen'), '<=', range.to)]),
    )
    .orderBy('at', 'desc')
    .limit(maxChanges)
    .execute()
  return rows.map(row => {
    const change = logged.get(row.issue_id)
    if (change !== undefined && Math.abs(change.at - row.at) < newsForMs) return change
    const named = { projectId: row.project_id, issueId: row.issue_id, kind: 'new', at: row.at }
    return { ...named, position: 0, actor: '', detail: row.release ? { release: row.release } : {} }
  })
}

/** The activity outlives the log, which has more to say. */
async function listActivity(control: Control, wanted: readonly string[], range: Range): Promise<ReadChange[]> {
  const nameOf = (issueId: number, kind: string, at: number): string => `${issueId} ${kind} ${at}`
  const logged = new Map(
    (await readLog(control, wanted, range)).map(change => [nameOf(change.issueId, change.kind, change.at), change]),
  )
  const rows = await control
    .issueActivity()
    .select(['issue_id', 'project_id', 'at', 'kind', 'actor', 'release'])
    .where('kind', 'in', wanted)
    .where('at', '>=', range.from)
    .where('at', '<=', range.to)
    .orderBy('at', 'desc')
    .limit(maxChanges)
    .execute()
  return rows.map(row => {
    const named = { projectId: row.project_id, issueId: row.issue_id, kind: row.kind, at: row.at, actor: row.actor }
    const plain = { ...named, position: 0, detail: row.release ? { release: row.release } : {} }
    return logged.get(nameOf(row.issue_id, row.kind, row.at)) ?? plain
  })
}

async function readLog(control: Control, wanted: readonly string[], { from, to }: Range): Promise<ReadChange[]> {
  const rows = await control
    .issueChanges()
    .select(['position', 'project_id', 'issue_id', 'kind', 'at', 'actor', 'detail'])
    .where('kind', 'in', wanted)
    .where('at', '>=', from)
    .where('at', '<=', to)
    .orderBy('id', 'desc')
    .limit(maxChanges)
    .execute()
  return rows.map(row => ({
    position: row.position ?? 0,
    projectId: row.project_id,
    issueId: row.issue_id,
    kind: row.kind,
    at: row.at,
    actor: row.actor,
    detail: readChangeDetail(row.detail),
  }))
}
