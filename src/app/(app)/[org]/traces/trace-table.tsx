import type { Viewer } from '#domain/access/viewer.ts'
import { listTraces } from '#domain/traces/list-traces.ts'
import { measureSpans } from '#domain/traces/measure-spans.ts'
import type { SpanFilter, SpanSort } from '#domain/traces/span-condition.ts'
import { parseSearch } from '#search/parse-search.ts'
import { spanFields } from '#search/search-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { fieldTerm, formatSearch } from '#search/search-term.ts'
import { Blank, FailedPanel } from '#ui/blank.tsx'
import { formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { DurationChart, ThroughputChart } from '#ui/trace/measure-charts.tsx'
import { TraceListTable } from '#ui/trace/trace-list-table.tsx'
import { attempt } from '#web/attempt.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { inTime } from '../list-params.ts'
import { WhyNothing } from '../search/why-nothing.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import { defaultQuery, type TraceParams, tracesHref } from './search-params.ts'

type Props = { viewer: Viewer; filter: SpanFilter; params: TraceParams }

const orders: Record<SpanSort, string> = {
  newest: 'newest first',
  slowest: 'slowest first',
  failing: 'most failed spans first',
}

export async function TraceTable({ viewer, filter, params }: Props) {
  const page = await attempt('traces', listTraces(viewer, filter))
  if (!page.ok) return <FailedPanel what="Traces" reference={page.reference} />
  const { traces, next } = page.value
  const { slug } = viewer.organization
  if (traces.length === 0)
    return (
      <>
        <NoTraces viewer={viewer} params={params} />
        <WhyNothing
          viewer={viewer}
          language="spans"
          text={params.q}
          filter={filter}
          hrefOf={q => tracesHref(slug, params, { q })}
        />
      </>
    )
  const slugOf = new Map(viewer.projects.map(project => [project.id, project.slug]))
  const by = (sort: SpanSort) => ({ href: tracesHref(slug, params, { sort }), isOn: params.sort === sort })
  return (
    <>
      <TraceListTable
        now={viewer.now}
        sorts={{ duration: by('slowest'), failed: by('failing'), at: by('newest') }}
        rows={traces.map(trace => ({
          ...trace,
          href: `/${slug}/traces/${trace.traceId}#span-${trace.spanId}`,
          project: slugOf.get(trace.projectId) ?? '',
        }))}
      />
      <footer className="lfoot">
        <span>
          {formatMany(traces.length, 'trace')}, {orders[params.sort]}
        </span>
        <span className="pages">
          {params.after ? <Link href={tracesHref(slug, params)}>First page</Link> : null}
          {next ? (
            <Link className="btn s" href={tracesHref(slug, params, { after: next })} rel="next">
              Next page
            </Link>
          ) : null}
        </span>
      </footer>
    </>
  )
}

/** Says why the list is empty and offers the next step. */
async function NoTraces({ viewer, params }: { viewer: Viewer; params: TraceParams }) {
  const { slug } = viewer.organization
  const go = (label: string, change: Partial<TraceParams>, look = 'btn') => (
    <Link className={look} href={tracesHref(slug, params, change)}>
      {label}
    </Link>
  )
  if (params.after)
    return (
      <Blank title="No more traces" actions={go('First page', {})}>
        This page is past the end of the list.
      </Blank>
    )
  const isPlain = params.q === defaultQuery && !params.environment && params.projects.length === 0
  const first = viewer.projects.find(({ isInternal }) => !isInternal)
  const { zone } = await readTimeZone()
  const isLongest = !params.span && (params.range === '30d' || params.range === '90d')
  return (
    <Blank
      title={`No traces ${inTime(params, zone)}`}
      actions={
        <>
          {isLongest ? null : go('Search last 30 days', { range: '30d', span: undefined }, 'btn primary')}
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
        ? 'Apps send spans when the SDK’s tracesSampleRate is above 0.'
        : `No span matches ${params.q.slice(0, 200) || 'these filters'}.`}
    </Blank>
  )
}

export async function SpanCharts({ viewer, filter }: { viewer: Viewer; filter: SpanFilter }) {
  // The charts cover the whole search, not only the current page.
  const measured = await attempt('span measures', measureSpans(viewer, filter))
  if (!measured.ok) return <FailedPanel what="Durations over time" reference={measured.reference} />
  if (measured.value.whole.count === 0) return null // the table already says that there are no spans
  return (
    <div className="tcharts">
      <DurationChart measures={measured.value} />
      <ThroughputChart measures={measured.value} />
    </div>
  )
}

const failing = fieldTerm('status', ['error'])

/** All or failing. They change the status and keep the other filters; the heads of the columns sort. */
export function TraceViews({ viewer, params }: { viewer: Viewer; params: TraceParams }) {
  const organizationSlug = viewer.organization.slug
  const language = languageOf(spanFields)
  const { terms } = parseSearch(params.q, language)
  const others = terms.filter(term => formatSearch([term]) !== formatSearch([failing]))
  const isFailing = others.length < terms.length
  const without = isFailing ? formatSearch(others) || defaultQuery : params.q || defaultQuery
  const onlyFailing = formatSearch([
    ...(others.length > 0 ? others : parseSearch(defaultQuery, language).terms),
    failing,
  ])
  const views = [
    { label: 'All', q: without, isOn: !isFailing },
    { label: 'Failing', q: onlyFailing, isOn: isFailing },
  ]
  return (
    <nav className="views" aria-label="Views">
      {views.map(({ label, q, isOn }) => (
        <Link key={label} href={tracesHref(organizationSlug, params, { q })} aria-current={isOn ? 'page' : undefined}>
          {label}
        </Link>
      ))}
      <SavedViews viewer={viewer} list="traces" href={tracesHref(organizationSlug, params)} />
    </nav>
  )
}
