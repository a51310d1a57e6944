import { FailedPanel } from '#ui/blank.tsx'
import { colorSource } from '#ui/event/color-source.ts'
import { CrumbLines } from '#ui/event/crumb-lines.tsx'
import type { EventView } from '#ui/event/event-view.ts'
import { readEventView } from '#ui/event/read-event-view.ts'
import { StackTrace } from '#ui/event/stack-trace.tsx'
import { TagShares } from '#ui/issue/tag-shares.tsx'
import { shorten } from '#ui/shorten.ts'
import { Panel } from '../../../../../panel.tsx'
import { actionProps, mayWrite } from '../../[issueId]/action-props.ts'
import { IssueActions } from '../../[issueId]/issue-actions.tsx'
import { IssueFinding } from '../../[issueId]/issue-finding.tsx'
import { IssueHeading, IssueLede } from '../../[issueId]/issue-heading.tsx'
import { IssueChart } from '../../[issueId]/issue-screen.tsx'
import type { IssueGist, IssueHead } from '../../[issueId]/load-issue.ts'
import { type IssueAddress, issueHref, tagIssuesHref, withTerm } from '../../[issueId]/search-params.ts'
import { Arriving } from './arriving.tsx'
import { PeekFrame } from './peek-frame.tsx'

const lastCrumbs = 5
const topShares = 4

type Props = { head: IssueHead; gist: Promise<IssueGist>; address: IssueAddress; href: string }

/** A short version of the issue page: heading and actions at once, then chart, stack, last breadcrumbs and common tags. */
export function IssuePeek({ head, gist, address, href }: Props) {
  const { issue, viewer } = head
  const isWriter = mayWrite(viewer)
  return (
    <PeekFrame
      title={issue.shortId}
      href={href}
      issueId={issue.id}
      search={address.search}
      mayComment={isWriter}
      foot={isWriter ? <IssueActions {...actionProps(head)} isPeek /> : null}
    >
      <IssueHeading head={head} isPeek />
      <Panel what="This issue">
        <Arriving content={gist.then(loaded => <Gist loaded={loaded} address={address} href={href} />)} />
      </Panel>
    </PeekFrame>
  )
}

async function Gist({ loaded, address, href }: { loaded: IssueGist; address: IssueAddress; href: string }) {
  const { issue, viewer } = loaded
  const [event, shares] = await Promise.all([loaded.event, loaded.shares])
  const found = event.ok ? event.value : null
  const { slug } = viewer.organization
  const recommended = issueHref(slug, issue.id, address.scope, '/events/recommended')
  return (
    <>
      <Panel what="Finding">
        <IssueFinding loaded={loaded} address={address} />
      </Panel>
      <IssueLede loaded={loaded} address={address} />
      <Panel what="Events over time">
        <IssueChart loaded={loaded} address={address} path={`${href}/events/recommended`} isPeek />
      </Panel>
      {event.ok ? null : <FailedPanel what="Event" reference={event.reference} />}
      {found ? (
        <Panel what="Event">
          <WhereItBroke view={readEventView(found.stacks.data)} href={recommended} />
        </Panel>
      ) : null}
      {shares.ok && shares.value.length > 0 ? (
        <section>
          <h3 className="h">Most events have</h3>
          <TagShares
            shares={shares.value.slice(0, topShares)}
            href={(key, value) => issueHref(slug, issue.id, withTerm(address.scope, key, value), '/events')}
            issuesHref={(key, value) => tagIssuesHref(slug, address.scope, key, value)}
            isOne
          />
        </section>
      ) : null}
    </>
  )
}

function WhereItBroke({ view, href }: { view: EventView; href: string }) {
  const root = colorSource(view.exceptions.slice(-1))[0]
  const frames = root?.frames.slice(0, 12) ?? []
  return (
    <>
      <section>
        <h3 className="h">Where it broke</h3>
        {frames.length > 0 ? (
          <StackTrace frames={frames} isOpen />
        ) : (
          <p className="message">{shorten(root?.message || view.message, 600)}</p>
        )}
      </section>
      {view.crumbs.length > 0 ? (
        <section>
          <h3 className="h">
            Last breadcrumbs
            <a className="link r" href={`${href}#breadcrumbs`}>
              View all {view.crumbs.length}
            </a>
          </h3>
          <CrumbLines crumbs={view.crumbs.slice(-lastCrumbs)} />
        </section>
      ) : null}
    </>
  )
}
