import { Link } from '#ui/link.tsx'
import { defaultQuery, type TraceParams, tracesHref } from './search-params.ts'

const failing = 'status:error'

/** Newest, slowest, failing: the three ways in which examples are looked for. They change the sort and the status, and keep the rest. */
export function TraceViews({ organizationSlug, params }: { organizationSlug: string; params: TraceParams }) {
  const without = params.q
    .split(/\s+/)
    .filter(word => word !== failing)
    .join(' ')
  const isFailing = params.q.split(/\s+/).includes(failing)
  const views = [
    { label: 'Newest', q: without || defaultQuery, sort: 'newest', isOn: !isFailing && params.sort === 'newest' },
    { label: 'Slowest', q: without || defaultQuery, sort: 'slowest', isOn: !isFailing && params.sort === 'slowest' },
    { label: 'Failing', q: `${without || defaultQuery} ${failing}`, sort: 'newest', isOn: isFailing },
  ] as const
  return (
    <nav className="views" aria-label="Views">
      {views.map(({ label, q, sort, isOn }) => (
        <Link
          key={label}
          href={tracesHref(organizationSlug, params, { q, sort })}
          aria-current={isOn ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
