import { Link } from '#ui/link.tsx'
import type { LineDetailsView } from './line-details.ts'

/** Where else the request of a line is seen: its trace, its errors, its replay. */
export function LineLinks({ view }: { view: Pick<LineDetailsView, 'trace' | 'issues' | 'replay'> }) {
  return (
    <>
      {view.trace ? (
        <Link className="link" href={view.trace.href}>
          {view.trace.label}
        </Link>
      ) : null}
      {view.issues.map(({ href, label, title }) => (
        <Link key={href} className="link" href={href} title={title}>
          {label}
        </Link>
      ))}
      {view.replay ? (
        <Link className="link" href={view.replay.href}>
          Replay
        </Link>
      ) : null}
    </>
  )
}
