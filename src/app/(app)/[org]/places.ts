import { Boxes, ChartNoAxesGantt, CircleAlert, Route, SlidersHorizontal, Tag } from 'lucide-react'

/** The pages that exist, for the rail and the tab bar. */
export function places(organizationSlug: string) {
  return [
    { href: `/${organizationSlug}/issues`, label: 'Issues', Icon: CircleAlert },
    { href: `/${organizationSlug}/traces`, label: 'Traces', Icon: ChartNoAxesGantt },
    { href: `/${organizationSlug}/routes`, label: 'Routes', Icon: Route },
    { href: `/${organizationSlug}/releases`, label: 'Releases', Icon: Tag },
    { href: `/${organizationSlug}/projects`, label: 'Projects', Icon: Boxes },
    { href: `/${organizationSlug}/settings`, label: 'Settings', Icon: SlidersHorizontal },
  ]
}
