import type { Metadata } from 'next'
import { findViewer } from '#web/viewer.ts'
import { pageTitle } from '../../../../page-title.ts'
import { findNamedIssue } from './load-issue.ts'

/** The title of the tab: which issue it is. Null issues are not found. */
export async function issueTitle(
  { org, issueId }: { org: string; issueId: string },
  ...more: readonly string[]
): Promise<Metadata> {
  const admission = await findViewer(org)
  if (admission.kind !== 'viewer') return {}
  const issue = await findNamedIssue(admission.viewer, issueId)
  return issue ? pageTitle(issue.title, issue.shortId, ...more) : pageTitle('Not found')
}
