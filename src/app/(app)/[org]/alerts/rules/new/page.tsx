import type { Metadata } from 'next'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { requireViewer } from '#web/viewer.ts'
import { offers } from '../../first-rule.tsx'
import { EditorPage } from '../editor-page.tsx'
import { readNewMetric } from '../new-metric.ts'

export const metadata: Metadata = { title: 'New rule' }

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function NewRulePage({ params, searchParams }: Props) {
  const viewer = await requireViewer((await params).org)
  const raw = await searchParams
  const offered = readNewMetric(raw)
  const offer = offers.find(({ id }) => id === raw.like)
  const start = offered
    ? { ...offered, projectId: viewer.projects.find(({ slug }) => slug === offered.project)?.id ?? null }
    : { name: offer?.name ?? '', config: offer?.config ?? ruleConfig.parse({ when: ['new-issue'] }), projectId: null }
  return <EditorPage viewer={viewer} rule={null} start={start} />
}
