/** A message before it is sent: ids, and the reason as it was when the rule matched. Titles and counts are read when it is sent. */
import { z } from 'zod'
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
export const incidentTypes = ['incident.opened', 'incident.worsened', 'incident.improved', 'incident.closed'] as const

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
  /** At most 20; `more` counts the others. */
  items: z.array(single),
  more: z.number(),
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

export const maxItems = 20
const severities = severity.options

/** Several messages of one target as one. `deploy` is the one that all of them follow. */
export function summarize(given: readonly SingleMessage[], at: number, deploy = ''): SummaryMessage {
  const messages = given.flatMap(message => (message.kind === 'issue' ? takeApart(message) : [message]))
  const uncounted = given.reduce((sum, message) => sum + (message.kind === 'issue' ? (message.more ?? 0) : 0), 0)
  const count = messages.length + uncounted
  const projects = new Set(messages.map(({ projectId }) => projectId))
  const worst = Math.max(...messages.map(message => severities.indexOf(message.severity)))
  return {
    kind: 'summary',
    type: 'summary',
    ruleId: messages[0]?.ruleId ?? null,
    projectId: projects.size === 1 ? (messages[0]?.projectId ?? null) : null,
    items: messages.slice(0, maxItems),
    more: Math.max(0, messages.length - maxItems) + uncounted,
    at,
    severity: severities[worst] ?? 'info',
    reason:
      deploy === ''
        ? `${count} messages were collected, so that they arrive as one`
        : `${count} more after the deploy of ${deploy}`,
  }
}

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
