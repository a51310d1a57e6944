import type { ReactNode } from 'react'
import type { Viewer } from '#domain/access/viewer.ts'
import { explainLens } from '#domain/events/explain-event.ts'
import type { StoredEvent } from '#domain/events/find-event.ts'
import { findTwin, type Twin } from '#domain/events/find-linked-event.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { colourSource } from '#ui/event/color-source.ts'
import { ExceptionChain } from '#ui/event/exception-chain.tsx'
import { readEventView } from '#ui/event/read-event-view.ts'
import { Link } from '#ui/link.tsx'
import { Facts, Section } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { HydrationSections } from './hydration-sections.tsx'
import { SkewSection } from './skew-section.tsx'

type Props = { viewer: Viewer; issue: Issue; event: StoredEvent }

/** What an event means in a server-rendered React app, before its own words: nothing where it is an error like any other. */
export function LensSections({ viewer, issue, event }: Props) {
  const lens = explainLens(event.data)
  if (lens?.kind === 'hydration') return <HydrationSections lens={lens} />
  if (lens?.kind === 'skew') return <SkewSection viewer={viewer} issue={issue} lens={lens} />
  if (lens?.kind === 'echo') return <ServerSection viewer={viewer} issue={issue} event={event} digest={lens.digest} />
  const isOnServer = event.platform !== 'javascript'
  return isOnServer ? <UserSawSection viewer={viewer} issue={issue} event={event} /> : null
}

type UserSawSectionProps = { viewer: Viewer; issue: Issue; event: StoredEvent }

/** Beside a server's error: the browser's report of the same request, where there is one, and the issue that it is in. */
async function UserSawSection({ viewer, issue, event }: UserSawSectionProps) {
  const twin = await attempt('browser event', findTwin(viewer, issue, { of: event, isOnServer: false }))
  if (!twin.ok || twin.value === null) return null
  if (explainLens(twin.value.event.data)?.kind !== 'echo') return null
  const path = `/${viewer.organization.slug}/issues/${twin.value.issue.id}`
  const isAbroad = twin.value.issue.id !== issue.id
  const seenAs = isAbroad ? <TwinIssue says="Seen in browsers as" issue={twin.value.issue} href={path} /> : null
  if (twin.value.isSameTrace)
    return (
      <UserSaw event={twin.value.event} href={`${path}/events/${twin.value.event.event_id}`}>
        {seenAs}
      </UserSaw>
    )
  return seenAs ? (
    <Section id="user-saw" title="What the user saw" note="no browser reported this request">
      {seenAs}
    </Section>
  ) : null
}

type ServerSectionProps = { viewer: Viewer; issue: Issue; event: StoredEvent; digest: string }

/** A browser's error whose stack only the server has: the server's first, then what the user saw. */
async function ServerSection({ viewer, issue, event, digest }: ServerSectionProps) {
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

/** The same error in the project that the other side reports to. A plain link: within issues, the router opens a peek, which is for lists. */
function TwinIssue({ says, issue, href }: { says: string; issue: Issue; href: string }) {
  return (
    <p className="t2 mb-2">
      {says}{' '}
      <a className="link" href={href}>
        <span className="mono">{issue.shortId}</span> {shorten(issue.title, 160)}
      </a>
    </p>
  )
}

/** The browser's side of an error of the server: who, where, and with what. */
function UserSaw({ event, href, children }: { event: StoredEvent; href?: string; children?: ReactNode }) {
  const browser = `${event.browser_name} ${event.browser_version}`.trim()
  return (
    <Section
      id="user-saw"
      title="What the user saw"
      note="an error boundary, in place of the page or of a part of it"
      actions={
        href ? (
          <Link className="btn plain s" href={href}>
            Open the browser’s event
          </Link>
        ) : null
      }
    >
      {children}
      <Facts
        isWide
        facts={[
          { label: 'Page', value: shorten(event.url, 300) },
          { label: 'Route', value: shorten(event.route, 200) },
          { label: 'Browser', value: shorten(browser, 80) },
          { label: 'System', value: shorten(`${event.os_name} ${event.os_version}`.trim(), 80) },
          { label: 'User', value: shorten(event.user_email || event.user_name || event.user_id || event.user_ip, 120) },
          { label: 'Release', value: shorten(event.release, 80) },
        ]}
      />
    </Section>
  )
}
