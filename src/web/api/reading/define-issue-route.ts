import type { Issue } from '#queries/find-issue.ts'
import { apiNotFound } from '../api-error.ts'
import { type ApiCall, defineApiRoute } from '../define-api-route.ts'
import { findCalledIssue } from './find-called-issue.ts'

export type IssueCall<Input> = ApiCall<Input> & { issue: Issue }

/** `…/issues/[issue]/…`: the issue by number or short id, else 404. */
export function defineIssueRoute<Input = unknown>(
  definition: Parameters<typeof defineApiRoute<Input>>[0],
  handle: (call: IssueCall<Input>) => Promise<Response>,
) {
  return defineApiRoute<Input>(definition, async call => {
    const issue = await findCalledIssue(call.viewer, call.params.issue ?? '')
    return issue ? handle({ ...call, issue }) : apiNotFound()
  })
}
