import { Download } from 'lucide-react'
import type { StoredEvent } from '#queries/find-event.ts'
import type { EventView, GroupView } from '#ui/event/event-view.ts'
import { FieldGroup } from '#ui/event/field-group.tsx'
import { readGroup } from '#ui/event/read-group.ts'
import { formatBytes } from '#ui/format-bytes.ts'
import { formatMoment } from '#ui/format-moment.ts'
import { Section } from '#ui/section.tsx'

/** Everything around the failure: where, who, with what. The whole of it is one download away. */
export function EventContext({ event, view, href }: { event: StoredEvent; view: EventView; href: string }) {
  const tags = Object.fromEntries(Object.entries(event.tags).sort(([a], [b]) => a.localeCompare(b)))
  const groups: (GroupView | null)[] = [
    readGroup('Event', basics(event)),
    ...view.request,
    view.user,
    readGroup('Tags', tags),
    view.flags,
    ...view.contexts,
    view.extra,
    view.sdk,
  ]
  return (
    <Section
      id="context"
      title="Context"
      note={formatBytes(event.data.length)}
      actions={
        <a className="btn s" href={href} download>
          <Download className="i" aria-hidden="true" />
          Download JSON
        </a>
      }
    >
      <div className="groups">
        {groups.map((group, index) => (group ? <FieldGroup key={index} group={group} /> : null))}
      </div>
    </Section>
  )
}

const noTrace = /^0+$/

function basics(event: StoredEvent) {
  return {
    id: event.event_id,
    trace: noTrace.test(event.trace_id) ? '' : event.trace_id,
    happened: formatMoment(event.timestamp, { withMs: true }),
    received: formatMoment(event.received_at, { withMs: true }),
    route: event.route,
    url: event.url,
    release: event.release,
    environment: event.environment,
    browser: `${event.browser_name} ${event.browser_version}`.trim(),
    system: `${event.os_name} ${event.os_version}`.trim(),
    server: event.server_name,
    platform: event.platform,
  }
}
