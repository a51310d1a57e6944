import { z } from 'zod'
import type { AlertMessage } from '#domain/channels/message.ts'
import { withoutLinks } from '#domain/channels/text.ts'
import { hostOfUrl, partsOf, urlText } from './fields.ts'
import { defineKind, postJson } from './kind.ts'

/** Teams takes 28 kB by its documentation and less in practice. */
const maxBytes = 20_000

export const teams = defineKind({
  id: 'teams',
  label: 'Microsoft Teams',
  summary: 'A workflow of Teams that starts when a webhook request is received.',
  note: 'Teams answers 202 before the workflow runs, also if it fails later. Check that the message shows up.',
  fields: [
    {
      name: 'url',
      label: 'Workflow URL',
      placeholder: 'https://….logic.azure.com/workflows/…',
      help: 'In Teams: Workflows, “Post to a channel when a webhook request is received”. The URL is the secret; paste it whole.',
      isSecret: true,
    },
  ],
  sample: { url: 'https://logic.azure.com/' },
  schema: z.object({ url: urlText }),
  target: ({ url }) => hostOfUrl(url),
  render: (message, { url }) => postJson(url, fitCard(message)),
})

const textBlock = (text: string, more: object = {}) => ({
  type: 'TextBlock',
  text: withoutLinks(text),
  wrap: true,
  ...more,
})
const colors = { critical: 'Attention', warning: 'Warning', info: 'Accent' } as const

/** Leaves out parts of the body from the end until it fits. */
function fitCard(message: AlertMessage) {
  const body = bodyOf(message)
  for (;;) {
    const card = cardOf(message, body)
    if (body.length <= 1 || Buffer.byteLength(JSON.stringify(card)) < maxBytes) return card
    body.pop()
  }
}

function bodyOf(message: AlertMessage): object[] {
  const parts = partsOf(message)
  const color = message.action === 'close' ? 'Good' : colors[message.severity]
  return [
    textBlock(parts.title, { weight: 'Bolder', size: 'Medium', style: 'heading', color }),
    ...[parts.reason, parts.detail].filter(Boolean).map(text => textBlock(text)),
    ...(parts.culprit === '' ? [] : [textBlock(parts.culprit, { fontType: 'Monospace', size: 'Small' })]),
    ...(parts.facts.length === 0
      ? []
      : [
          {
            type: 'FactSet',
            facts: parts.facts.map(({ label, value }) => ({ title: withoutLinks(label), value: withoutLinks(value) })),
          },
        ]),
    ...parts.items.map(({ title, url }) => textBlock('', { text: `- [${title.replaceAll(/[[\]]/g, '')}](${url})` })),
    ...parts.rest.map(text => textBlock(text)),
    textBlock([parts.place, parts.rule?.name ?? ''].filter(Boolean).join(' · ') || 'Hydrant', {
      isSubtle: true,
      size: 'Small',
    }),
  ]
}

function cardOf(message: AlertMessage, body: readonly object[]) {
  const { title, links } = partsOf(message)
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: title,
          body,
          actions: links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
        },
      },
    ],
  }
}
