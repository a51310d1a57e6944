import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { countUnread } from '#domain/alerts/notifications.ts'
import { GoKeys } from '#ui/keys/go-keys.tsx'
import { NavigationProvider } from '#ui/navigation.tsx'
import { PaletteHost } from '#ui/palette/palette-host.tsx'
import { findHomeAddress } from '#web/find-home-address.ts'
import { readTheme } from '#web/theme.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { findViewer, listOtherOrganizations } from '#web/viewer.ts'
import { NotFoundHere } from '../../entry-card.tsx'
import { SignInHere } from '../../sign-in-card.tsx'
import { paletteLinks } from './palette-links.ts'
import { mainPages, Rail, TabBar } from './rail.tsx'

/** For visitors without access, whose pages have no title of their own. */
export async function generateMetadata({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> {
  const { kind } = await findViewer((await params).org)
  return kind === 'viewer' ? {} : { title: kind === 'signed_out' ? 'Sign in' : 'Not found' }
}

export default async function OrganizationLayout({
  children,
  params,
}: {
  children: ReactNode
  params: Promise<{ org: string }>
}) {
  const admission = await findViewer((await params).org)
  if (admission.kind === 'signed_out') return <SignInHere />
  if (admission.kind === 'not_member') {
    const home = await findHomeAddress()
    if (home !== null) redirect(home)
    return (
      <main>
        <NotFoundHere />
      </main>
    )
  }
  const { viewer } = admission
  const [theme, { choice }, others, unread] = await Promise.all([
    readTheme(),
    readTimeZone(),
    listOtherOrganizations(viewer),
    countUnread(viewer),
  ])
  return (
    <NavigationProvider>
      <div className="app">
        <a className="skip" href="#content">
          Skip to content
        </a>
        <Rail
          organization={viewer.organization}
          others={others}
          user={viewer.user}
          theme={theme}
          times={choice}
          unread={unread}
        />
        <PaletteHost
          links={paletteLinks(viewer, others)}
          organizationSlug={viewer.organization.slug}
          userId={viewer.user.id}
        />
        <GoKeys pages={mainPages(viewer.organization.slug).map(({ href, label, key }) => ({ href, label, ...key }))} />
        <main className="content" id="content">
          {children}
        </main>
        <TabBar organizationSlug={viewer.organization.slug} />
      </div>
    </NavigationProvider>
  )
}
