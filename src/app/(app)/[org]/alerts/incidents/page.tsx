import type { Metadata } from 'next'
import { listIncidents } from '#domain/alerts/list-incidents.ts'
import { listRules } from '#domain/alerts/list-rules.ts'
import { TopBar } from '#ui/page-parts.tsx'
import { requireViewer } from '#web/viewer.ts'
import { AlertTabs } from '../alert-tabs.tsx'
import { IncidentTable } from './incident-table.tsx'

export const metadata: Metadata = { title: 'Incidents' }

export default async function IncidentsPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  const { slug } = viewer.organization
  const [incidents, rules] = await Promise.all([listIncidents(viewer), listRules(viewer)])
  const open = incidents.filter(({ closedAt }) => closedAt === null).length
  return (
    <>
      <TopBar>
        <h1>Alerts</h1>
        <AlertTabs organizationSlug={slug} here="incidents" rules={rules.length} incidents={open} />
      </TopBar>
      <IncidentTable incidents={incidents} organizationSlug={slug} now={viewer.now} />
    </>
  )
}
