import { CircleUser } from 'lucide-react'
import { Link } from '#ui/link.tsx'
import { NavLink } from '#ui/nav-link.tsx'
import { PaletteButton } from '#ui/palette/palette-button.tsx'
import { BellTab, FeedbackCount } from './bell.tsx'
import { MoreTab } from './more-tab.tsx'
import { mainPages } from './rail.tsx'
import type { Unread } from './unread.ts'

/** What somebody on the road looks at; the other pages are under More. */
const first = new Set(['Issues', 'Traces', 'Alerts'])

type Props = { organizationSlug: string; unread: Unread; defaults: Readonly<Record<string, string>> }

/** Replaces the rail on narrow screens. */
export function TabBar({ organizationSlug, unread, defaults }: Props) {
  const pages = mainPages(organizationSlug, defaults)
  return (
    <nav className="tabbar" aria-label="Main (mobile)">
      {pages
        .filter(({ label }) => first.has(label))
        .map(({ path, href, label, Icon }) => (
          <NavLink key={path} href={path} to={href}>
            <Icon className="i" aria-hidden="true" />
            {label}
          </NavLink>
        ))}
      <BellTab organizationSlug={organizationSlug} unread={unread} />
      <PaletteButton isTab />
      <MoreTab>
        {pages
          .filter(({ label }) => !first.has(label))
          .map(({ path, href, label, Icon }) => (
            <NavLink key={path} href={path} to={href}>
              <Icon className="i" aria-hidden="true" />
              {label}
              {label === 'Feedback' ? <FeedbackCount unread={unread} /> : null}
            </NavLink>
          ))}
        <Link href="/account">
          <CircleUser className="i" aria-hidden="true" />
          Account
        </Link>
      </MoreTab>
    </nav>
  )
}
