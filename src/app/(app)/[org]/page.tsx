import { redirect } from 'next/navigation'
import { requireViewer } from '#web/viewer.ts'

/** The organization's start page is its issue list. */
export default async function OrganizationPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  redirect(`/${viewer.organization.slug}/issues`)
}
