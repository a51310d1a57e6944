import { ChevronRight } from 'lucide-react'
import { Link } from './link.tsx'

type Stop = { href: string; label: string }

/** The way back up, ending with the page itself. */
export function Trail({ stops, here }: { stops: Stop[]; here: string }) {
  return (
    <nav className="trailcrumb" aria-label="Trail">
      {stops.map(stop => (
        <span key={stop.href} className="trailcrumb">
          <Link href={stop.href}>{stop.label}</Link>
          <ChevronRight className="i i-s" aria-hidden="true" />
        </span>
      ))}
      <b className="cut" aria-current="page">
        {here}
      </b>
    </nav>
  )
}
