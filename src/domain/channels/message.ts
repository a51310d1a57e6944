export type AlertSeverity = 'info' | 'warning' | 'critical'
export type AlertLink = { label: string; url: string }

/** What a channel shows. Built at send time from ids; the reason was frozen when the rule matched. Plain text throughout: channels escape. */
export type AlertMessage = {
  /** Stable: the id of the outbox row. A repeated send has the same. */
  id: string
  kind: 'issue' | 'incident' | 'summary' | 'test' | 'operator'
  /** `issue.new`, `issue.regressed`, `issue.escalating`, `issue.resolved`, `issue.frequent`, `incident.opened`, `incident.worsened`, `incident.improved`, `incident.closed`, `summary`, `test`. */
  type: string
  /** Equal for all messages about one issue or incident: thread, dedup key. `issue/42`, `incident/981`. */
  subjectKey: string
  /** Whether a pager opens, acknowledges or closes its alert; `none` opens one too. */
  action: 'open' | 'acknowledge' | 'close' | 'none'
  /** The unique dedup key of the alert at a pager. Absent where nothing is sent, as in a preview. */
  pageKey?: string
  severity: AlertSeverity
  at: number
  organization: { slug: string; name: string }
  project: { id: number; slug: string } | null
  /** "New: TypeError in /items/[id]" */
  title: string
  /** "first seen in web@1.4.2, 3 minutes after its deploy" */
  reason: string
  body: string
  culprit: string
  facts: readonly { label: string; value: string }[]
  /** The first is the main link. Resolve, archive and assign links open a confirmation. */
  links: readonly AlertLink[]
  rule: { id: number; name: string; url: string } | null
  issue: {
    id: number
    shortId: string
    title: string
    level: string
    firstSeen: number
    events: number
    users: number
    release: string
    environment: string
    route: string
  } | null
  /** Of a summary or a cascade: the messages it also stands for, at most 20, and how many more there are. */
  items: readonly MessageItem[]
  more: number
  /** A line for each kind of these: `1,676 issues resolved`. */
  rest?: readonly string[]
}

/** `projectId` is null for what belongs to the whole organization. */
export type MessageItem = { title: string; url: string; projectId: number | null }

/** Of which projects it tells. */
export const projectsIn = ({ project, items }: AlertMessage): number[] => [
  ...new Set([project?.id ?? null, ...items.map(({ projectId }) => projectId)].filter(id => id !== null)),
]

/** The part for somebody who does not see all projects; null if nothing is left. */
export function partFor(message: AlertMessage, sees: (projectId: number) => boolean): AlertMessage | null {
  if (projectsIn(message).every(sees)) return message
  const items = message.items.filter(({ projectId }) => projectId === null || sees(projectId))
  if (message.kind === 'issue' && message.project !== null && sees(message.project.id))
    return { ...message, items, more: 0, rest: [] }
  if (message.kind !== 'summary' || items.length === 0) return null
  // How many more there are would count what is hidden.
  const others = items.length - 1
  const title = `${items[0]?.title}${others === 0 ? '' : `, and ${others} more ${others === 1 ? 'alert' : 'alerts'}`}`
  return { ...message, project: null, title, items, more: 0, rest: [] }
}
