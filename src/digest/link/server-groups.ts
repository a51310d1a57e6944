import type { Transaction } from 'kysely'
import type { GroupedEvent, HeldEvent } from '#domain/issues/counters/grouped-event.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type LinkTarget, readTarget } from './batch-plan.ts'

/** Stores which server group of another project a group of browser errors is linked to. */
export async function saveLinkedGroups(
  trx: Transaction<ControlSchema>,
  groupedEvents: readonly GroupedEvent[],
  joined: Readonly<Record<string, LinkTarget>>,
): Promise<void> {
  const rows = new Map<string, ControlSchema['linked_group']>()
  for (const { eventId, projectId, groupVersion, groupHash } of groupedEvents) {
    const abroad = joined[eventId]?.abroad
    if (abroad === undefined) continue
    rows.set(`${projectId}:${groupHash}`, {
      project_id: projectId,
      group_version: groupVersion,
      group_hash: groupHash,
      server_project_id: abroad.projectId,
      server_hash: abroad.hash,
    })
  }
  for (const row of rows.values())
    await trx
      .insertInto('linked_group')
      .values(row)
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

/** Which of these projects have issues of a server of their own. */
export async function findServerProjects(control: Control, projectIds: readonly number[]): Promise<Set<number>> {
  if (projectIds.length === 0) return new Set()
  const rows = await control.db
    .selectFrom('issue')
    .select('project_id')
    .distinct()
    .where('project_id', 'in', projectIds)
    .where('side', 'in', ['server', 'edge'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('issue_hash')
            .innerJoin('linked_group', join =>
              join
                .onRef('linked_group.project_id', '=', 'issue_hash.project_id')
                .onRef('linked_group.group_hash', '=', 'issue_hash.group_hash'),
            )
            .select('issue_hash.issue_id')
            .whereRef('issue_hash.issue_id', '=', 'issue.id'),
        ),
      ),
    )
    .execute()
  return new Set(rows.map(({ project_id }) => project_id))
}

/** A digest is made from the stack, so the next build has others. */
const keptMs = 30 * 24 * 3_600_000

const keyOf = (projectId: number, digest: string): string => `${projectId}:${digest}`

/** The server groups that errors with these digests were linked to before. */
export async function findDigests(
  control: Control,
  events: readonly HeldEvent[],
): Promise<(event: HeldEvent) => LinkTarget | null> {
  const digests = [...new Set(events.map(({ grouped }) => grouped.serverError?.digest ?? ''))].filter(
    each => each !== '',
  )
  if (digests.length === 0) return () => null
  const rows = await control.db
    .selectFrom('error_digest')
    .select(['project_id', 'digest', 'target'])
    .where('digest', 'in', digests.slice(0, 500))
    .execute()
  const known = new Map(rows.map(row => [keyOf(row.project_id, row.digest), readTarget(row.target)]))
  return ({ row, grouped }) => known.get(keyOf(row.project_id, grouped.serverError?.digest ?? '')) ?? null
}

/** Stores the server group of each digest, for errors whose server event cannot be found. */
export async function saveServerDigests(
  trx: Transaction<ControlSchema>,
  groupedEvents: readonly GroupedEvent[],
  joined: Readonly<Record<string, LinkTarget>>,
  at: number,
): Promise<void> {
  const found = new Map<string, { projectId: number; digest: string; target: string }>()
  for (const { eventId, projectId, serverError } of groupedEvents) {
    const target = joined[eventId]
    if (target === undefined || serverError === null || serverError.digest === '') continue
    found.set(keyOf(projectId, serverError.digest), {
      projectId,
      digest: serverError.digest,
      target: JSON.stringify(target),
    })
  }
  if (found.size === 0) return
  for (const { projectId, digest, target } of found.values())
    await trx
      .insertInto('error_digest')
      .values({ project_id: projectId, digest, target, seen_at: at })
      .onConflict(conflict => conflict.columns(['project_id', 'digest']).doUpdateSet({ target, seen_at: at }))
      .execute()
  await trx
    .deleteFrom('error_digest')
    .where('seen_at', '<', at - keptMs)
    .execute()
}
