import type { Metadata } from 'next'
import { requireViewer } from '#web/viewer.ts'
import { NothingHere } from '../../nothing-here.tsx'
import { IssueScreen } from './issue-screen.tsx'
import { issueTitle } from './issue-title.ts'
import { findAddressedIssue, loadIssue } from './load-issue.ts'
import { readIssueAddress } from './search-params.ts'

type Props = {
  params: Promise<{ org: string; issueId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return issueTitle(await params)
}

/** An issue with its recommended event. */
export default async function IssuePage({ params, searchParams }: Props) {
  const { org, issueId } = await params
  const viewer = await requireViewer(org)
  const query = await searchParams
  const issue = await findAddressedIssue(viewer, issueId, { query })
  if (!issue) return <NothingHere organizationSlug={org} kind="Issue" name={issueId} typed={issueId} />
  const address = readIssueAddress(query)
  const loaded = await loadIssue(viewer, issue, { kind: 'recommended' }, address)
  return <IssueScreen loaded={loaded} address={address} choice="recommended" />
}
