/** Closes the pages whose subjects have ended, and the incidents of deleted projects. */
import type { Stores } from '#domain/access/unscoped-stores.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { type EndedSubject, endPageSubjects } from '#domain/channels/pages/end-pages.ts'
import { dropRetiredChannels } from '#domain/channels/pages/retire-channel.ts'
import { closeStalePages } from '#domain/channels/pages/stale-subjects.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import { closeIncidentsOfDeletedProjects } from './close-incidents.ts'
import { createSearches } from './match-changes.ts'
import { createViewers } from './organization-viewer.ts'
import { readRules } from './read-rules.ts'
import { hearsOf, projectsOf, type Rule } from './rule.ts'
import type { Enqueue } from './send-to-lane.ts'

type Options = { stores: Stores; enqueue: Enqueue; now: () => number }

/** How often the job runs it. */
export const closePagesEveryMs = 1_000

/** Reads, and writes only if there is something to close. Returns how many pages it closed. */
export async function closeEndedPages({ stores, enqueue, now }: Options): Promise<number> {
  const { control } = stores
  await closeIncidentsOfDeletedProjects(control, { enqueue, nowMs: now() })
  const closed = (await endUncovered(stores, now())) + (await closeStalePages(control, now()))
  await dropRetiredChannels(control)
  return closed
}

type OpenSubject = Omit<EndedSubject, 'because' | 'message'> & { organizationId: number }

/** A rule that was changed may no longer match its open pages. Its filter runs as a search, as it did when it matched. */
async function endUncovered(stores: Stores, nowMs: number): Promise<number> {
  const { db } = stores.control
  const open = await listUnchecked(stores)
  const viewerOf = createViewers(stores, nowMs)
  let closed = 0
  for (const [ruleId, subjects] of Map.groupBy(open, ({ ruleId: id }) => id)) {
    const [rule] = await readRules(db, { ruleId })
    const viewer = rule && (await viewerOf(rule.organizationId))
    // A rule that is gone, off or snoozed is found by its state.
    if (!rule || !viewer) continue
    const covers = await readCoverage(viewer, rule, subjects)
    const ended = subjects.filter(subject => !covers(subject))
    closed += await retryDeadlocks(() =>
      db.transaction().execute(async trx => {
        for (const chunk of chunksOf([...new Set(subjects.map(({ pageId }) => pageId))]))
          await trx
            .updateTable('page_subject')
            .set({ checked_at: nowMs + 1 })
            .where('rule_id', '=', ruleId)
            .where('page_id', 'in', chunk)
            .execute()
        const because = 'the rule no longer covers it'
        return endPageSubjects(
          trx,
          ended.map(subject => ({ ...subject, because })),
          nowMs,
        )
      }),
    )
  }
  return closed
}

async function listUnchecked({ control }: Stores): Promise<OpenSubject[]> {
  return control.db
    .selectFrom('page_subject')
    .innerJoin('page', 'page.id', 'page_subject.page_id')
    .innerJoin('alert_rule', 'alert_rule.id', 'page_subject.rule_id')
    .select([
      'page.id as pageId',
      'page.organization_id as organizationId',
      'page_subject.kind',
      'page_subject.ref',
      'page_subject.rule_id as ruleId',
    ])
    .where('page_subject.ended_at', 'is', null)
    .whereRef('alert_rule.updated_at', '>=', 'page_subject.checked_at')
    .limit(2_000)
    .execute()
}

async function readCoverage(
  viewer: Viewer,
  rule: Rule,
  subjects: readonly OpenSubject[],
): Promise<(subject: OpenSubject) => boolean> {
  const projectIds = new Set(projectsOf(rule, viewer.projects))
  const { when, counts } = rule.config
  const isAboutIssues = counts.length > 0 || when.some(trigger => trigger !== 'incident')
  const issueIds = subjects.flatMap(({ kind, ref }) => (kind === 'issue' ? [ref] : []))
  const inProjects = isAboutIssues ? await listIssuesIn(viewer, issueIds, projectIds) : []
  const found = inProjects.length === 0 ? new Set<number>() : await createSearches(viewer)(rule, inProjects)
  const incidents = await listIncidentsOf(viewer, subjects)
  return ({ kind, ref }) => {
    if (kind === 'issue') return found.has(ref)
    const incident = incidents.get(ref)
    return kind !== 'incident' || (incident !== undefined && hearsOf(rule, incident, viewer.projects))
  }
}

async function listIssuesIn(viewer: Viewer, ids: readonly number[], projectIds: ReadonlySet<number>) {
  const found: number[] = []
  for (const chunk of chunksOf(ids))
    for (const row of await viewer.control
      .issues()
      .select(['issue.id', 'issue.project_id'])
      .where('issue.id', 'in', chunk)
      .execute())
      if (projectIds.has(row.project_id)) found.push(row.id)
  return found
}

async function listIncidentsOf(viewer: Viewer, subjects: readonly OpenSubject[]) {
  const ids = subjects.flatMap(({ kind, ref }) => (kind === 'incident' ? [ref] : []))
  if (ids.length === 0) return new Map<number, { ruleId: number | null; projectId: number | null }>()
  const rows = await viewer.control
    .incidents()
    .select(['incident.id', 'incident.rule_id as ruleId', 'incident.project_id as projectId'])
    .where('incident.id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}
