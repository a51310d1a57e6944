import { CopyLink } from '#ui/copy-link.tsx'
import { HashTarget } from '#ui/hash-target.tsx'
import { TopBar } from '#ui/top-bar.tsx'
import { Trail } from '#ui/trail.tsx'
import { Panel } from '../../../../panel.tsx'
import { Activity } from './activity.tsx'
import { EventBar } from './event-bar.tsx'
import { EventSections } from './event-sections.tsx'
import { IssueChart } from './issue-chart.tsx'
import { IssueGroups } from './issue-groups.tsx'
import { IssueHeading } from './issue-heading.tsx'
import { IssueLede } from './issue-lede.tsx'
import { IssueSide } from './issue-side.tsx'
import { IssueTags } from './issue-tags.tsx'
import type { LoadedIssue } from './load-issue.ts'
import { readAhead } from './read-ahead.ts'
import type { IssueAddress } from './search-params.ts'

type Props = { loaded: LoadedIssue; address: IssueAddress; choice: string }

/** An issue and one of its events, as a page: the finding first, the evidence below it. */
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
