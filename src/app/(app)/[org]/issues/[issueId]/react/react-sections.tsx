import type { ReactNode } from 'react'
import type { Viewer } from '#domain/access/viewer.ts'
import { explainReact } from '#domain/events/explain-event.ts'
import type { StoredEvent } from '#domain/events/find-event.ts'
import { findLinkedEvent, type LinkedServerError } from '#domain/events/find-linked-event.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { colorSource } from '#ui/event/color-source.ts'
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
export function ReactSections({ viewer, issue, event }: Props) {
  const insight = explainReact(event.data)
  if (insight?.kind === 'hydration') return <HydrationSections insight={insight} />
  if (insight?.kind === 'skew') return <SkewSection viewer={viewer} issue={issue} insight={insight} />
  if (insight?.kind === 'echo')
    return <ServerSection viewer={viewer} issue={issue} event={event} digest={insight.digest} />
  const isOnServer = event.platform !== 'javascript'
  return isOnServer ? <UserSawSection viewer={viewer} issue={issue} event={event} /> : null
}

type UserSawSectionProps = { viewer: Viewer; issue: Issue; event: StoredEvent }

/** Beside a server's error: the browser's report of the same request, where there is one, and the issue that it is in. */
async function UserSawSection({ viewer, issue, event }: UserSawSectionProps) {
  const linked = await attempt('browser event', findLinkedEvent(viewer, issue, { of: event, isOnServer: false }))
  if (!linked.ok || linked.value === null) return null
  if (explainReact(linked.value.event.data)?.kind !== 'echo') return null
  const path = `/${viewer.organization.slug}/issues/${linked.value.issue.id}`
  const isAbroad = linked.value.issue.id !== issue.id
  const seenAs = isAbroad ? <LinkedIssue says="Seen in browsers as" issue={linked.value.issue} href={path} /> : null
  if (linked.value.isSameTrace)
    return (
      <UserSaw event={linked.value.event} href={`${path}/events/${linked.value.event.event_id}`}>
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
  const linked = await attempt('server event', findLinkedEvent(viewer, issue, { of: event, isOnServer: true }))
  if (!linked.ok) return <FailedPanel what="The server’s event" reference={linked.reference} />
  return (
    <>
      {linked.value ? (
        <OnServer viewer={viewer} issue={issue} linked={linked.value} />
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

function OnServer({ viewer, issue, linked }: { viewer: Viewer; issue: Issue; linked: LinkedServerError }) {
  const path = `/${viewer.organization.slug}/issues/${linked.issue.id}`
  const isAbroad = linked.issue.id !== issue.id
  return (
    <Section
      id="server"
      title="On the server"
      note={
        linked.isSameTrace
          ? undefined
          : `the newest of ${isAbroad ? 'the server’s' : 'this'} issue; its own request sent none`
      }
      actions={
        <Link className="btn plain s" href={`${path}/events/${linked.event.event_id}`}>
          Open this event
        </Link>
      }
    >
      {isAbroad ? <LinkedIssue says="Reported to another project, as" issue={linked.issue} href={path} /> : null}
      <ExceptionChain exceptions={colorSource(readEventView(linked.event.data).exceptions)} />
    </Section>
  )
}

/** The same error in the project that the other side reports to. A plain link: within issues, the router opens a peek, which is for lists. */
function LinkedIssue({ says, issue, href }: { says: string; issue: Issue; href: string }) {
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
