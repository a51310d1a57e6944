import type { Viewer } from '#domain/access/viewer.ts'
import { jsonOf } from '#lib/json-value.ts'
import type { IncidentSeverity } from '#store/control/alert-schema.ts'
import { type Metric, metricSchema } from './metric.ts'

const maxListed = 200

export type ListedIncident = {
  id: number
  name: string
  severity: IncidentSeverity
  openedAt: number
  closedAt: number | null
  peak: number | null
  reason: string
  projectSlug: string
  projectId: number | null
  ruleId: number | null
  /** Null for one that no metric has opened. */
  metric: Metric | null
  acknowledgedAt: number | null
  /** `user:<id>`, or empty if it isn't acknowledged yet. */
  acknowledgedBy: string
  /** The member who closed it by hand, or `hydrant` because its rule or project ended. Empty if its detector closed it. */
  closedBy: string
}

/** Open ones first, then the newest. */
export async function listIncidents(viewer: Viewer, incidentId?: number): Promise<ListedIncident[]> {
  const rows = await viewer.control
    .incidents()
    .select([
      'incident.id',
      'incident.name',
      'incident.severity',
      'incident.opened_at',
      'incident.closed_at',
      'incident.peak',
      'incident.reason',
      'incident.project_id',
      'incident.rule_id',
      'incident.metric',
      'incident.acknowledged_at',
      'incident.acknowledged_by',
      'incident.closed_by',
    ])
    .$if(incidentId !== undefined, query => query.where('incident.id', '=', incidentId ?? 0))
    .orderBy(({ eb }) => eb.case().when('incident.closed_at', 'is', null).then(0).else(1).end())
    .orderBy('incident.opened_at', 'desc')
    .limit(maxListed)
    .execute()
  return rows.map(row => {
    const metric = metricSchema.safeParse(jsonOf(row.metric))
    return {
      id: row.id,
      name: row.name,
      severity: row.severity,
      openedAt: row.opened_at,
      closedAt: row.closed_at,
      peak: row.peak,
      reason: row.reason,
      projectSlug: viewer.projects.find(({ id }) => id === row.project_id)?.slug ?? '',
      projectId: row.project_id,
      ruleId: row.rule_id,
      metric: metric.success ? metric.data : null,
      acknowledgedAt: row.acknowledged_at,
      acknowledgedBy: row.acknowledged_by,
      closedBy: row.closed_by,
    }
  })
}

export async function findIncident(viewer: Viewer, incidentId: number): Promise<ListedIncident | null> {
  const [incident] = await listIncidents(viewer, incidentId)
  return incident ?? null
}

const maxUpdates = 500

/** What happened in an incident, oldest first: the newest 500. */
export async function listIncidentUpdates(viewer: Viewer, incidentId: number) {
  const rows = await viewer.control
    .incidentUpdates()
    .select([
      'incident_update.id',
      'at',
      'kind',
      'incident_update.severity',
      'value',
      'incident_update.reason',
      'incident_update.actor',
    ])
    .where('incident.id', '=', incidentId)
    .orderBy('incident_update.id', 'desc')
    .limit(maxUpdates)
    .execute()
  return rows.reverse()
}
export type IncidentUpdate = Awaited<ReturnType<typeof listIncidentUpdates>>[number]

/** The names of members who acted, for those who are still members. */
export async function nameActors(viewer: Viewer, actors: readonly string[]): Promise<(actor: string) => string> {
  const ids = actors.flatMap(actor => (actor.startsWith('user:') ? [actor.slice('user:'.length)] : []))
  const rows = await viewer.control
    .members()
    .select(['user.id', 'user.name'])
    .where('user.id', 'in', ['', ...new Set(ids)])
    .execute()
  const names = new Map(rows.map(({ id, name }) => [`user:${id}`, name]))
  return actor => names.get(actor) ?? (actor.startsWith('user:') ? 'A former member' : 'Hydrant')
}

/** Whether a closed incident would still be open if no member had closed it: its detector opens the next one after it was ok. */
export async function isStillFailing(viewer: Viewer, { ruleId, closedBy, closedAt }: ListedIncident): Promise<boolean> {
  if (ruleId === null || closedAt === null || !closedBy.startsWith('user:')) return false
  const detector = await viewer.control
    .detectors()
    .select('detector.severity')
    .where('detector.rule_id', '=', ruleId)
    .executeTakeFirst()
  return detector !== undefined && detector.severity !== ''
}

export async function countOpenIncidents(viewer: Viewer): Promise<number> {
  const row = await viewer.control
    .incidents()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
