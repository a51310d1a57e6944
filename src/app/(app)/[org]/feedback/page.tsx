import type { Metadata } from 'next'
import { requireViewer } from '#web/viewer.ts'
import { listTitle } from '../../../title-for.ts'
import { FeedbackScreen } from './feedback-screen.tsx'
import { readFeedbackParams } from './search-params.ts'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Feedback')

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function FeedbackPage({ params: route, searchParams }: Props) {
  const viewer = await requireViewer((await route).org)
  return <FeedbackScreen viewer={viewer} params={readFeedbackParams(await searchParams)} />
}
