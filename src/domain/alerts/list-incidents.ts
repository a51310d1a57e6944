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
    }
  })
}

export async function findIncident(viewer: Viewer, incidentId: number): Promise<ListedIncident | null> {
  const [incident] = await listIncidents(viewer, incidentId)
  return incident ?? null
}

/** What happened in an incident, oldest first. */
export async function listIncidentUpdates(viewer: Viewer, incidentId: number) {
  return viewer.control
    .incidentUpdates()
    .select(['incident_update.id', 'at', 'kind', 'incident_update.severity', 'value', 'incident_update.reason'])
    .where('incident.id', '=', incidentId)
    .orderBy('incident_update.id')
    .limit(maxListed)
    .execute()
}

export async function countOpenIncidents(viewer: Viewer): Promise<number> {
  const row = await viewer.control
    .incidents()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
