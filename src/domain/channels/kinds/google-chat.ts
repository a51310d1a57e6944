import { z } from 'zod'
import type { AlertMessage } from '#domain/channels/message.ts'
import { escapeHtml } from '#domain/channels/text.ts'
import { clipText } from '#lib/text.ts'
import { hostOfUrl, partsOf, urlText } from './fields.ts'
import { defineKind, postJson } from './kind.ts'

/** Google Chat: 32,000 bytes per message. */
const maxBytes = 20_000

export const googleChat = defineKind({
  id: 'google-chat',
  label: 'Google Chat',
  summary: 'A webhook of a space. Messages about one issue share a thread.',
  note: 'Google Chat answers once the message is in the space.',
  fields: [
    {
      name: 'url',
      label: 'Webhook URL',
      placeholder: 'https://chat.googleapis.com/v1/spaces/…',
      help: 'In Google Chat: the space’s menu, Apps & integrations, Webhooks.',
      isSecret: true,
    },
  ],
  sample: { url: 'https://chat.googleapis.com/' },
  schema: z.object({ url: urlText }),
  target: ({ url }) => hostOfUrl(url),
  render: (message, { url }) => {
    const target = new URL(url)
    target.searchParams.set('threadKey', clipText(partsOf(message).subject, 200))
    target.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
    return postJson(target.href, fitCard(message))
  },
})

/** Only a card, no `text`: mentions work only there. */
function fitCard(message: AlertMessage) {
  const parts = partsOf(message)
  const widgets: object[] = [
    ...[parts.reason, parts.detail, parts.culprit]
      .filter(Boolean)
      .map(text => ({ textParagraph: { text: escapeHtml(text) } })),
    ...parts.facts.map(({ label, value }) => ({
      decoratedText: { topLabel: label, text: escapeHtml(value), wrapText: true },
    })),
    ...parts.items.map(({ title, url }) => ({
      textParagraph: { text: `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>` },
    })),
    ...parts.rest.map(text => ({ textParagraph: { text: escapeHtml(text) } })),
  ]
  const buttons =
    parts.links.length === 0
      ? []
      : [
          {
            buttonList: {
              buttons: parts.links.map(({ label, url }) => ({ text: label, onClick: { openLink: { url } } })),
            },
          },
        ]
  for (;;) {
    const body = {
      cardsV2: [
        {
          cardId: message.id,
          card: {
            header: { title: parts.title, subtitle: [parts.place, parts.rule?.name ?? ''].filter(Boolean).join(' · ') },
            sections: [
              { widgets: [...widgets, ...buttons].length === 0 ? [{ divider: {} }] : [...widgets, ...buttons] },
            ],
          },
        },
      ],
    }
    if (widgets.length === 0 || Buffer.byteLength(JSON.stringify(body)) < maxBytes) return body
    widgets.pop()
  }
}
