/** `{{issue.title}}` and `{{issue.title | json}}` in the texts of an HTTP template. */
import type { AlertMessage } from '#domain/channels/message.ts'
import { partsOf } from './fields.ts'

const values = {
  id: (message: AlertMessage) => message.id,
  type: message => message.type,
  title: message => partsOf(message).title,
  reason: message => partsOf(message).reason,
  text: message => textOfMessage(message),
  body: message => partsOf(message).body,
  culprit: message => partsOf(message).culprit,
  url: message => partsOf(message).links[0]?.url ?? '',
  severity: message => message.severity,
  action: message => message.action,
  subject: message => partsOf(message).subject,
  at: message => new Date(message.at).toISOString(),
  organization: message => message.organization.slug,
  project: message => message.project?.slug ?? '',
  rule: message => partsOf(message).rule?.name ?? '',
  'issue.id': message => String(message.issue?.id ?? ''),
  'issue.short_id': message => message.issue?.shortId ?? '',
  'issue.title': message => partsOf(message).issue?.title ?? '',
  'issue.level': message => partsOf(message).issue?.level ?? '',
  'issue.events': message => String(message.issue?.events ?? ''),
  'issue.users': message => String(message.issue?.users ?? ''),
  'issue.release': message => partsOf(message).issue?.release ?? '',
  'issue.environment': message => partsOf(message).issue?.environment ?? '',
  'issue.route': message => partsOf(message).issue?.route ?? '',
} as const satisfies Record<string, (message: AlertMessage) => string>

export const templateNames = Object.keys(values)

export const templateValues = (message: AlertMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, read]) => [name, read(message)]))

/** Everything in one text. */
function textOfMessage(message: AlertMessage): string {
  const parts = partsOf(message)
  return [
    [parts.title, parts.reason].filter(Boolean).join(': '),
    parts.body,
    ...parts.facts.map(({ label, value }) => `${label}: ${value}`),
    ...parts.items.map(({ title }) => `• ${title}`),
    ...parts.rest,
  ]
    .filter(Boolean)
    .join('\n')
}

const placeholder = /\{\{([^{}]{0,60})\}\}/g

const readPlaceholder = (inside: string): { name: string; filter: string } => {
  const [name = '', filter = ''] = inside.split('|').map(part => part.trim())
  return { name, filter }
}

/** Replaces each placeholder once: a value that looks like one stays text. */
export const fillTemplate = (text: string, read: (name: string, isJson: boolean) => string): string =>
  text.replaceAll(placeholder, (_all, inside: string) => {
    const { name, filter } = readPlaceholder(inside)
    return read(name, filter === 'json')
  })

/** The first placeholder that has no value, in a sentence. */
export function findTemplateFault(text: string): string | null {
  for (const [, inside = ''] of text.matchAll(placeholder)) {
    const { name, filter } = readPlaceholder(inside)
    if (!Object.hasOwn(values, name)) return `There is no value {{${name}}}. Use one of the names below.`
    if (filter !== '' && filter !== 'json') return `There is no filter “${filter}”. Use json.`
  }
  return null
}
