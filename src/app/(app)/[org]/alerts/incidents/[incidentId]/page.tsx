import type { Metadata } from 'next'
import { chartIncident } from '#domain/alerts/chart-incident.ts'
import { findIncident, listIncidentUpdates } from '#domain/alerts/list-incidents.ts'
import { describeMetric, formatMetric } from '#domain/alerts/metric-words.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { formatAge } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { Section, TopBar, Trail } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { NothingHere } from '../../../nothing-here.tsx'
import styles from '../incident.module.css'
import { IncidentChart } from '../incident-chart.tsx'
import { IncidentState } from '../incident-table.tsx'

export const metadata: Metadata = { title: 'Incident' }

const words = { opened: 'Opened', worsened: 'Worse', improved: 'Better', closed: 'Resolved' } as const

export default async function IncidentPage({ params }: { params: Promise<{ org: string; incidentId: string }> }) {
  const { org, incidentId } = await params
  const viewer = await requireViewer(org)
  const incident = /^\d{1,15}$/.test(incidentId) ? await findIncident(viewer, Number(incidentId)) : null
  if (incident === null) return <NothingHere organizationSlug={org} kind="Incident" name={incidentId} />
  const [updates, chart] = await Promise.all([
    listIncidentUpdates(viewer, incident.id),
    attempt('incident chart', chartIncident(viewer, incident)),
  ])
  const { metric, peak, openedAt, closedAt, ruleId } = incident
  const base = `/${viewer.organization.slug}/alerts`
  const lasted = formatAge((closedAt ?? viewer.now) - openedAt)
  return (
    <>
      <TopBar
        actions={
          ruleId === null ? null : (
            <Link className="btn" href={`${base}/rules/${ruleId}`}>
              Open the rule
            </Link>
          )
        }
      >
        <Trail
          stops={[
            { href: base, label: 'Alerts' },
            { href: `${base}/incidents`, label: 'Incidents' },
          ]}
          here={`INC-${incident.id}`}
        />
      </TopBar>
      <div className={styles.body}>
        <div>
          <IncidentState incident={incident} />{' '}
          <span className="t3">
            {closedAt === null ? 'for' : 'after'} {lasted}
          </span>
          <h1>{shorten(incident.name, 100)}</h1>
          <p className="t2">
            {metric === null ? '' : `${describeMetric(metric)}. `}
            <Moment at={openedAt} />
            {closedAt === null ? null : (
              <>
                {' – '}
                <Moment at={closedAt} />
              </>
            )}
          </p>
        </div>
        <p>
          <strong>
            {metric === null || peak === null
              ? shorten(incident.reason, 200)
              : `${formatMetric(metric, peak)} at worst.`}
          </strong>
        </p>
        {!chart.ok ? (
          <FailedPanel what="The chart" reference={chart.reference} />
        ) : chart.value === null || metric === null ? null : (
          <IncidentChart chart={chart.value} incident={incident} metric={metric} now={viewer.now} />
        )}
        <Section title="What happened">
          <ul className={styles.updates}>
            {updates.map(({ id, at, kind, severity, reason }) => (
              <li key={id}>
                <span className="t3">
                  <Moment at={at} />
                </span>
                <Level level={kind === 'closed' ? 'ok' : severity === 'critical' ? 'error' : 'warning'} />
                <span>
                  {words[kind]}: {shorten(reason, 300)}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </>
  )
}
