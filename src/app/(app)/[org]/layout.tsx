import type { ReactNode } from 'react'
import { readTheme } from '#web/theme.ts'
import { requireViewer } from '#web/viewer.ts'
import { Rail } from './rail.tsx'
import { TabBar } from './tab-bar.tsx'

export default async function OrganizationLayout({
  children,
  params,
}: {
  children: ReactNode
  params: Promise<{ org: string }>
}) {
  const viewer = await requireViewer((await params).org)
  return (
    <div className="app">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Rail organization={viewer.organization} user={viewer.user} theme={await readTheme()} />
      <main className="content" id="content">
        {children}
      </main>
      <TabBar organizationSlug={viewer.organization.slug} />
    </div>
  )
}
