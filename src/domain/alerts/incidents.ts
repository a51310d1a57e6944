/** Opens, changes and closes incidents as detectors find it, in the transaction that records the finding. */
import type { Insertable, Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import { type Limits, type Severity, stateOf, step, type Transition, type Verdict } from './judge.ts'
import type { IncidentMessage } from './stored-message.ts'

type Trx = Transaction<ControlSchema>

export type Finding = {
  detectorId: number
  verdict: Verdict
  value: number | null
  limits: Limits | null
  forMinutes: number
  /** Whether a higher value is worse, for the peak. */
  isHigherWorse: boolean
  /** Why, in words, for the message. */
  reason: (transition: Transition) => string
  /** As JSON, kept with the incident. */
  metric: string
}

/** Gives the message to send, or null. Locks the detector: two nodes that judge the same minute count it once. */
export async function recordFinding(trx: Trx, finding: Finding, minute: number): Promise<IncidentMessage | null> {
  const locked = await trx
    .updateTable('detector')
    .set({ judged_at: minute })
    .where('id', '=', finding.detectorId)
    .where('judged_at', '<', minute)
    .returning([
      'id',
      'organization_id',
      'project_id',
      'rule_id',
      'name',
      'severity',
      'state',
      'since',
      'pending',
      'streak',
      'cause',
    ])
    .executeTakeFirst()
  if (locked === undefined) return null
  const { verdict, value, limits } = finding
  const { memory, transition } = step(locked, verdict, finding.forMinutes)
  const state = stateOf(verdict, memory)
  await trx
    .updateTable('detector')
    .set({
      state,
      severity: memory.severity,
      pending: memory.pending,
      streak: memory.streak,
      cause: memory.cause,
      gap: 'gap' in verdict ? verdict.gap : '',
      no_data_since: verdict.state === 'no-data' ? verdict.since : null,
      limits: limits === null ? '' : JSON.stringify(limits),
      value,
      since: state === locked.state && memory.severity === locked.severity ? locked.since : minute,
    })
    .where('id', '=', locked.id)
    .execute()
  if (transition === null) {
    if (memory.severity !== '') await raisePeak(trx, finding)
    return null
  }
  const incidentId = await changeIncident(trx, { ...locked, severity: memory.severity }, finding, transition, minute)
  if (incidentId === null) return null
  return {
    kind: 'incident',
    type: `incident.${transition}`,
    incidentId,
    projectId: locked.project_id,
    ruleId: locked.rule_id,
    at: minute,
    severity: memory.severity === '' ? 'info' : memory.severity,
    reason: finding.reason(transition),
  }
}

type Detector = {
  id: number
  organization_id: number
  project_id: number | null
  rule_id: number | null
  name: string
  severity: Severity
}

async function changeIncident(
  trx: Trx,
  detector: Detector,
  finding: Finding,
  transition: Transition,
  at: number,
): Promise<number | null> {
  const { value } = finding
  const reason = finding.reason(transition)
  const open = await findOpen(trx, detector.id)
  // A member has closed it: until the detector is ok once, this is the same failure.
  if (transition !== 'opened' && open === undefined) return null
  if (open === undefined) {
    if (detector.severity === '') return null
    const { id } = await trx
      .insertInto('incident')
      .values({
        organization_id: detector.organization_id,
        project_id: detector.project_id,
        detector_id: detector.id,
        rule_id: detector.rule_id,
        name: detector.name,
        severity: detector.severity,
        opened_at: at,
        closed_at: null,
        peak: value,
        reason,
        metric: finding.metric,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addUpdate(trx, id, { at, kind: 'opened', severity: detector.severity, value, reason })
    return id
  }
  const severity = detector.severity === '' ? open.severity : detector.severity
  await trx
    .updateTable('incident')
    .set({
      closed_at: transition === 'closed' ? at : null,
      severity: severity === 'critical' ? 'critical' : open.severity,
    })
    .where('id', '=', open.id)
    .execute()
  await raisePeak(trx, finding)
  await addUpdate(trx, open.id, { at, kind: transition, severity, value, reason })
  return open.id
}

const findOpen = (trx: Trx, detectorId: number) =>
  trx
    .selectFrom('incident')
    .select(['id', 'severity', 'peak'])
    .where('detector_id', '=', detectorId)
    .where('closed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

async function raisePeak(trx: Trx, { detectorId, value, isHigherWorse }: Finding): Promise<void> {
  const open = await findOpen(trx, detectorId)
  if (open === undefined || value === null) return
  const isPeak = open.peak === null || (isHigherWorse ? value > open.peak : value < open.peak)
  if (isPeak) await trx.updateTable('incident').set({ peak: value }).where('id', '=', open.id).execute()
}

export async function addUpdate(
  trx: Trx,
  incidentId: number,
  update: Omit<Insertable<ControlSchema['incident_update']>, 'id' | 'incident_id'>,
): Promise<void> {
  await trx
    .insertInto('incident_update')
    .values({ incident_id: incidentId, ...update })
    .execute()
}
