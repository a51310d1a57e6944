import { listCachedAttachments } from '#domain/events/list-attachments.ts'
import { findSpanPosition } from '#domain/traces/find-span-position.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { CopyLink } from '#ui/copy-button.tsx'
import { formatMoment } from '#ui/format.ts'
import { HashTarget } from '#ui/hash-target.tsx'
import { EventBars } from '#ui/issue/event-bars.tsx'
import { TagShares } from '#ui/issue/tag-shares.tsx'
import { Link } from '#ui/link.tsx'
import { Section, TopBar, Trail } from '#ui/page-parts.tsx'
import { shorten, showHidden } from '#ui/shorten.ts'
import { Panel } from '../../../../panel.tsx'
import { mayUnmerge } from './action-props.ts'
import { Activity } from './activity.tsx'
import { EventBar } from './event-bar.tsx'
import { EventSections } from './event-sections.tsx'
import { GroupList } from './group-list.tsx'
import { IssueHeading, IssueLede } from './issue-heading.tsx'
import { IssueSide } from './issue-side.tsx'
import type { LoadedIssue } from './load-issue.ts'
import type { IssueAddress } from './search-params.ts'

type Props = { loaded: LoadedIssue; address: IssueAddress; choice: string }

/** The page of an issue with one of its events: summary first, details below. */
export function IssueScreen({ loaded, address, choice }: Props) {
  readAhead(loaded)
  const { viewer, issue } = loaded
  const base = `/${viewer.organization.slug}/issues`
  const path = `${base}/${issue.id}/events/${choice}`
  return (
    <>
      <TopBar actions={<CopyLink />}>
        <Trail stops={[{ href: base, label: 'Issues' }]} here={issue.shortId} />
      </TopBar>
      <HashTarget />
      <div className="cols">
        <div className="main">
          <IssueHeading loaded={loaded} />
          <IssueLede loaded={loaded} />
          <Panel what="Events over time">
            <IssueChart loaded={loaded} address={address} path={path} />
          </Panel>
          <EventBar loaded={loaded} address={address} choice={choice} />
          <EventSections loaded={loaded} address={address} path={path} />
          <Panel what="Tags">
            <IssueTags loaded={loaded} />
          </Panel>
          <Panel what="Groups">
            <IssueGroups loaded={loaded} />
          </Panel>
        </div>
        <aside className="side" aria-label="About this issue">
          <IssueSide loaded={loaded} />
          <Panel what="Activity">
            <Activity loaded={loaded} />
          </Panel>
        </aside>
      </div>
    </>
  )
}

type IssueChartProps = { loaded: LoadedIssue; address: IssueAddress; path: string; isPeek?: boolean }

export async function IssueChart({ loaded, address, path, isPeek = false }: IssueChartProps) {
  const bars = await loaded.bars
  if (!bars.ok) return <FailedPanel what="Events over time" reference={bars.reference} />
  const { from, to, releases } = bars.value
  const marks = releases.map(({ release, firstSeen }) => ({ release, at: firstSeen })).filter(({ at }) => at > from)
  return (
    <>
      <EventBars bars={bars.value} marks={marks} path={path} search={address.search} hasTable={!isPeek} />
      {address.isNarrowed && !isPeek ? (
        <p className="narrowed">
          Showing{' '}
          {address.filter.from ? `events from ${formatMoment(from)} to ${formatMoment(to)}` : 'matching events only'}.{' '}
          <Link className="link" href={path}>
            Show all
          </Link>
        </p>
      ) : null}
    </>
  )
}

function IssueTags({ loaded: { shares, viewer } }: { loaded: LoadedIssue }) {
  if (!shares.ok) return <FailedPanel what="Tags" reference={shares.reference} />
  if (shares.value.length === 0) return null
  return (
    <Section id="tags" title="Tags" note="share of the latest 1,000 events; the tick marks the project’s usual share">
      <TagShares shares={shares.value} href={`/${viewer.organization.slug}/issues`} />
    </Section>
  )
}

function IssueGroups({ loaded: { groups, issue, viewer } }: { loaded: LoadedIssue }) {
  return (
    <GroupList
      organizationSlug={viewer.organization.slug}
      issueId={issue.id}
      mayUnmerge={mayUnmerge(viewer)}
      now={viewer.now}
      groups={groups.map(({ version, hash, eventCount, lastSeen, home }) => ({
        id: `${version}:${hash}`,
        eventCount,
        lastSeen,
        home: home ? `${home.shortId}, ${showHidden(shorten(home.title, 120))}` : '',
      }))}
    />
  )
}

/** Starts the (cached) queries of later sections early. The sections themselves report failures. */
function readAhead({ viewer, issue, event }: LoadedIssue): void {
  if (!event.ok || !event.value) return
  const found = event.value.event
  for (const query of [findSpanPosition(viewer, found), listCachedAttachments(viewer, issue, found)])
    query.catch(() => undefined)
}
