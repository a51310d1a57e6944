import type { IssueEvent } from '#queries/list-issue-events.ts'
import { Ago } from '#ui/ago.tsx'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { ScrollRegion } from '#ui/scroll-region.tsx'
import { shorten } from '#ui/shorten.ts'

export function EventTable({ events, href, now }: { events: IssueEvent[]; href: string; now: number }) {
  if (events.length === 0) {
    return (
      <div className="pane">
        <Blank title="No event is kept any more">
          The counts stay; the events themselves were older than their retention.
        </Blank>
      </div>
    )
  }
  return (
    <ScrollRegion className="tb-scroll" label="Events of this issue">
      <table className="tb">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Message</th>
            <th scope="col">Environment</th>
            <th scope="col">Release</th>
            <th scope="col">User</th>
            <th scope="col" className="num">
              Seen
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map(event => (
            <tr key={event.event_id}>
              <td>
                <Link className="row mono" href={`${href}/${event.event_id}`}>
                  {event.event_id.slice(0, 8)}
                </Link>
              </td>
              <td className="cut max-w-80">{shorten(event.title, 200)}</td>
              <td className="t2">{shorten(event.environment, 60)}</td>
              <td className="t2">{shorten(event.release, 60)}</td>
              <td className="t2 cut max-w-48">{shorten(event.user, 80)}</td>
              <td className="num">
                <Ago at={event.timestamp} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
