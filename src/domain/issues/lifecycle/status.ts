import { formatWhole } from '#lib/format-whole.ts'
import type { IssueStatus } from '#store/control/schema.ts'
import { type ArchivedUntil, readArchive, readResolution } from '#store/control/status-detail.ts'

/** The terms of a resolved or archived issue as text: `in 1.2.0`, `until 100 events`; empty for an open issue. A date follows `until`. */
export function describeStatus(status: IssueStatus, detail: string): string {
  if (status === 'resolved') return describeResolution(detail)
  return status === 'archived' ? describeArchive(readArchive(detail)) : ''
}

/** The date until which an issue is archived; null without one. */
export function findArchiveEnd(status: IssueStatus, detail: string): number | null {
  const until = status === 'archived' ? readArchive(detail) : null
  return until?.kind === 'until_date' ? until.at : null
}

/** What reopens a resolved issue, as decided in regression.ts; empty for any other issue. */
export function describeReopening(status: IssueStatus, detail: string): string {
  if (status !== 'resolved') return ''
  const how = readResolution(detail)
  if (how.kind === 'now') return 'Reopens if it occurs again'
  return `Reopens if it occurs in a release after ${how.kind === 'in_release' ? how.version : how.after}`
}

function describeResolution(detail: string): string {
  const how = readResolution(detail)
  if (how.kind === 'in_release') return `in ${how.version}`
  if (how.kind === 'now') return ''
  return how.version ? `in ${how.version}` : `in the release after ${how.after}`
}

function describeArchive(until: ArchivedUntil): string {
  switch (until.kind) {
    case 'forever':
      return 'forever'
    case 'until_events':
      return `until ${formatWhole(until.count)} events`
    case 'until_users':
      return `until ${formatWhole(until.count)} users`
    case 'until_date':
      return 'until'
    case 'until_escalating':
      return 'until it escalates'
  }
}
