import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import { countOpenIncidents } from '#domain/alerts/list-incidents.ts'
import { listRules } from '#domain/alerts/list-rules.ts'
import { previewRule } from '#domain/alerts/preview-rule.ts'
import { Link } from '#ui/link.tsx'
import { TopBar } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { AlertTabs } from './alert-tabs.tsx'
import { FirstRule, offers } from './first-rule.tsx'
import { RuleTable } from './rule-table.tsx'

export const metadata: Metadata = { title: 'Alerts' }

export default async function AlertsPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  const { slug } = viewer.organization
  const [rules, open] = await Promise.all([listRules(viewer), countOpenIncidents(viewer)])
  const mayWrite = mayDo(viewer.role, 'rule.create')
  return (
    <>
      <TopBar
        actions={
          mayWrite ? (
            <Link className="btn primary" href={`/${slug}/alerts/rules/new`}>
              <Plus className="i i-s" aria-hidden="true" /> New rule
            </Link>
          ) : null
        }
      >
        <h1>Alerts</h1>
        <AlertTabs organizationSlug={slug} here="rules" rules={rules.length} incidents={open} />
      </TopBar>
      {rules.length === 0 ? (
        <FirstRule organizationSlug={slug} previews={await previewOffers()} mayWrite={mayWrite} />
      ) : (
        <RuleTable rules={rules} organizationSlug={slug} now={viewer.now} mayWrite={mayWrite} />
      )}
    </>
  )

  function previewOffers() {
    return Promise.all(
      offers.map(async ({ config }) => {
        const read = await attempt('rule preview', previewRule(viewer, { config, projectId: null }))
        return read.ok ? read.value : null
      }),
    )
  }
}
