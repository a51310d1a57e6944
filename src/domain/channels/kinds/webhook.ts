import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { AlertMessage } from '#domain/channels/message.ts'
import { hostOfUrl, partsOf, urlText } from './fields.ts'
import { defineKind, postJson } from './kind.ts'

/** How long a replaced secret still signs, beside the new one. */
const overlapMs = 24 * 60 * 60_000

const secretText = z
  .string()
  .trim()
  .max(200)
  .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'Enter whsec_ and at least 24 bytes in base64, or leave it empty.')
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const webhook = defineKind({
  id: 'webhook',
  label: 'Webhook',
  summary: 'A signed POST of JSON to your own server, by the rules of Standard Webhooks.',
  note: 'Your server answered. Every attempt has the same webhook-id, so that a repeated one can be ignored.',
  fields: [
    { name: 'url', label: 'URL', placeholder: 'https://example.com/hooks/hydrant' },
    {
      name: 'secret',
      label: 'Signing secret',
      placeholder: 'whsec_…',
      help: 'Leave it empty to have one generated. It is shown once.',
      isSecret: true,
      isOptional: true,
    },
  ],
  generate: ({ secret = '' }) => (secret.trim() === '' ? { secret: newSecret() } : {}),
  rotate: ({ secret = '' }, now) => ({
    secret: newSecret(),
    previousSecret: secret,
    previousUntil: String(now + overlapMs),
  }),
  sample: { secret: `whsec_${'0'.repeat(32)}` },
  schema: z.object({
    url: urlText,
    secret: secretText,
    previousSecret: secretText.or(z.literal('')).default(''),
    previousUntil: z.string().regex(/^\d*$/).default(''),
  }),
  target: ({ url }) => hostOfUrl(url),
  render: (message, { url, secret, previousSecret, previousUntil }, { now }) => {
    const request = postJson(url, bodyOf(message))
    const timestamp = Math.floor(now / 1_000)
    const secrets = previousSecret !== '' && now < Number(previousUntil) ? [secret, previousSecret] : [secret]
    return {
      ...request,
      headers: {
        ...request.headers,
        'webhook-id': message.id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': secrets.map(each => sign(each, `${message.id}.${timestamp}.${request.body}`)).join(' '),
      },
    }
  },
})

const sign = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(content)
    .digest('base64')}`

const iso = (at: number): string => new Date(at).toISOString()

function bodyOf(message: AlertMessage) {
  const parts = partsOf(message)
  const { issue } = parts
  const { rule, project } = message
  return {
    id: message.id,
    type: message.type,
    timestamp: iso(message.at),
    data: {
      organization: message.organization.slug,
      project: project && { id: project.id, slug: project.slug },
      title: parts.title,
      text: parts.body,
      culprit: parts.culprit,
      severity: message.severity,
      action: message.action,
      subject: parts.subject,
      url: parts.links[0]?.url ?? '',
      issue: issue && {
        id: issue.id,
        short_id: issue.shortId,
        title: issue.title,
        level: issue.level,
        url: parts.links[0]?.url ?? '',
        first_seen: iso(issue.firstSeen),
        events: issue.events,
        users: issue.users,
        release: issue.release,
        environment: issue.environment,
        route: issue.route,
      },
      reason: {
        rule: rule && { id: rule.id, name: parts.rule?.name ?? '' },
        trigger: message.type,
        text: parts.reason,
      },
      facts: parts.facts,
      items: parts.items,
      more: parts.more,
      rest: message.rest ?? [],
      is_test: message.kind === 'test',
    },
  }
}
