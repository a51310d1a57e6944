import type { IssueStatus, IssueSubstatus } from '#store/control/schema.ts'
import { readArchive, readResolution } from '#store/control/status-detail.ts'

/** What we call archived is `ignored` to Sentry's tools, with the terms in another word. */
export function describeIssueStatus(status: IssueStatus, substatus: IssueSubstatus, detail: string) {
  if (status === 'unresolved') return { status, substatus, statusDetails: {} }
  if (status === 'resolved') return { status, substatus: null, statusDetails: resolutionOf(detail) }
  const until = readArchive(detail)
  switch (until.kind) {
    case 'forever':
      return { status: 'ignored', substatus: 'archived_forever', statusDetails: {} }
    case 'until_escalating':
      return { status: 'ignored', substatus: 'archived_until_escalating', statusDetails: {} }
    case 'until_date':
      return conditional({ ignoreUntil: new Date(until.at).toISOString() })
    // Tools are told how many more were asked for, as they asked.
    case 'until_events':
      return conditional({ ignoreCount: until.more ?? until.count })
    case 'until_users':
      return conditional({ ignoreUserCount: until.more ?? until.count })
  }
}

const conditional = (statusDetails: Record<string, unknown>) => ({
  status: 'ignored',
  substatus: 'archived_until_condition_met',
  statusDetails,
})

function resolutionOf(detail: string): Record<string, unknown> {
  const how = readResolution(detail)
  if (how.kind === 'in_release') return { inRelease: how.version }
  return how.kind === 'next_release' ? { inNextRelease: true } : {}
}
