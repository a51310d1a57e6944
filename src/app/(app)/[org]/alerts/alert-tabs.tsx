import { Link } from '#ui/link.tsx'

type Props = { organizationSlug: string; here: 'rules' | 'incidents'; rules: number; incidents: number }

/** Rules, incidents and channels: three views of what Hydrant tells, and whom. */
export function AlertTabs({ organizationSlug, here, rules, incidents }: Props) {
  const base = `/${organizationSlug}`
  const tabs = [
    { id: 'rules', label: 'Rules', href: `${base}/alerts`, count: rules },
    { id: 'incidents', label: 'Incidents', href: `${base}/alerts/incidents`, count: incidents },
    { id: 'channels', label: 'Channels', href: `${base}/settings/channels`, count: 0 },
  ]
  return (
    <nav className="views" aria-label="Alerts">
      {tabs.map(({ id, label, href, count }) => (
        <Link key={id} href={href} aria-current={id === here ? 'page' : undefined}>
          {label}
          {count > 0 ? <span className="n">{count}</span> : null}
        </Link>
      ))}
    </nav>
  )
}
