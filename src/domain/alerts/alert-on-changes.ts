/** Reads the change log by cursor and turns changes into messages, each exactly once: cursor and messages move in one transaction. */
import type { Stores } from '#domain/access/unscoped-stores.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import {
  beginCursor,
  findCursor,
  hasChangesAfter,
  placeChanges,
  type ReadChange,
  readChanges,
  readHead,
} from '#domain/issues/change-log/read-changes.ts'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import { readTrustedNow } from '#store/control/trust-clock.ts'
import { readTraces } from './cascades.ts'
import { addDefaultRules } from './default-rule.ts'
import { describeChange } from './describe-change.ts'
import { dispatch } from './dispatch.ts'
import { flushBurst, listDueBursts } from './flush-bursts.ts'
import { sendingOf } from './lane-memory.ts'
import type { Target } from './lanes.ts'
import { holdLateNews } from './late-news.ts'
import { type Candidate, listCandidates, type Match, matchRules } from './match-changes.ts'
import { notifyMember } from './notify-members.ts'
import { createViewers } from './organization-viewer.ts'
import { readRules } from './read-rules.ts'
import type { Enqueue } from './send-to-lane.ts'

const reader = 'alerts'
const changesAtOnce = 500
/** How often the job looks for changes: those that come closer together are handled together. */
export const alertEveryMs = 500

export type AlertOptions = { stores: Stores; enqueue: Enqueue; now: () => number; hasMail?: boolean }

/** Whether there is something to do; reads only, so that an idle node takes no lock. */
export async function hasAlertWork({ stores: { control }, now }: AlertOptions): Promise<boolean> {
  const cursor = await findCursor(control, reader)
  if (cursor === null || (await hasChangesAfter(control, cursor))) return true
  return (await listDueBursts(control.db, now())).length > 0
}

/** Handles all changes since the cursor. Gives their number. */
export async function alertOnChanges(options: AlertOptions): Promise<number> {
  const { control } = options.stores
  if (options.hasMail) await addDefaultRules(options.stores, options.now())
  await placeChanges(control)
  const cursor = await findCursor(control, reader)
  if (cursor === null) {
    // The past of an older installation is no news.
    await beginCursor(control, reader, await readHead(control), options.now())
    return 0
  }
  for (let position = cursor, done = 0; ; ) {
    const changes = await readChanges(control, position, changesAtOnce)
    const last = changes.at(-1)
    if (last === undefined) return done
    if (!(await handle(options, position, last.position, changes))) return done
    position = last.position
    done += changes.length
  }
}

/** False if another node has handled them meanwhile. */
async function handle(
  { stores, enqueue, now }: AlertOptions,
  from: number,
  to: number,
  changes: readonly ReadChange[],
): Promise<boolean> {
  const nowMs = now()
  const { candidates, matches, assignments, traces, late } = await findMatches(stores, changes, nowMs)
  const targets: [Target, Candidate['message'][]][] = [
    ...[...Map.groupBy(matches, ({ rule }) => rule)].map(([rule, group]): [Target, Candidate['message'][]] => [
      { kind: 'rule', rule },
      group.map(({ message }) => message),
    ]),
    ...[...Map.groupBy(candidates, ({ message }) => message.projectId)].map(
      ([projectId, group]): [Target, Candidate['message'][]] => [
        { kind: 'project', projectId },
        group.map(({ message }) => message),
      ],
    ),
  ]
  return retryDeadlocks(() =>
    stores.control.db.transaction().execute(async trx => {
      const moved = await trx
        .updateTable('change_cursor')
        .set({ position: to, moved_at: nowMs })
        .where('reader', '=', reader)
        .where('position', '=', from)
        .executeTakeFirst()
      if (moved.numUpdatedRows === 0n) return false
      const sending = sendingOf({ trx, enqueue, nowMs }, traces)
      for (const [target, messages] of targets) await dispatch(sending, target, messages)
      for (const assignment of assignments) await notifyMember({ trx, nowMs }, assignment)
      await holdLateNews(trx, late, nowMs)
      return true
    }),
  )
}

async function findMatches(stores: Stores, changes: readonly ReadChange[], nowMs: number) {
  const { db } = stores.control
  const projectIds = [...new Set(changes.map(({ projectId }) => projectId))]
  const projects = await db
    .selectFrom('project')
    .select(['id', 'organization_id'])
    .where('id', 'in', projectIds)
    .execute()
  const trustedMs = await readTrustedNow(db, nowMs)
  const viewerOf = createViewers(stores, nowMs)
  const candidates: Candidate[] = []
  const matches: Match[] = []
  const assignments: Assignment[] = []
  const late: ReadChange[] = []
  const traces = new Map<number, string>()
  for (const [organizationId, own] of Map.groupBy(projects, row => row.organization_id)) {
    const viewer = await viewerOf(organizationId)
    if (viewer === null) continue
    const ids = new Set(own.map(({ id }) => id))
    const changed = changes.filter(({ projectId }) => ids.has(projectId))
    assignments.push(...(await listAssignments(viewer, changed)))
    const told = await listCandidates(viewer, changed, { trustedMs, late })
    if (told.length === 0) continue
    candidates.push(...told)
    const issueIds = new Set(told.map(({ message }) => message.issueId))
    const causes = changed.filter(({ issueId }) => issueIds.has(issueId))
    for (const [issueId, trace] of await readTraces(viewer, causes)) traces.set(issueId, trace)
    matches.push(...(await matchRules(viewer, await readRules(db, { organizationIds: [organizationId] }), told)))
  }
  return { candidates, matches, assignments, traces, late }
}

type Assignment = Parameters<typeof notifyMember>[1]

/** Issues that somebody else has assigned to a member. */
async function listAssignments(viewer: Viewer, changes: readonly ReadChange[]): Promise<Assignment[]> {
  const assignments: Assignment[] = []
  for (const change of changes) {
    const assignee = change.kind === 'assigned' ? (change.detail.to?.assignee ?? '') : ''
    if (!assignee.startsWith('user:') || assignee === change.actor) continue
    const { issueId, projectId, at } = change
    const reason = await describeChange(viewer, change)
    assignments.push({
      userId: assignee.slice('user:'.length),
      projectId,
      key: `issue.assigned/${issueId}/${at}`,
      message: {
        kind: 'issue',
        type: 'issue.assigned',
        issueId,
        projectId,
        ruleId: null,
        at,
        severity: 'info',
        reason,
      },
    })
  }
  return assignments
}

/** Sends what was collected and is due. */
export async function flushDueBursts({ stores: { control }, enqueue, now }: AlertOptions): Promise<void> {
  const nowMs = now()
  for (const burst of await listDueBursts(control.db, nowMs))
    await retryDeadlocks(() =>
      control.db.transaction().execute(trx => flushBurst(sendingOf({ trx, enqueue, nowMs }), burst)),
    )
}
