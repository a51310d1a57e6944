import type { SpanDetails } from '#queries/trace/find-span.ts'
import { findUsualDuration } from '#queries/trace/find-usual-duration.ts'
import type { Viewer } from '#queries/viewer.ts'
import { formatDuration } from '#ui/format-duration.ts'
import { formatMoment } from '#ui/format-moment.ts'
import { shorten } from '#ui/shorten.ts'
import type { SpanDetailsView } from '#ui/trace/span-details.ts'
import { attempt } from '#web/attempt.ts'

const maxChars = 2_000

/** What is shown of a span, beside how long spans of its kind usually take. */
export async function viewSpan(viewer: Viewer, span: SpanDetails): Promise<SpanDetailsView> {
  const found = await attempt('usual duration', findUsualDuration(viewer, span))
  const usual = found.ok ? found.value : null
  const attributes = [
    ...Object.entries(span.attributes),
    ...Object.entries(span.numbers).map(([name, value]) => [name, String(value)] as const),
  ].sort(([a], [b]) => (a < b ? -1 : 1))
  const facts = {
    started: formatMoment(span.at, { withMs: true }),
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
      ? `Of ${usual.count.toLocaleString('en-US')} like it, half took up to ${formatDuration(usual.p50Us)} and 95 % up to ${formatDuration(usual.p95Us)}.`
      : '',
    isSlow: usual !== null && span.duration_us > usual.p95Us,
    previous: previousOf(span.attributes['sentry.previous_trace'] ?? '', `/${viewer.organization.slug}/traces`),
    facts: Object.entries(facts).map(([label, value]) => ({ label, value: shorten(value, maxChars) })),
    attributes: attributes.map(([label, value]) => ({ label: shorten(label, 200), value: shorten(value, maxChars) })),
    logs: span.logs.map(({ at, level, body }) => ({
      at: new Date(at).toISOString().slice(11, 23),
      level: shorten(level, 20),
      body: shorten(body, maxChars),
    })),
  }
}

/** `<trace>-<span>-<sampled>`: where the visitor came from. One that was left out by sampling leads nowhere. */
function previousOf(text: string, base: string): SpanDetailsView['previous'] {
  const match = /^([0-9a-f]{32})-([0-9a-f]{16})-1$/.exec(text)
  return match ? { href: `${base}/${match[1]}#span-${match[2]}`, label: 'The page view before this one' } : null
}
