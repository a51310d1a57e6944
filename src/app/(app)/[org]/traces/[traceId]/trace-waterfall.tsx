import type { Viewer } from '#domain/access/viewer.ts'
import { findSpan, type SpanDetails } from '#domain/traces/find-span.ts'
import type { Trace } from '#domain/traces/find-trace.ts'
import { previousTrace, type TraceLink } from '#domain/traces/previous-trace.ts'
import { findUsualDuration } from '#domain/traces/read-segment-facts.ts'
import { listTraceMarks } from '#domain/traces/trace-logs.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { formatBoth, formatClockTime, formatDuration, formatOffset } from '#ui/format.ts'
import { shorten } from '#ui/shorten.ts'
import { packTrace } from '#ui/trace/pack-trace.ts'
import type { VitalView } from '#ui/trace/ruler.tsx'
import { SpanBody, type SpanDetailsView, type SpanLink } from '#ui/trace/span-body.tsx'
import type { Lane } from '#ui/trace/trace-columns.ts'
import { writeTrace } from '#ui/trace/trace-text.ts'
import { Waterfall } from '#ui/trace/waterfall.tsx'
import { attempt } from '#web/attempt.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { previousHref } from './trace-heading.tsx'

const maxErrors = 50

export async function TraceWaterfall({ viewer, trace }: { viewer: Viewer; trace: Trace }) {
  if (trace.spanCount === 0) return null
  const { roots, startUs, endUs } = trace.tree
  const marks =
    trace.logs.size === 0 ? null : await attempt('log marks', listTraceMarks(viewer, trace.traceId, startUs / 1_000))
  const errorsBySpan = Map.groupBy(
    trace.errors.filter(error => error.spanId !== ''),
    error => error.spanId,
  )
  const columns = packTrace({
    roots,
    startUs,
    endUs,
    laneOf: span => laneOf(viewer, trace, span),
    errorsBySpan: new Map([...errorsBySpan].map(([id, list]) => [id, list.length])),
    logsBySpan: trace.logs,
    marksBySpan: marks?.ok ? marks.value : new Map(),
  })
  const base = `/${viewer.organization.slug}`
  const links = [...errorsBySpan]
    .slice(0, maxErrors)
    .map(([id, list]): [string, SpanLink[]] => [
      id,
      list.flatMap(({ issue, eventId, level, title }) =>
        issue ? [{ href: `${base}/issues/${issue.id}/events/${eventId}`, label: issue.shortId, level, title }] : [],
      ),
    ])
  return (
    <Waterfall
      packed={writeTrace(columns)}
      first={firstWindow(trace)}
      vitals={vitalViews(trace)}
      errors={Object.fromEntries(links)}
      path={`${base}/traces/${trace.traceId}`}
    />
  )
}

const tail = 1.3

/**
 * The time window before zooming: the whole trace, or only its main span if something trails far behind it (a click a minute later,
 * a job). The minimap always shows the rest.
 */
function firstWindow({ tree, summary }: Trace): { fromUs: number; toUs: number } {
  const wholeUs = Math.max(1, tree.endUs - tree.startUs)
  const { main } = summary
  const mainEndUs = main ? main.startUs + main.durationUs - tree.startUs : 0
  return { fromUs: 0, toUs: mainEndUs > 0 && wholeUs > mainEndUs * tail ? mainEndUs * 1.02 : wholeUs }
}

const looks = { good: 'good', middle: 'meh', poor: 'bad' } as const

function vitalViews({ vitals, tree }: Trace): VitalView[] {
  return vitals.map(({ name, label, value, rating, atUs }) => ({
    label,
    text: name === 'cls' ? value.toFixed(2) : formatDuration(value * 1_000),
    rating: looks[rating],
    atUs: atUs === null ? null : atUs - tree.startUs,
  }))
}

type LaneSpan = { side: string; clock: string; segmentId: string; projectId: number }

/** Describes the process that sent a span: project, browser or host, and clock correction. */
function laneOf(viewer: Viewer, { segments, tree }: Trace, span: LaneSpan): Lane {
  const segment = segments.get(span.segmentId)
  const project = viewer.projects.find(({ id }) => id === span.projectId)?.slug ?? ''
  const shiftUs = tree.shifts.get(span.clock) ?? 0
  const known = span.side === 'browser' ? segment?.browser : segment?.host
  const shift =
    shiftUs === 0 ? '' : `clock corrected ${formatOffset(Math.round(shiftUs / 1_000) || Math.sign(shiftUs))}`
  return { side: span.side, note: [project, shorten(known ?? '', 60), shift].filter(Boolean).join(', ') }
}

/** The details of a span without JavaScript. With JavaScript the drawer shows them. */
export async function PlainSpan({ viewer, traceId, spanId }: { viewer: Viewer; traceId: string; spanId: string }) {
  const span = await findSpan(viewer, traceId, spanId)
  return (
    <noscript>
      <section id="span" className="drawer plain" aria-label="Span">
        <h2>{span ? span.name : 'This span was not received'}</h2>
        {span ? <SpanBody view={await viewSpan(viewer, span, `${traceId}/spans/${spanId}`)} /> : null}
      </section>
    </noscript>
  )
}

const maxChars = 2_000

/** The details of a span, with the usual duration of similar spans. */
export async function viewSpan(viewer: Viewer, span: SpanDetails, path: string): Promise<SpanDetailsView> {
  const { zone } = await readTimeZone()
  const found = await attempt('usual duration', findUsualDuration(viewer, span))
  const usual = found.ok ? found.value : null
  const attributes = [
    ...Object.entries(span.attributes),
    ...Object.entries(span.numbers).map(([name, value]) => [name, String(value)] as const),
  ].sort(([a], [b]) => (a < b ? -1 : 1))
  const facts = {
    started: formatBoth(span.at, zone, { withMs: true }),
    status: span.status,
    route: span.route,
    url: span.url,
    release: span.release,
    environment: span.environment,
    host: span.server_name,
    user: span.user_id,
    sdk: span.sdk.trim(),
    origin: span.origin,
    parent: span.parent,
  }
  return {
    ended: span.ended,
    usual: usual
      ? `${formatWhole(usual.count)} similar spans: p50 ${formatDuration(usual.p50Us)}, p95 ${formatDuration(usual.p95Us)}.`
      : '',
    isSlow: usual !== null && span.duration_us > usual.p95Us,
    previous: previousView(
      viewer,
      previousTrace({ attribute: span.attributes['sentry.previous_trace'] ?? '', links: span.links }),
    ),
    profileHref: span.profilerId === '' ? null : `/${viewer.organization.slug}/traces/${path}/profile`,
    facts: Object.entries(facts).map(([label, value]) => ({ label, value: shorten(value, maxChars) })),
    attributes: attributes.map(([label, value]) => ({ label: shorten(label, 200), value: shorten(value, maxChars) })),
    logs: span.logs.map(({ at, level, body }) => ({
      at: formatClockTime(at, zone),
      level: shorten(level, 20),
      body: shorten(body, maxChars),
    })),
  }
}

/** The trace before this one, of the same visitor. */
const previousView = (viewer: Viewer, link: TraceLink | null): SpanDetailsView['previous'] =>
  link && { href: previousHref(viewer, link), label: 'Previous trace of this visitor' }
