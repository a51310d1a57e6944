import { z } from 'zod'
import type { AlertMessage } from '#domain/channels/message.ts'
import { escapeHtml, linesWithin, withoutMentions } from '#domain/channels/text.ts'
import { isObject, jsonObjectOf, numberOf, textOf } from '#lib/json-value.ts'
import { partsOf, withItems } from './fields.ts'
import { defineKind, postJson, type Verdict } from './kind.ts'

/** Telegram: 4,096 characters, markup included to be sure. */
const maxChars = 4_000
/** Title, links and place need the rest. */
const maxListed = 2_800

export const telegram = defineKind({
  id: 'telegram',
  label: 'Telegram',
  summary: 'A bot that writes to a chat, group or channel.',
  note: 'Telegram answers once the message is in the chat.',
  fields: [
    { name: 'token', label: 'Bot token', placeholder: '123456:ABC…', help: 'From @BotFather.', isSecret: true },
    { name: 'chat', label: 'Chat ID', placeholder: '-1001234567890 or @channel', help: 'The bot must be in the chat.' },
    { name: 'topic', label: 'Topic ID', help: 'Of a group with topics.', isOptional: true },
  ],
  sample: { token: '0:sample' },
  schema: z.object({
    token: z
      .string()
      .trim()
      .max(100)
      .regex(/^\d+:[\w-]+$/, 'Enter the token that BotFather printed: digits, a colon, letters.'),
    chat: z
      .string()
      .trim()
      .max(64)
      .regex(/^-?\d+$|^@\w+$/, 'Enter a number such as -1001234567890, or @name of a public channel.'),
    topic: z.string().trim().max(20).regex(/^\d*$/, 'Enter a number.').default(''),
  }),
  target: ({ chat }) => `chat ${chat}`,
  render: (message, { token, chat, topic }) =>
    postJson(`https://api.telegram.org/bot${token}/sendMessage`, {
      chat_id: chat,
      ...(topic === '' ? {} : { message_thread_id: Number(topic) }),
      text: textOfMessage(message),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    }),
  judge: ({ status, body }) => judge(status, body),
})

/** Telegram links and notifies whoever the text names. */
const safe = (text: string): string => escapeHtml(withoutMentions(text))
const link = (text: string, url: string): string => `<a href="${escapeHtml(url)}">${safe(text)}</a>`

function textOfMessage(message: AlertMessage): string {
  const parts = partsOf(message)
  const [main] = parts.links
  return linesWithin(
    [
      `<b>${main === undefined ? safe(parts.title) : link(parts.title, main.url)}</b>`,
      ...withItems(
        [
          safe(parts.reason),
          safe(parts.detail),
          parts.culprit === '' ? '' : `<code>${safe(parts.culprit)}</code>`,
          ...parts.facts.map(({ label, value }) => `${safe(label)}: ${safe(value)}`),
        ],
        parts,
        ({ title, url }) => `• ${link(title, url)}`,
        maxListed,
      ),
      parts.links
        .slice(1)
        .map(({ label, url }) => link(label, url))
        .join(' · '),
      safe([parts.place, parts.rule?.name ?? ''].filter(Boolean).join(' · ')),
    ],
    maxChars,
  )
}

function judge(status: number, text: string): Verdict | null {
  const { description, parameters } = jsonObjectOf(text)
  const given = isObject(parameters) ? parameters : {}
  // A group became a supergroup and has another id.
  const chat = textOf(given.migrate_to_chat_id)
  if (status === 400 && /^-?\d+$/.test(chat)) return { outcome: 'retry', retryAfterMs: 0, changes: { chat } }
  const seconds = numberOf(given.retry_after)
  if (status === 429 && seconds !== undefined) return { outcome: 'retry', retryAfterMs: seconds * 1_000 }
  const isGone = /blocked|kicked|chat not found|deactivated|not enough rights|unauthorized/i.test(textOf(description))
  return status >= 400 && status < 500 && status !== 429 && isGone ? { outcome: 'gone' } : null
}
