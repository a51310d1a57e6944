import type { StoredEvent } from '#queries/find-event.ts'
import type { Issue } from '#queries/find-issue.ts'
import { findTwin, type Twin } from '#queries/find-twin.ts'
import type { Viewer } from '#queries/viewer.ts'
import { colourSource } from '#ui/event/colour-source.ts'
import { ExceptionChain } from '#ui/event/exception-chain.tsx'
import { readEventView } from '#ui/event/read-event-view.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/section.tsx'
import { attempt } from '#web/attempt.ts'
import { TwinIssue } from './twin-issue.tsx'
import { UserSaw } from './user-saw.tsx'

type Props = { viewer: Viewer; issue: Issue; event: StoredEvent; digest: string }

/** A browser's error whose stack only the server has: the server's first, then what the user saw. */
export async function ServerSection({ viewer, issue, event, digest }: Props) {
  const twin = await attempt('server event', findTwin(viewer, issue, { of: event, isOnServer: true }))
  if (!twin.ok) return <FailedPanel what="The server’s event" reference={twin.reference} />
  return (
    <>
      {twin.value ? (
        <OnServer viewer={viewer} issue={issue} twin={twin.value} />
      ) : (
        <Section id="server" title="On the server">
          <p className="t2">
            The server’s own event of this request has not come{digest ? ` (digest ${digest} in the server’s log)` : ''}
            . It needs the SDK on the server too, with <code>onRequestError</code> exported from instrumentation.ts.
          </p>
        </Section>
      )}
      <UserSaw event={event} />
    </>
  )
}

function OnServer({ viewer, issue, twin }: { viewer: Viewer; issue: Issue; twin: Twin }) {
  const path = `/${viewer.organization.slug}/issues/${twin.issue.id}`
  const isAbroad = twin.issue.id !== issue.id
  return (
    <Section
      id="server"
      title="On the server"
      note={
        twin.isSameTrace
          ? undefined
          : `the newest of ${isAbroad ? 'the server’s' : 'this'} issue; its own request sent none`
      }
      actions={
        <Link className="btn plain s" href={`${path}/events/${twin.event.event_id}`}>
          Open this event
        </Link>
      }
    >
      {isAbroad ? <TwinIssue says="Reported to another project, as" issue={twin.issue} href={path} /> : null}
      <ExceptionChain exceptions={colourSource(readEventView(twin.event.data).exceptions)} />
    </Section>
  )
}
