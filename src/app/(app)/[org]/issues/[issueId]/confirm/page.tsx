import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import { findIssueState } from '#domain/issues/find-issue.ts'
import { listAssignees } from '#domain/issues/list-search-values.ts'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { TopBar, Trail } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import { requireViewer } from '#web/viewer.ts'
import { NothingHere } from '../../../nothing-here.tsx'
import { archiveChanges, assignChanges, laterResolutions, resolveChange } from '../../change.ts'
import { findAddressedIssue } from '../load-issue.ts'
import { ConfirmForm } from './confirm-form.tsx'

export const metadata: Metadata = { title: 'Confirm' }

type Props = {
  params: Promise<{ org: string; issueId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}
const queries = { resolve: 'Resolve this issue?', archive: 'Archive this issue?', assign: 'Assign this issue?' }

/** Where the links of a message lead. Nothing changes until a button is pressed: mail scanners follow every link. */
export default async function ConfirmPage({ params, searchParams }: Props) {
  const { org, issueId } = await params
  const viewer = await requireViewer(org)
  const query = await searchParams
  const issue = await findAddressedIssue(viewer, issueId, { rest: '/confirm', query })
  if (!issue) return <NothingHere organizationSlug={org} kind="Issue" name={issueId} typed={issueId} />
  const { change } = query
  const asked = change === 'archive' || change === 'assign' ? change : 'resolve'
  const href = `/${viewer.organization.slug}/issues/${issue.id}`
  const state = await findIssueState(viewer, issue)
  const changes = {
    resolve: () => [resolveChange, ...laterResolutions('')],
    archive: () => archiveChanges,
    assign: async () =>
      assignChanges({ assignees: await listAssignees(viewer), me: `user:${viewer.user.id}`, current: state.assignee }),
  }
  return (
    <>
      <TopBar>
        <h1 className="sr">{queries[asked]}</h1>
        <Trail stops={[{ href, label: issue.shortId }]} here="Confirm" />
      </TopBar>
      <Blank
        title={queries[asked]}
        actions={
          mayDo(viewer.role, `issue.${asked}`) ? (
            <ConfirmForm
              organizationSlug={viewer.organization.slug}
              issueId={issue.id}
              changes={[...(await changes[asked]())]}
            />
          ) : (
            <Link className="btn" href={href}>
              Open the issue
            </Link>
          )
        }
      >
        {issue.shortId}: {shorten(issue.title, 200)}. It is {state.status}.
      </Blank>
    </>
  )
}
