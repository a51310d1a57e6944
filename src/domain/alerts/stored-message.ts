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

const issueMessage = z.object({
  kind: z.literal('issue'),
  type: z.enum(issueTypes),
  issueId: z.number(),
  projectId: z.number(),
  ...shared,
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

const maxItems = 20
const severities = severity.options

/** Several messages of one target as one. */
export function summarize(messages: readonly SingleMessage[], at: number): SummaryMessage {
  const projects = new Set(messages.map(({ projectId }) => projectId))
  const worst = Math.max(...messages.map(message => severities.indexOf(message.severity)))
  return {
    kind: 'summary',
    type: 'summary',
    ruleId: messages[0]?.ruleId ?? null,
    projectId: projects.size === 1 ? (messages[0]?.projectId ?? null) : null,
    items: messages.slice(0, maxItems),
    more: Math.max(0, messages.length - maxItems),
    at,
    severity: severities[worst] ?? 'info',
    reason: `${messages.length} messages were collected, so that they arrive as one`,
  }
}
