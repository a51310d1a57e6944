import type { Viewer } from '#queries/viewer.ts'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { ranges } from '../ranges.ts'
import { defaultQuery, type TraceParams, tracesHref } from './search-params.ts'

/** An empty list says why it is empty and what the next step is. */
export function NoTraces({ viewer, params }: { viewer: Viewer; params: TraceParams }) {
  const { slug } = viewer.organization
  const go = (label: string, change: Partial<TraceParams>, look = 'btn') => (
    <Link className={look} href={tracesHref(slug, params, change)}>
      {label}
    </Link>
  )
  if (params.after)
    return (
      <Blank title="No more spans" actions={go('First page', {})}>
        The list ends before this page.
      </Blank>
    )
  const isPlain = params.q === defaultQuery && !params.environment && params.projects.length === 0
  const first = viewer.projects.find(({ isInternal }) => !isInternal)
  const isLongest = params.range === '30d' || params.range === '90d'
  return (
    <Blank
      title={`No spans in the ${ranges[params.range].label.toLowerCase()}`}
      actions={
        <>
          {isLongest ? null : go('Look at 30 days', { range: '30d' }, 'btn primary')}
          {isPlain ? (
            <Link className="btn" href={first ? `/${slug}/projects/${first.slug}` : `/${slug}/projects`}>
              Set up tracing
            </Link>
          ) : (
            go('Page views and requests', { q: defaultQuery, environment: undefined, projects: [] })
          )}
        </>
      }
    >
      {isPlain
        ? 'An app sends spans once its SDK is given a tracesSampleRate above 0.'
        : `No span matches ${params.q.slice(0, 200) || 'these filters'}.`}
    </Blank>
  )
}
