import type { Metadata } from 'next'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { requireViewer } from '#web/viewer.ts'
import { offers } from '../../first-rule.tsx'
import { EditorPage } from '../editor-page.tsx'

export const metadata: Metadata = { title: 'New rule' }

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function NewRulePage({ params, searchParams }: Props) {
  const viewer = await requireViewer((await params).org)
  const { like } = await searchParams
  const offer = offers.find(({ id }) => id === like)
  const start = { name: offer?.name ?? '', config: offer?.config ?? ruleConfig.parse({ when: ['new-issue'] }) }
  return <EditorPage viewer={viewer} rule={null} start={start} />
}
