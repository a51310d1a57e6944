import { NavLink } from '#ui/nav-link.tsx'
import { places } from './places.ts'

/** The rail of narrow screens. */
export function TabBar({ organizationSlug }: { organizationSlug: string }) {
  return (
    <nav className="tabbar" aria-label="Main, narrow">
      {places(organizationSlug).map(({ href, label, Icon }) => (
        <NavLink key={href} href={href}>
          <Icon className="i" aria-hidden="true" />
          {label}
        </NavLink>
      ))}
    </nav>
  )
}
