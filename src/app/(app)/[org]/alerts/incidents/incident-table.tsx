import type { ListedIncident } from '#domain/alerts/list-incidents.ts'
import { formatMetric } from '#domain/alerts/metric-words.ts'
import { Blank } from '#ui/blank.tsx'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { formatAge } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import styles from '../alerts.module.css'

type Props = { incidents: ListedIncident[]; organizationSlug: string; now: number }

export function IncidentTable({ incidents, organizationSlug, now }: Props) {
  if (incidents.length === 0)
    return (
      <div className="page-body">
        <div className="pane">
          <Blank title="No incidents">A rule with a number opens one when the number is beyond its limit.</Blank>
        </div>
      </div>
    )
  return (
    <DataTable label="Incidents" look="page" columns={['State', 'Incident', numeric('Worst'), 'Began', 'Lasted']}>
      {incidents.map(incident => (
        <tr key={incident.id}>
          <td>
            <IncidentState incident={incident} />
            {incident.closedAt === null && incident.acknowledgedAt !== null ? (
              <span className={styles.acknowledged}>acknowledged</span>
            ) : null}
          </td>
          <td className="prose">
            <div className={styles.rule}>
              <Link href={`/${organizationSlug}/alerts/incidents/${incident.id}`}>{shorten(incident.name, 100)}</Link>
              <span>
                {incident.projectSlug === '' ? '' : `${incident.projectSlug}: `}
                {shorten(incident.reason, 200)}
              </span>
            </div>
          </td>
          <td className="num">
            {incident.metric === null || incident.peak === null ? '–' : formatMetric(incident.metric, incident.peak)}
          </td>
          <td className="t2">
            <Ago at={incident.openedAt} now={now} />
          </td>
          <td className="t2">{formatAge((incident.closedAt ?? now) - incident.openedAt)}</td>
        </tr>
      ))}
    </DataTable>
  )
}

export function IncidentState({ incident: { closedAt, severity } }: { incident: ListedIncident }) {
  if (closedAt !== null)
    return (
      <span className={styles.state}>
        <Level level="ok" /> Resolved
      </span>
    )
  return (
    <span className={`${styles.state} ${severity === 'critical' ? styles.failing : styles.warning}`}>
      <Level level={severity === 'critical' ? 'error' : 'warning'} /> {severity === 'critical' ? 'Critical' : 'Warning'}
    </span>
  )
}
