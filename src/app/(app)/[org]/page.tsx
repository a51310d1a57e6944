import { redirect } from 'next/navigation'
import { requireViewer } from '#web/viewer.ts'

/** An organization's own address is its issues. */
export default async function OrganizationPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  redirect(`/${viewer.organization.slug}/issues`)
}
