import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import { chartIncident } from '#domain/alerts/chart-incident.ts'
import {
  findIncident,
  isStillFailing,
  type ListedIncident,
  listIncidentUpdates,
  nameActors,
} from '#domain/alerts/list-incidents.ts'
import { describeMetric, formatMetric } from '#domain/alerts/metric-words.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { formatAge } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { Facts, Section, TopBar, Trail } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { NothingHere } from '../../../nothing-here.tsx'
import styles from '../incident.module.css'
import { IncidentActions } from '../incident-actions.tsx'
import { IncidentChart } from '../incident-chart.tsx'
import { IncidentComment } from '../incident-comment.tsx'
import { IncidentState } from '../incident-table.tsx'
import { IncidentUpdates } from '../incident-updates.tsx'
import { titleId } from '../title-id.ts'

export const metadata: Metadata = { title: 'Incident' }

export default async function IncidentPage({ params }: { params: Promise<{ org: string; incidentId: string }> }) {
  const { org, incidentId } = await params
  const viewer = await requireViewer(org)
  const incident = /^\d{1,15}$/.test(incidentId) ? await findIncident(viewer, Number(incidentId)) : null
  if (incident === null) return <NothingHere organizationSlug={org} kind="Incident" name={incidentId} />
  const [updates, chart, isFailing] = await Promise.all([
    attempt('incident updates', listIncidentUpdates(viewer, incident.id)),
    attempt('incident chart', chartIncident(viewer, incident)),
    isStillFailing(viewer, incident),
  ])
  const actors = updates.ok ? updates.value.map(({ actor }) => actor) : []
  const nameOf = await nameActors(viewer, [...actors, incident.acknowledgedBy])
  const { metric, peak, openedAt, closedAt } = incident
  const base = `/${viewer.organization.slug}/alerts`
  const target = { organizationSlug: viewer.organization.slug, incidentId: incident.id }
  const isOpen = closedAt === null
  return (
    <>
      <TopBar
        actions={
          mayDo(viewer.role, 'incident.close') ? (
            <IncidentActions {...target} isOpen={isOpen} isAcknowledged={incident.acknowledgedAt !== null} />
          ) : null
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
      <div className="cols">
        <div className={`main ${styles.body}`}>
          <div>
            <IncidentState incident={incident} />{' '}
            <span className="t3">
              {isOpen ? 'for' : 'after'} {formatAge((closedAt ?? viewer.now) - openedAt)}
            </span>
            <h1 id={titleId} tabIndex={-1}>
              {shorten(incident.name, 100)}
            </h1>
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
            {isFailing ? (
              <span className="t2">
                {' '}
                The number is still beyond its limit. The next incident opens after the number was back within its
                limits once.
              </span>
            ) : null}
          </p>
          {!chart.ok ? (
            <FailedPanel what="The chart" reference={chart.reference} />
          ) : chart.value === null || metric === null ? null : (
            <IncidentChart chart={chart.value} incident={incident} metric={metric} now={viewer.now} />
          )}
          <Section title="What happened">
            {updates.ok ? (
              <IncidentUpdates updates={updates.value} nameOf={nameOf} />
            ) : (
              <FailedPanel what="What happened" reference={updates.reference} />
            )}
          </Section>
        </div>
        <aside className="side">
          <section>
            <h3>Incident</h3>
            <IncidentFacts incident={incident} base={base} nameOf={nameOf} now={viewer.now} />
          </section>
          {mayDo(viewer.role, 'incident.comment') ? (
            <section>
              <h3>Comment</h3>
              <IncidentComment {...target} />
            </section>
          ) : null}
        </aside>
      </div>
    </>
  )
}

type FactsProps = { incident: ListedIncident; base: string; nameOf: (actor: string) => string; now: number }

function IncidentFacts({ incident, base, nameOf, now }: FactsProps) {
  const { severity, openedAt, acknowledgedAt, acknowledgedBy, closedAt, projectSlug, ruleId } = incident
  const after = (at: number) => `after ${formatAge(at - openedAt)}`
  const acknowledged =
    acknowledgedAt !== null
      ? `${after(acknowledgedAt)}, by ${shorten(nameOf(acknowledgedBy), 60)}`
      : closedAt === null
        ? 'not yet'
        : 'never'
  return (
    <Facts
      facts={[
        { label: 'Severity', value: severity },
        { label: 'Project', value: projectSlug === '' ? 'all' : projectSlug },
        {
          label: 'Rule',
          value:
            ruleId === null ? (
              ''
            ) : (
              <Link className="link" href={`${base}/rules/${ruleId}`}>
                Open the rule
              </Link>
            ),
        },
        { label: 'Opened', value: `${formatAge(now - openedAt)} ago` },
        { label: 'Acknowledged', value: acknowledged },
        { label: 'Resolved', value: closedAt === null ? '' : after(closedAt) },
      ]}
    />
  )
}
