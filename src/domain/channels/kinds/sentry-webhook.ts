import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { AlertMessage } from '#domain/channels/message.ts'
import { hostOfUrl, type MessageParts, partsOf, urlText } from './fields.ts'
import { defineKind, postJson } from './kind.ts'

const newSecret = (): string => randomBytes(32).toString('hex')

export const sentryWebhook = defineKind({
  id: 'sentry-webhook',
  label: 'Sentry webhook',
  summary: 'The requests of a Sentry integration, for incident tools that understand those.',
  note: 'The server answered. It can check Sentry-Hook-Signature with the client secret.',
  fields: [
    { name: 'url', label: 'URL', placeholder: 'https://example.com/sentry/webhook' },
    {
      name: 'secret',
      label: 'Client secret',
      help: 'Leave it empty to have one generated. It is shown once.',
      isSecret: true,
      isOptional: true,
    },
  ],
  generate: ({ secret = '' }) => (secret.trim() === '' ? { secret: newSecret() } : {}),
  rotate: () => ({ secret: newSecret() }),
  sample: { secret: '0'.repeat(32) },
  schema: z.object({
    url: urlText,
    secret: z
      .string()
      .trim()
      .min(16, 'Use at least 16 characters, or leave it empty.')
      .max(200, 'Use at most 200 characters.'),
  }),
  target: ({ url }) => hostOfUrl(url),
  render: (message, { url, secret }, { now }) => {
    const { resource, action, data } = payloadOf(message)
    const request = postJson(url, {
      action,
      actor: { type: 'application', id: 'hydrant', name: 'Hydrant' },
      installation: { uuid: message.id },
      data,
    })
    return {
      ...request,
      headers: {
        ...request.headers,
        'request-id': message.id,
        'sentry-hook-resource': resource,
        'sentry-hook-timestamp': String(Math.floor(now / 1_000)),
        'sentry-hook-signature': createHmac('sha256', secret).update(request.body).digest('hex'),
      },
    }
  },
})

/** Rules are event alerts, resolved issues are changes of issues, and incidents are metric alerts. */
function payloadOf(message: AlertMessage) {
  const parts = partsOf(message)
  if (message.kind === 'incident') {
    const action = message.action === 'close' ? 'resolved' : message.severity === 'critical' ? 'critical' : 'warning'
    return { resource: 'metric_alert', action, data: incidentData(message, parts) }
  }
  if (parts.issue !== null && message.action === 'close')
    return { resource: 'issue', action: 'resolved', data: { issue: issueOf(message, parts.issue, parts) } }
  return { resource: 'event_alert', action: 'triggered', data: eventData(message, parts) }
}

const iso = (at: number): string => new Date(at).toISOString()
const tag = (key: string, value: string): [string, string][] => (value === '' ? [] : [[key, value]])

function eventData(message: AlertMessage, parts: MessageParts) {
  const { issue } = parts
  const { project } = message
  const url = parts.links[0]?.url ?? ''
  return {
    event: {
      title: issue === null ? parts.title : issue.title,
      message: parts.reason,
      culprit: parts.culprit,
      level: issue?.level ?? (message.severity === 'critical' ? 'error' : message.severity),
      datetime: iso(message.at),
      timestamp: message.at / 1_000,
      project: project?.id ?? 0,
      release: issue?.release || null,
      environment: issue?.environment || null,
      tags: [
        ...tag('environment', issue?.environment ?? ''),
        ...tag('release', issue?.release ?? ''),
        ...tag('transaction', issue?.route ?? ''),
      ],
      issue_id: issue === null ? null : String(issue.id),
      issue_url: url,
      url,
      web_url: url,
    },
    triggered_rule: parts.rule?.name ?? parts.title,
    ...(message.rule === null ? {} : { issue_alert: { title: parts.rule?.name ?? '', settings: [] } }),
  }
}

function issueOf(message: AlertMessage, issue: NonNullable<AlertMessage['issue']>, parts: MessageParts) {
  const { project } = message
  return {
    id: String(issue.id),
    shortId: issue.shortId,
    title: issue.title,
    culprit: parts.culprit,
    level: issue.level,
    status: 'resolved',
    substatus: null,
    project: { id: String(project?.id ?? ''), slug: project?.slug ?? '', name: project?.slug ?? '' },
    firstSeen: iso(issue.firstSeen),
    lastSeen: iso(message.at),
    count: String(issue.events),
    userCount: issue.users,
    web_url: parts.links[0]?.url ?? '',
  }
}

function incidentData(message: AlertMessage, parts: MessageParts) {
  return {
    description_title: parts.title,
    description_text: [parts.reason, parts.body].filter(Boolean).join('\n'),
    web_url: parts.links[0]?.url ?? '',
    metric_alert: {
      id: parts.subject,
      identifier: parts.subject,
      title: parts.title,
      status: message.action === 'close' ? 2 : 20,
      date_started: iso(message.at),
      organization_id: message.organization.slug,
      projects: message.project === null ? [] : [message.project.slug],
      alert_rule: { id: String(message.rule?.id ?? ''), name: parts.rule?.name ?? parts.title },
    },
  }
}
