import { type ReactNode, Suspense } from 'react'
import type { Viewer } from '#domain/access/viewer.ts'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import { explainReact } from '#domain/events/explain-event.ts'
import type { StoredEvent } from '#domain/events/find-event.ts'
import { expectLinkedEvent, findLinkedEvent, type LinkedServerError } from '#domain/events/find-linked-event.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { replayIdOf } from '#domain/replays/find-event-replay.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { colorSource } from '#ui/event/color-source.ts'
import { ExceptionChain } from '#ui/event/exception-chain.tsx'
import { readEventView } from '#ui/event/read-event-view.ts'
import { Link } from '#ui/link.tsx'
import { Facts, Section } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { LateSection } from '../late-section.tsx'
import { HydrationSections } from './hydration-sections.tsx'
import { SkewSection } from './skew-section.tsx'

type Props = { viewer: Viewer; issue: Issue; event: StoredEvent; filter: IssueEventFilter }

/** Insights for hydration errors, deploy skew and linked server errors, above the stack. Nothing for other errors. */
export function ReactSections({ viewer, issue, event, filter }: Props) {
  const insight = explainReact(event.data)
  if (insight?.kind === 'hydration') return <HydrationSections insight={insight} domHref={domHrefOf(viewer, event)} />
  if (insight?.kind === 'skew') return <SkewSection viewer={viewer} issue={issue} insight={insight} />
  if (insight?.kind === 'server-error')
    return <ServerSection viewer={viewer} issue={issue} event={event} filter={filter} insight={insight} />
  return null
}

function domHrefOf(viewer: Viewer, event: StoredEvent): string | null {
  const replayId = replayIdOf(event)
  return replayId === null ? null : `/${viewer.organization.slug}/replays/${replayId}/dom?at=${event.timestamp}`
}

/** For a server error, below its stack: the browser event of the same request, if there is one, and its issue. It is found last. */
export async function UserSawSection(props: Props) {
  const { viewer, issue, event, filter } = props
  if (event.platform === 'javascript' || explainReact(event.data) !== null) return null
  const wanted = { of: event, isOnServer: false, filter } as const
  const chance = await attempt('browser event', expectLinkedEvent(viewer, issue, wanted))
  if (chance.ok && chance.value === 'none') return null
  const isLikely = chance.ok && chance.value === 'likely'
  return (
    <Suspense fallback={isLikely ? <LateSection title="What the user saw" /> : null}>
      <LinkedBrowserEvent {...props} />
    </Suspense>
  )
}

async function LinkedBrowserEvent({ viewer, issue, event, filter }: Props) {
  const linked = await attempt(
    'browser event',
    findLinkedEvent(viewer, issue, { of: event, isOnServer: false, filter }),
  )
  if (!linked.ok || linked.value === null) return null
  if (explainReact(linked.value.event.data)?.kind !== 'server-error') return null
  const path = `/${viewer.organization.slug}/issues/${linked.value.issue.id}`
  const isOtherIssue = linked.value.issue.id !== issue.id
  const seenAs = isOtherIssue ? (
    <LinkedIssue label="Seen in browsers as" issue={linked.value.issue} href={path} />
  ) : null
  if (linked.value.isSameTrace)
    return (
      <UserSaw event={linked.value.event} href={`${path}/events/${linked.value.event.event_id}`}>
        {seenAs}
      </UserSaw>
    )
  return seenAs ? (
    <Section id="user-saw" title="What the user saw" note="no browser event for this request">
      {seenAs}
    </Section>
  ) : null
}

type ServerSectionProps = Props & { insight: { digest: string; advice: string } }

/** A browser error without a useful stack: shows the linked server error first, then what the user saw. */
async function ServerSection({ viewer, issue, event, filter, insight: { digest, advice } }: ServerSectionProps) {
  const linked = await attempt('server event', findLinkedEvent(viewer, issue, { of: event, isOnServer: true, filter }))
  if (!linked.ok) return <FailedPanel what="Server error" reference={linked.reference} />
  return (
    <>
      {linked.value ? (
        <OnServer viewer={viewer} issue={issue} linked={linked.value} />
      ) : (
        <Section id="server" title="Server error">
          <p className="t2">
            No server event was received for this request
            {digest ? ` (look for digest ${digest} in the server log)` : ''}. Initialize the SDK on the server too, and{' '}
            {advice}.
          </p>
        </Section>
      )}
      <UserSaw event={event} />
    </>
  )
}

function OnServer({ viewer, issue, linked }: { viewer: Viewer; issue: Issue; linked: LinkedServerError }) {
  const path = `/${viewer.organization.slug}/issues/${linked.issue.id}`
  const isOtherIssue = linked.issue.id !== issue.id
  return (
    <Section
      id="server"
      title="Server error"
      note={
        linked.isSameTrace
          ? undefined
          : `latest event of ${isOtherIssue ? 'the server’s' : 'this'} issue; none was received for this request`
      }
      actions={
        <Link className="btn plain s" href={`${path}/events/${linked.event.event_id}`}>
          Open event
        </Link>
      }
    >
      {isOtherIssue ? <LinkedIssue label="Reported to another project as" issue={linked.issue} href={path} /> : null}
      <ExceptionChain exceptions={colorSource(readEventView(linked.event.data).exceptions)} />
    </Section>
  )
}

/** A plain link, because the router would open the issue as a peek. */
function LinkedIssue({ label, issue, href }: { label: string; issue: Issue; href: string }) {
  return (
    <p className="intro">
      {label}{' '}
      <a className="link" href={href}>
        <span className="mono">{issue.shortId}</span> {shorten(issue.title, 160)}
      </a>
    </p>
  )
}

/** The browser side of a server error: page, browser and user. */
function UserSaw({ event, href, children }: { event: StoredEvent; href?: string; children?: ReactNode }) {
  const browser = `${event.browser_name} ${event.browser_version}`.trim()
  return (
    <Section
      id="user-saw"
      title="What the user saw"
      note="an error boundary instead of the page or a part of it"
      actions={
        href ? (
          <Link className="btn plain s" href={href}>
            Open browser event
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
          { label: 'OS', value: shorten(`${event.os_name} ${event.os_version}`.trim(), 80) },
          { label: 'User', value: shorten(event.user_email || event.user_name || event.user_id || event.user_ip, 120) },
          { label: 'Release', value: shorten(event.release, 80) },
        ]}
      />
    </Section>
  )
}
