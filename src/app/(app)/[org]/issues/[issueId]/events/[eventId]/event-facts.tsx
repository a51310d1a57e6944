import type { StoredEvent } from '#queries/find-event.ts'
import { Facts } from '#ui/facts.tsx'
import { formatMoment } from '#ui/format-moment.ts'
import { shorten } from '#ui/shorten.ts'

const maxShown = 300
const noTrace = /^0+$/

export function EventFacts({ event }: { event: StoredEvent }) {
  const text = (value: string) => shorten(value, maxShown)
  const user = [event.user_email, event.user_name, event.user_id, event.user_ip].find(Boolean) ?? ''
  return (
    <aside className="side" aria-label="Facts">
      <Facts
        facts={[
          { label: 'Event', value: <span className="mono">{event.event_id}</span> },
          { label: 'Happened', value: formatMoment(event.timestamp, { withMs: true }) },
          { label: 'Received', value: formatMoment(event.received_at, { withMs: true }) },
          { label: 'Handled', value: event.is_handled ? 'yes' : 'no' },
          { label: 'Mechanism', value: text(event.mechanism) },
          { label: 'Route', value: text(event.route) },
          { label: 'URL', value: text(event.url) },
          { label: 'Release', value: text(event.release) },
          { label: 'Environment', value: text(event.environment) },
          { label: 'User', value: text(user) },
          { label: 'Browser', value: text(`${event.browser_name} ${event.browser_version}`.trim()) },
          { label: 'System', value: text(`${event.os_name} ${event.os_version}`.trim()) },
          { label: 'Server', value: text(event.server_name) },
          { label: 'Platform', value: text(event.platform) },
          { label: 'SDK', value: text(`${event.sdk_name} ${event.sdk_version}`.trim()) },
          { label: 'Trace', value: noTrace.test(event.trace_id) ? '' : <span className="mono">{event.trace_id}</span> },
        ]}
      />
    </aside>
  )
}
