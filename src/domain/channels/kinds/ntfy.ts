import { z } from 'zod'
import type { AlertMessage } from '#domain/channels/message.ts'
import { clipBytes, linesWithin } from '#domain/channels/text.ts'
import { hostOfUrl, partsOf, urlText, withItems } from './fields.ts'
import { defineKind, postJson } from './kind.ts'

/** ntfy: 4,096 bytes, above which the message becomes an attachment; three actions. */
const maxBytes = 4_000
/** The place needs the rest. */
const maxListed = 3_500
const maxActions = 3

export const ntfy = defineKind({
  id: 'ntfy',
  label: 'ntfy',
  summary: 'A topic on ntfy.sh or a server of your own.',
  note: 'ntfy answers once the message is stored. Phones that have subscribed to the topic get it.',
  fields: [
    { name: 'server', label: 'Server', value: 'https://ntfy.sh' },
    {
      name: 'topic',
      label: 'Topic',
      placeholder: 'acme-alerts',
      help: 'On ntfy.sh, whoever knows the name can read it.',
    },
    { name: 'token', label: 'Access token', placeholder: 'tk_…', isSecret: true, isOptional: true },
  ],
  sample: { token: '' },
  schema: z.object({
    server: urlText,
    topic: z
      .string()
      .trim()
      .regex(/^[\w-]{1,64}$/, 'Use 1 to 64 letters, digits, hyphens and underscores.'),
    token: z
      .string()
      .trim()
      .max(200)
      .regex(/^[\x21-\x7e]*$/, 'Enter a token without spaces.')
      .default(''),
  }),
  target: ({ server, topic }) => `${hostOfUrl(server)}/${topic}`,
  render: (message, { server, topic, token }) =>
    postJson(
      new URL(server).href,
      { topic, ...bodyOf(message) },
      token === '' ? {} : { authorization: `Bearer ${token}` },
    ),
})

const priorities = { critical: 5, warning: 4, info: 3 } as const

/** Plain text, not Markdown: then nothing in an event can be a link. */
function bodyOf(message: AlertMessage) {
  const parts = partsOf(message)
  const text = linesWithin(
    [
      ...withItems(
        [
          parts.reason,
          parts.detail,
          parts.culprit,
          ...parts.facts.map(({ label, value }) => `${label}: ${value}`),
        ].filter(Boolean),
        parts,
        ({ title }) => `• ${title}`,
        maxListed,
        Buffer.byteLength,
      ),
      parts.place,
    ],
    maxBytes,
  )
  return {
    title: clipBytes(parts.title, 250),
    message: clipBytes(text, maxBytes) || parts.title,
    priority: message.action === 'close' ? 2 : priorities[message.severity],
    tags: [
      message.action === 'close'
        ? 'white_check_mark'
        : message.severity === 'info'
          ? 'information_source'
          : 'rotating_light',
    ],
    ...(parts.links[0] === undefined ? {} : { click: parts.links[0].url }),
    actions: parts.links.slice(0, maxActions).map(({ label, url }) => ({ action: 'view', label, url })),
  }
}
