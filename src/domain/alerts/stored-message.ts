/** A message before it is sent: ids, and the reason as it was when the rule matched. Titles and counts are read when it is sent. */
import { z } from 'zod'
import { type Counts, countOf, maxNamed, splitNamed } from '#domain/channels/worst-first.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { jsonOf } from '#lib/json-value.ts'

const severity = z.enum(['info', 'warning', 'critical'])
const shared = { ruleId: z.number().nullable(), at: z.number(), severity, reason: z.string() }

export const issueTypes = [
  'issue.new',
  'issue.regressed',
  'issue.escalating',
  'issue.resolved',
  'issue.frequent',
  /** Only at the bell of the assignee. */
  'issue.assigned',
] as const
export type IssueMessageType = (typeof issueTypes)[number]
/** Steps of a detector. Channels don't get comments and acknowledgements of members. */
export const incidentSteps = ['opened', 'worsened', 'improved', 'closed'] as const
export const isIncidentStep = (kind: string): kind is (typeof incidentSteps)[number] =>
  incidentSteps.some(step => step === kind)
export const incidentTypes = incidentSteps.map(step => `incident.${step}` as const)

const otherIssue = z.object({
  kind: z.literal('issue'),
  type: z.enum(issueTypes),
  issueId: z.number(),
  projectId: z.number(),
  /** The release whose deploy it follows. */
  deploy: z.string().optional(),
  ...shared,
})
const issueMessage = otherIssue.extend({
  /** Of a cascade: what its issues have in common, the others (at most 20), and how many more there are. */
  cause: z.enum(['trace', 'deploy']).optional(),
  others: z.array(otherIssue).optional(),
  more: z.number().optional(),
})
const incidentMessage = z.object({
  kind: z.literal('incident'),
  type: z.enum(incidentTypes),
  incidentId: z.number(),
  projectId: z.number().nullable(),
  ...shared,
})
const single = z.discriminatedUnion('kind', [issueMessage, incidentMessage])
const summaryMessage = z.object({
  kind: z.literal('summary'),
  type: z.literal('summary'),
  projectId: z.number().nullable(),
  /** At most 20, the worst first; `more` counts the others. */
  items: z.array(single),
  more: z.number(),
  /** How many of each type the others are. Messages of earlier versions have only their number. */
  rest: z.record(z.string(), z.number()).optional(),
  ...shared,
})
const storedMessage = z.discriminatedUnion('kind', [issueMessage, incidentMessage, summaryMessage])

export type IssueMessage = z.output<typeof issueMessage>
export type IncidentMessage = z.output<typeof incidentMessage>
export type SingleMessage = z.output<typeof single>
export type SummaryMessage = z.output<typeof summaryMessage>
export type StoredMessage = z.output<typeof storedMessage>

/** Null for a message that this version cannot read. */
export function parseStoredMessage(given: unknown): StoredMessage | null {
  const read = storedMessage.safeParse(given)
  return read.success ? read.data : null
}

export const readStoredMessage = (text: string): StoredMessage | null => parseStoredMessage(jsonOf(text))

/** Equal for all messages about one issue or incident. */
export const subjectKeyOf = (message: SingleMessage): string =>
  message.kind === 'issue' ? `issue/${message.issueId}` : `incident/${message.incidentId}`

/** The last message about a subject: a pager closes its alert. */
export const isEnd = ({ type }: StoredMessage): boolean => type === 'issue.resolved' || type === 'incident.closed'

/**
 * Fatal errors and critical incidents go out immediately as separate messages, never in a summary. An escalating issue was reported
 * before, and thousands escalate together when traffic doubles.
 */
export const standsAlone = ({ type, severity }: StoredMessage): boolean =>
  severity === 'critical' && type !== 'issue.escalating' && type !== 'summary'

/** All messages that one stands for. */
export const partsOfMessage = (message: SingleMessage): SingleMessage[] =>
  message.kind === 'issue' ? takeApart(message) : [message]

export const maxItems = maxNamed
const severities = severity.options

/** Several messages of one target as one. `deploy` is the one that all of them follow. */
export function summarize(given: readonly SingleMessage[], at: number, deploy = ''): SummaryMessage {
  const messages = given.flatMap(message => (message.kind === 'issue' ? takeApart(message) : [message]))
  const uncounted: Record<string, number> = {}
  for (const message of given)
    if (message.kind === 'issue' && message.more)
      uncounted[message.type] = (uncounted[message.type] ?? 0) + message.more
  const { named, rest } = splitNamed(messages, uncounted)
  const count = messages.length + countOf(uncounted)
  const projects = new Set(messages.map(({ projectId }) => projectId))
  const worst = Math.max(...messages.map(message => severities.indexOf(message.severity)))
  return {
    kind: 'summary',
    type: 'summary',
    ruleId: messages[0]?.ruleId ?? null,
    projectId: projects.size === 1 ? (messages[0]?.projectId ?? null) : null,
    items: named,
    more: countOf(rest),
    rest,
    at,
    severity: severities[worst] ?? 'info',
    reason:
      deploy === '' ? `${formatWhole(count)} alerts in one message` : `${count} more after the deploy of ${deploy}`,
  }
}

/** Adds messages that were not read, so their types are unknown. */
export const withMore = (summary: SummaryMessage, count: number): SummaryMessage =>
  count === 0
    ? summary
    : { ...summary, more: summary.more + count, rest: { ...summary.rest, other: (summary.rest?.other ?? 0) + count } }

/** The kinds and numbers of what a summary does not list. */
export const restOf = ({ items, more, rest }: Pick<SummaryMessage, 'items' | 'more' | 'rest'>): Counts =>
  rest ?? (more > 0 ? { [items.every(({ type }) => type === 'issue.new') ? 'issue.new' : 'other']: more } : {})

/** A cascade as the messages that it was gathered from. */
const takeApart = ({ cause: _, others = [], more: __, ...first }: IssueMessage): SingleMessage[] => [first, ...others]

/** What is left of a message without these subjects; null if nothing is. */
export function leaveOut(message: SingleMessage, subjects: ReadonlySet<string>): SingleMessage | null {
  if (message.kind === 'incident') return subjects.has(subjectKeyOf(message)) ? null : message
  const [first, ...others] = takeApart(message).filter(each => !subjects.has(subjectKeyOf(each)))
  if (first?.kind !== 'issue') return null
  if (others.length === (message.others?.length ?? 0)) return message
  const { cause, more } = message
  return { ...first, cause, more, others: others.filter(each => each.kind === 'issue') }
}
