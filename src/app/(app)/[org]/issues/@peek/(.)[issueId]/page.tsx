import type { Metadata } from 'next'
import { requireViewer } from '#web/viewer.ts'
import { issueTitle } from '../../[issueId]/issue-title.ts'
import { findAddressedIssue, loadIssueGist, loadIssueHead } from '../../[issueId]/load-issue.ts'
import { readIssueAddress } from '../../[issueId]/search-params.ts'
import { IssuePeek } from './issue-peek.tsx'
import { PeekFrame } from './peek-frame.tsx'

type Props = {
  params: Promise<{ org: string; issueId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return issueTitle(await params)
}

/** The issue, shown beside the list it was opened from. */
export default async function Peek({ params, searchParams }: Props) {
  const { org, issueId } = await params
  const viewer = await requireViewer(org)
  const issue = await findAddressedIssue(viewer, issueId)
  const list = `/${viewer.organization.slug}/issues`
  if (!issue)
    return (
      <PeekFrame title={issueId.slice(0, 20)} href={`${list}/${encodeURIComponent(issueId)}`}>
        <p className="t2">Issue not found.</p>
      </PeekFrame>
    )
  const address = readIssueAddress(await searchParams)
  const head = loadIssueHead(viewer, issue)
  const gist = loadIssueGist(viewer, issue, { kind: 'recommended' }, address, { head })
  gist.catch(() => undefined) // the head fails first, and says so
  return <IssuePeek head={await head} gist={gist} address={address} href={`${list}/${issue.id}`} />
}
