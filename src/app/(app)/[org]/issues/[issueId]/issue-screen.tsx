import { Suspense } from 'react'
import { newestEvents } from '#domain/events/newest-events.ts'
import { findGroupLooks } from '#domain/issues/find-group-look.ts'
import { maxGroups } from '#domain/issues/list-issue-activity.ts'
import { overflowKind } from '#lib/event-kind.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { CopyLink } from '#ui/copy-button.tsx'
import { HashTarget } from '#ui/hash-target.tsx'
import { EventBars } from '#ui/issue/event-bars.tsx'
import { TagShares } from '#ui/issue/tag-shares.tsx'
import { Notice } from '#ui/notice.tsx'
import { Section, TopBar, Trail } from '#ui/page-parts.tsx'
import { RecordVisit } from '#ui/palette/record-visit.tsx'
import { shorten, showHidden } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { Panel } from '../../../../panel.tsx'
import { IssueFeedback } from '../../feedback/issue-feedback.tsx'
import { IgnoredNote } from '../../ignored-note.tsx'
import { mayUnmerge } from './action-props.ts'
import { Activity } from './activity.tsx'
import { EventBar } from './event-bar.tsx'
import { EventSections } from './event-sections.tsx'
import { GroupList } from './group-list.tsx'
import { LateFinding } from './issue-finding.tsx'
import { IssueHeading, IssueLede } from './issue-heading.tsx'
import { IssueSide } from './issue-side.tsx'
import { IssueTickets } from './issue-tickets.tsx'
import { LateSection } from './late-section.tsx'
import type { IssueGist, LoadedIssue } from './load-issue.ts'
import { ScopePickers, ScopeSearch } from './scope-pickers.tsx'
import { type IssueAddress, issueHref, listHref, tagIssuesHref, withTerm } from './search-params.ts'

type Props = { loaded: LoadedIssue; address: IssueAddress; choice: string }

/** The page of an issue with one of its events: summary first, details below. */
export function IssueScreen({ loaded, address, choice }: Props) {
  const { viewer, issue } = loaded
  const path = `/${viewer.organization.slug}/issues/${issue.id}/events/${choice}`
  return (
    <>
      <TopBar actions={<ScopePickers viewer={viewer} issue={issue} scope={address.scope} rest={`/events/${choice}`} />}>
        <Trail
          stops={[{ href: listHref(viewer.organization.slug, address.scope), label: 'Issues' }]}
          here={issue.shortId}
        />
        <CopyLink />
      </TopBar>
      <IgnoredNote viewer={viewer} params={address.scope} />
      <ScopeSearch viewer={viewer} issue={issue} scope={address.scope} rest={`/events/${choice}`} />
      <HashTarget />
      <RecordVisit
        organizationSlug={viewer.organization.slug}
        userId={viewer.user.id}
        href={`/${viewer.organization.slug}/issues/${issue.id}`}
        label={showHidden(shorten(issue.title, 160))}
        note={issue.shortId}
      />
      <div className="cols">
        <div className="main">
          <IssueHeading head={loaded} />
          <Panel what="Finding">
            <LateFinding loaded={loaded} address={address} />
          </Panel>
          {issue.kind === overflowKind ? (
            <Notice kind="warning">
              This project got too many new issues within ten minutes. What would have become further issues is counted
              here, each in its own group. Unmerge a group to give it an issue of its own.
            </Notice>
          ) : null}
          <IssueLede loaded={loaded} address={address} />
          <Panel what="Events over time">
            <IssueChart loaded={loaded} address={address} path={path} />
          </Panel>
          <EventBar loaded={loaded} address={address} choice={choice} />
          <EventSections
            loaded={loaded}
            address={address}
            path={path}
            tags={
              <Panel what="Tags">
                <Suspense fallback={<LateSection title="Tags" />}>
                  <IssueTags loaded={loaded} address={address} />
                </Suspense>
              </Panel>
            }
          />
          <Panel what="Feedback">
            <Suspense>
              <IssueFeedback viewer={viewer} issue={issue} />
            </Suspense>
          </Panel>
          <Panel what="Groups">
            <IssueGroups loaded={loaded} />
          </Panel>
        </div>
        <aside className="side" aria-label="About this issue">
          <IssueSide loaded={loaded} />
          <Panel what="Tickets">
            <IssueTickets loaded={loaded} />
          </Panel>
          <Panel what="Activity">
            <Activity loaded={loaded} />
          </Panel>
        </aside>
      </div>
    </>
  )
}

type IssueChartProps = { loaded: IssueGist; address: IssueAddress; path: string; isPeek?: boolean }

export async function IssueChart({ loaded, address, path, isPeek = false }: IssueChartProps) {
  const counts = await loaded.counts
  if (!counts.ok) return <FailedPanel what="Events over time" reference={counts.reference} />
  const { bars, marks } = counts.value
  return <EventBars bars={bars} marks={marks} path={path} search={address.search} hasTable={!isPeek} />
}

async function IssueTags({ loaded, address }: { loaded: LoadedIssue; address: IssueAddress }) {
  const { viewer, issue } = loaded
  const [shares, counts] = await Promise.all([loaded.shares, loaded.counts])
  if (!shares.ok) return <FailedPanel what="Tags" reference={shares.reference} />
  if (shares.value.length === 0) return null
  const { slug } = viewer.organization
  const isWhole = counts.ok && counts.value.events <= newestEvents
  return (
    <Section
      id="tags"
      title="Tags"
      note={`share of ${isWhole ? 'the' : `the latest ${formatWhole(newestEvents)}`} events that have the tag; the tick marks the project’s usual share`}
    >
      <TagShares
        shares={shares.value}
        href={(key, value) => issueHref(slug, issue.id, withTerm(address.scope, key, value), '/events')}
        issuesHref={(key, value) => tagIssuesHref(slug, address.scope, key, value)}
      />
    </Section>
  )
}

async function IssueGroups({ loaded: { groups, issue, viewer } }: { loaded: LoadedIssue }) {
  const hashes = issue.kind === overflowKind ? groups.map(({ hash }) => hash) : []
  const looks = await attempt('titles of groups', findGroupLooks(viewer, issue, hashes))
  const titleOf = (hash: string): string => (looks.ok ? (looks.value.get(hash)?.title ?? '') : '')
  return (
    <GroupList
      organizationSlug={viewer.organization.slug}
      issueId={issue.id}
      mayUnmerge={mayUnmerge(viewer)}
      now={viewer.now}
      isCut={groups.length >= maxGroups}
      groups={groups.map(({ version, hash, eventCount, lastSeen, home }) => ({
        id: `${version}:${hash}`,
        title: showHidden(shorten(titleOf(hash), 120)),
        eventCount,
        lastSeen,
        home: home ? `${home.shortId}, ${showHidden(shorten(home.title, 120))}` : '',
      }))}
    />
  )
}
