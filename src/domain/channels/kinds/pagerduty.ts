import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { AlertMessage } from '#domain/channels/message.ts'
import { clipBytes } from '#domain/channels/text.ts'
import { hostOfUrl, partsOf, urlText } from './fields.ts'
import { defineKind, postJson } from './kind.ts'

/** PagerDuty: summary 1,024 characters, dedup key 255, 512 kB in all. */
const limits = { summary: 1_024, dedupKey: 255 }
const hosts = { us: 'events.pagerduty.com', eu: 'events.eu.pagerduty.com' } as const

export const pagerduty = defineKind({
  id: 'pagerduty',
  label: 'PagerDuty',
  summary:
    'A service of PagerDuty. An alert is resolved there when its issue or incident ends, or its rule or channel.',
  note: 'PagerDuty answers once it has queued the event. A test opens an alert of severity info and resolves it.',
  fields: [
    {
      name: 'routingKey',
      label: 'Integration key',
      help: 'In PagerDuty: Service, Integrations, Events API v2. 32 characters.',
      isSecret: true,
    },
    {
      name: 'region',
      label: 'Region',
      value: 'us',
      choices: [
        { value: 'us', label: 'United States' },
        { value: 'eu', label: 'Europe' },
      ],
    },
    {
      name: 'url',
      label: 'Events URL',
      placeholder: 'https://events.pagerduty.com/v2/enqueue',
      help: 'Of another service that takes the events of PagerDuty. Leave it empty for PagerDuty.',
      isOptional: true,
    },
  ],
  isPager: true,
  sample: { routingKey: '0'.repeat(32) },
  schema: z.object({
    routingKey: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9]{32}$/, 'Enter the integration key: 32 letters and digits.'),
    region: z.enum(['us', 'eu']).default('us'),
    url: urlText.or(z.literal('')).default(''),
  }),
  target: ({ region, url }) =>
    url !== '' ? hostOfUrl(url) : region === 'eu' ? 'European service, closes by itself' : 'closes by itself',
  render: (message, { routingKey, region, url }, { publicUrl }) =>
    postJson(url || `https://${hosts[region]}/v2/enqueue`, {
      routing_key: routingKey,
      dedup_key: dedupKeyOf(message),
      ...(message.action === 'close'
        ? { event_action: 'resolve' }
        : message.action === 'acknowledge'
          ? { event_action: 'acknowledge' }
          : triggerOf(message, publicUrl)),
    }),
  judge: ({ status, body }) => (status === 400 && /routing.?key/i.test(body) ? { outcome: 'gone' } : null),
})

/** All events of a page have the same, and no other page ever had it: PagerDuty adds what comes with a known key to the alert that has it. */
function dedupKeyOf(message: AlertMessage): string {
  const key = message.pageKey ?? `hydrant/${message.organization.slug}/${partsOf(message).subject}`
  return Buffer.byteLength(key) <= limits.dedupKey ? key : `hydrant/${createHash('sha256').update(key).digest('hex')}`
}

function triggerOf(message: AlertMessage, publicUrl: string) {
  const parts = partsOf(message)
  return {
    event_action: 'trigger',
    client: 'Hydrant',
    client_url: parts.links[0]?.url ?? publicUrl,
    links: [...parts.links, ...parts.items.map(({ title, url }) => ({ label: title, url }))].map(({ label, url }) => ({
      href: url,
      text: label,
    })),
    payload: {
      summary: clipBytes([parts.title, parts.reason].filter(Boolean).join(': '), limits.summary),
      source: parts.place || 'Hydrant',
      severity: message.severity,
      timestamp: new Date(message.at).toISOString(),
      ...(parts.culprit === '' ? {} : { component: parts.culprit }),
      group: message.project?.slug ?? message.organization.slug,
      class: message.type,
      custom_details: {
        ...Object.fromEntries(parts.facts.map(({ label, value }) => [label, value])),
        ...(parts.rule === null ? {} : { rule: parts.rule.name }),
        ...(parts.body === '' ? {} : { body: parts.body }),
        id: message.id,
      },
    },
  }
}
