import type { ReactNode } from 'react'
import type { Viewer } from '#domain/access/viewer.ts'
import { listDefaultViews } from '#domain/views/saved-views.ts'
import { GoKeys } from '#ui/keys/go-keys.tsx'
import { NavigationProvider } from '#ui/navigation.tsx'
import { PaletteHost } from '#ui/palette/palette-host.tsx'
import { readTheme } from '#web/theme.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { listOtherOrganizations } from '#web/viewer.ts'
import { paletteLinks } from './(app)/[org]/palette-links.ts'
import { mainPages, Rail } from './(app)/[org]/rail.tsx'
import { TabBar } from './(app)/[org]/tab-bar.tsx'
import { countAllUnread } from './count-unread.ts'

/** The rail, the palette and the keys around the pages of an organization and of the account. */
export async function AppFrame({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  const [theme, { choice }, others, unread, defaults] = await Promise.all([
    readTheme(),
    readTimeZone(),
    listOtherOrganizations(viewer),
    countAllUnread(viewer),
    listDefaultViews(viewer),
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
          defaults={defaults}
        />
        <PaletteHost
          links={paletteLinks(viewer, others)}
          organizationSlug={viewer.organization.slug}
          userId={viewer.user.id}
        />
        <GoKeys
          pages={mainPages(viewer.organization.slug, defaults).map(({ href, label, key }) => ({ href, label, ...key }))}
        />
        <main className="content" id="content">
          {children}
        </main>
        <TabBar organizationSlug={viewer.organization.slug} unread={unread} defaults={defaults} />
      </div>
    </NavigationProvider>
  )
}
