/** Closes incidents that no detector will close: their rule or project has ended, or a member closes them. */
import type { Kysely, Transaction } from 'kysely'
import { closedBecause } from '#domain/channels/pages/page-messages.ts'
import type { Control } from '#store/control/control.ts'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { dispatch } from './dispatch.ts'
import { addUpdate } from './incidents.ts'
import { sendingOf } from './lane-memory.ts'
import { readRules } from './read-rules.ts'
import { hearsOf, isAwake } from './rule.ts'
import type { Enqueue, Transport } from './send-to-lane.ts'
import type { IncidentMessage } from './stored-message.ts'

type Trx = Transaction<ControlSchema>
type OpenIncident = Awaited<ReturnType<typeof findOpenIncidents>>[number]

export const findOpenIncidents = (
  db: Kysely<ControlSchema>,
  of: { ruleId: number } | { incidentId: number } | { inDeletedProjects: true },
) =>
  db
    .selectFrom('incident')
    .leftJoin('project', 'project.id', 'incident.project_id')
    .select([
      'incident.id',
      'incident.organization_id as organizationId',
      'incident.project_id as projectId',
      'incident.rule_id as ruleId',
      'incident.detector_id as detectorId',
      'incident.severity',
    ])
    .where('incident.closed_at', 'is', null)
    .$if('ruleId' in of, query => query.where('incident.rule_id', '=', 'ruleId' in of ? of.ruleId : 0))
    .$if('incidentId' in of, query => query.where('incident.id', '=', 'incidentId' in of ? of.incidentId : 0))
    .$if('inDeletedProjects' in of, query =>
      query.where(({ and, eb, exists, not, or, selectFrom }) => {
        const kept = selectFrom('project as kept')
          .select('kept.id')
          .whereRef('kept.organization_id', '=', 'incident.organization_id')
          .where('kept.deleted_at', 'is', null)
        // The number of a rule for all projects is judged as long as there is one.
        const isOfNone = and([eb('incident.project_id', 'is', null), eb('incident.rule_id', 'is not', null)])
        return or([eb('project.deleted_at', 'is not', null), and([isOfNone, not(exists(kept))])])
      }),
    )
    .orderBy('incident.id')
    .limit(200)
    .execute()

type Ending = {
  reason: string
  /** `user:<id>`, or empty for Hydrant. */
  actor: string
  /** Whether the detector starts over: if it is still failing, the next incident opens. Not for an incident that a member closes. */
  forgetsFailure: boolean
}

/** Closes them and sends a message to every channel that got one when they opened. */
export async function closeIncidents(
  transport: Transport,
  incidents: readonly OpenIncident[],
  { reason, actor, forgetsFailure }: Ending,
): Promise<number> {
  const { trx, nowMs } = transport
  let closed = 0
  for (const incident of incidents) {
    const { id, severity, detectorId } = incident
    const result = await trx
      .updateTable('incident')
      .set({ closed_at: nowMs, closed_by: actor || 'hydrant' })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .executeTakeFirst()
    if (result.numUpdatedRows === 0n) continue
    closed += 1
    await addUpdate(trx, id, { at: nowMs, kind: 'closed', severity, value: null, reason, actor })
    if (forgetsFailure && detectorId !== null) await forget(trx, detectorId, nowMs)
    await tellOfEnd(transport, incident, reason)
  }
  return closed
}

const forget = (trx: Trx, detectorId: number, nowMs: number) =>
  trx
    .updateTable('detector')
    .set({ state: 'unknown', severity: '', pending: '', streak: 0, since: nowMs })
    .where('id', '=', detectorId)
    .execute()

/** Its rule sends this last message even if it was just turned off or snoozed. */
async function tellOfEnd(transport: Transport, incident: OpenIncident, reason: string): Promise<void> {
  const { trx, nowMs } = transport
  const { id: incidentId, organizationId, projectId, ruleId } = incident
  const message: IncidentMessage = {
    ...{ kind: 'incident', type: 'incident.closed', incidentId, projectId, ruleId },
    ...{ at: nowMs, severity: 'info', reason },
  }
  const projects = await trx
    .selectFrom('project')
    .select(['id', 'is_private'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .execute()
  const seen = projects.map(({ id, is_private }) => ({ id, isPrivate: is_private === 1 }))
  const sending = sendingOf(transport)
  for (const rule of await readRules(trx, { organizationIds: [organizationId] }))
    if (rule.id === ruleId || (isAwake(rule, nowMs) && hearsOf(rule, incident, seen)))
      await dispatch(sending, { kind: 'rule', rule }, [{ ...message, ruleId: rule.id }])
  if (projectId !== null) await dispatch(sending, { kind: 'project', projectId }, [message])
}

/** Closes the incidents of a rule that is turned off, snoozed, deleted or changed. */
export async function closeIncidentsOfRule(transport: Transport, ruleId: number, because: string): Promise<void> {
  await closeIncidents(transport, await findOpenIncidents(transport.trx, { ruleId }), {
    ...{ reason: closedBecause(because), actor: '', forgetsFailure: true },
  })
}

export async function closeIncidentsOfDeletedProjects(
  { db }: Control,
  { enqueue, nowMs }: { enqueue: Enqueue; nowMs: number },
): Promise<void> {
  const open = await findOpenIncidents(db, { inDeletedProjects: true })
  if (open.length === 0) return
  const reason = closedBecause('the project was deleted')
  await retryDeadlocks(() =>
    db
      .transaction()
      .execute(trx => closeIncidents({ trx, enqueue, nowMs }, open, { reason, actor: '', forgetsFailure: true })),
  )
}
