import type { Viewer } from '#domain/access/viewer.ts'
import { listTraces } from '#domain/traces/list-traces.ts'
import { measureSpans } from '#domain/traces/measure-spans.ts'
import type { SpanFilter, SpanSort } from '#domain/traces/span-condition.ts'
import { parseSearch } from '#search/parse-search.ts'
import { languageOf } from '#search/search-language.ts'
import { fieldTerm, formatSearch } from '#search/search-term.ts'
import { spanFields } from '#search/span-fields.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { DurationChart, ThroughputChart } from '#ui/trace/measure-charts.tsx'
import { TraceListTable } from '#ui/trace/trace-list-table.tsx'
import { attempt } from '#web/attempt.ts'
import { ListFoot, NothingListed } from '../list-states.tsx'
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
      <ListFoot
        words={`${formatMany(traces.length, 'trace')}, ${orders[params.sort]}`}
        first={params.after ? tracesHref(slug, params) : null}
        next={next && tracesHref(slug, params, { after: next })}
      />
    </>
  )
}

function NoTraces({ viewer, params }: { viewer: Viewer; params: TraceParams }) {
  const { slug } = viewer.organization
  const first = viewer.projects.find(({ isInternal }) => !isInternal)
  return (
    <NothingListed
      noun="trace"
      {...{ params, defaultQuery }}
      all="Page views and requests"
      href={change => tracesHref(slug, params, change)}
      about="Apps send spans when the SDK’s tracesSampleRate is above 0."
      start={
        <Link className="btn" href={first ? `/${slug}/projects/${first.slug}` : `/${slug}/projects`}>
          Set up tracing
        </Link>
      }
    />
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
