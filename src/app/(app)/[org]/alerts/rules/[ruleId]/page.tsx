import type { Metadata } from 'next'
import { findRule } from '#domain/alerts/list-rules.ts'
import { requireViewer } from '#web/viewer.ts'
import { NothingHere } from '../../../nothing-here.tsx'
import { EditorPage } from '../editor-page.tsx'

export const metadata: Metadata = { title: 'Rule' }

export default async function RulePage({ params }: { params: Promise<{ org: string; ruleId: string }> }) {
  const { org, ruleId } = await params
  const viewer = await requireViewer(org)
  const rule = /^\d{1,15}$/.test(ruleId) ? await findRule(viewer, Number(ruleId)) : null
  if (rule === null) return <NothingHere organizationSlug={org} kind="Rule" name={ruleId} />
  return <EditorPage viewer={viewer} rule={rule} start={rule} />
}
