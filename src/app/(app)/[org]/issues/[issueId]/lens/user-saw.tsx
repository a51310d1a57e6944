import type { ReactNode } from 'react'
import type { StoredEvent } from '#queries/find-event.ts'
import { Facts } from '#ui/facts.tsx'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/section.tsx'
import { shorten } from '#ui/shorten.ts'

/** The browser's side of an error of the server: who, where, and with what. */
export function UserSaw({ event, href, children }: { event: StoredEvent; href?: string; children?: ReactNode }) {
  const browser = `${event.browser_name} ${event.browser_version}`.trim()
  return (
    <Section
      id="user-saw"
      title="What the user saw"
      note="an error boundary, in place of the page or of a part of it"
      actions={
        href ? (
          <Link className="btn plain s" href={href}>
            Open the browser’s event
          </Link>
        ) : null
      }
    >
      {children}
      <Facts
        isWide
        facts={[
          { label: 'Page', value: shorten(event.url, 300) },
          { label: 'Route', value: shorten(event.route, 200) },
          { label: 'Browser', value: shorten(browser, 80) },
          { label: 'System', value: shorten(`${event.os_name} ${event.os_version}`.trim(), 80) },
          { label: 'User', value: shorten(event.user_email || event.user_name || event.user_id || event.user_ip, 120) },
          { label: 'Release', value: shorten(event.release, 80) },
        ]}
      />
    </Section>
  )
}
