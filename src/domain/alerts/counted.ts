/** When an issue has too many events or users: one definition for the job, which judges each minute, and for a preview of many minutes. */

import type { Viewer } from '#domain/access/viewer.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { timeInWords } from '#lib/time-words.ts'
import { isMostlyThere } from './judge-metric.ts'
import { newsForMs } from './late-news.ts'
import { severityOf } from './match-changes.ts'
import { missingIn, type Pause } from './pauses.ts'
import type { CountCondition } from './rule.ts'
import type { IssueMessage } from './stored-message.ts'

/** Of one hash or one issue: in the window, and in the window before. */
export type Quantity = { now: number; before: number }
export type CountedIssue = { issueId: number; projectId: number; level: string; isArchived: boolean }
/** An issue that is above the condition which stands at `index` in its rule. */
export type Counted = { issue: CountedIssue; index: number; count: CountCondition; quantity: Quantity }

/** The events that count: delayed ones too, by the time of their receipt, but not those of an import. */
export const isRecent = `timestamp >= received_at - toIntervalMillisecond(${newsForMs})`

/** An issue may have several hashes; those with less than a quarter of the threshold are not read. */
export const leastOf = ({ above }: CountCondition): number => Math.max(1, Math.ceil(above / 4))

/** The quantity of an issue, from those of its hashes. */
export function addUp(count: CountCondition, hashes: readonly Quantity[]): Quantity {
  const sum = { now: 0, before: 0 }
  for (const { now, before } of hashes) {
    if (now < leastOf(count)) continue
    // Somebody may have met several of its hashes: the largest is a lower bound.
    sum.now = count.of === 'events' ? sum.now + now : Math.max(sum.now, now)
    sum.before = count.of === 'events' ? sum.before + before : Math.max(sum.before, before)
  }
  // Weights of samples are fractions, whose sum depends on their order.
  return { now: roundTo3(sum.now), before: roundTo3(sum.before) }
}

const roundTo3 = (value: number): number => Math.round(value * 1_000) / 1_000

/** How much of the window before is there; 0 if too little to compare with. */
export function shareBefore(
  { percentMore, withinMs }: CountCondition,
  pauses: readonly Pause[],
  until: number,
): number {
  if (percentMore === null) return 1
  const missingMs = missingIn(pauses, until - 2 * withinMs, until - withinMs)
  return isMostlyThere(withinMs, missingMs) ? 1 - missingMs / withinMs : 0
}

/** Whether a window is above what the rule allows, given the window before, of which a part may be missing. */
export function isAbove({ above, percentMore }: CountCondition, { now, before }: Quantity, share: number): boolean {
  if (now <= above) return false
  return percentMore === null || (share > 0 && now > (before / share) * (1 + percentMore / 100))
}

/** The order in which the messages of a rule and a minute are sent. */
export const byCondition = (a: Counted, b: Counted): number =>
  a.index - b.index || b.quantity.now - a.quantity.now || a.issue.issueId - b.issue.issueId

export function countedMessage({ issue, count, quantity }: Counted, ruleId: number | null, at: number): IssueMessage {
  const told = formatWhole(Math.round(quantity.now))
  const window = timeInWords(count.withinMs)
  const compared = count.percentMore === null ? '' : `, ${formatWhole(Math.round(quantity.before))} in the one before`
  return {
    kind: 'issue',
    type: 'issue.frequent',
    issueId: issue.issueId,
    projectId: issue.projectId,
    ruleId,
    at,
    severity: severityOf('issue.frequent', issue.level),
    reason: `${told} ${count.of} in ${window}${compared}`,
  }
}

type Hash = { project_id: number; group_hash: string }

/** The issues of hashes, by `hashName`. */
export async function findCountedIssues(viewer: Viewer, rows: readonly Hash[]): Promise<Map<string, CountedIssue>> {
  const hashes = [...new Set(rows.map(each => each.group_hash))]
  const found = new Map<string, CountedIssue>()
  for (const chunk of chunksOf(hashes))
    for (const each of await viewer.control
      .issueHashes()
      .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
      .select(['issue_hash.project_id', 'group_hash', 'issue_id', 'issue.level', 'issue.status'])
      .where('group_hash', 'in', chunk)
      .execute())
      found.set(hashName(each), {
        issueId: each.issue_id,
        projectId: each.project_id,
        level: each.level,
        isArchived: each.status === 'archived',
      })
  return found
}

export const hashName = ({ project_id, group_hash }: Hash): string => `${project_id} ${group_hash}`
