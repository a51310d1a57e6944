import { z } from 'zod'
import type { AlertMessage } from '#domain/channels/message.ts'
import { escapeWithin, lineOf, linesWithin } from '#domain/channels/text.ts'
import { jsonObjectOf, numberOf } from '#lib/json-value.ts'
import { colorOf, hostOfUrl, partsOf, urlText, withItems } from './fields.ts'
import { defineKind, postJson } from './kind.ts'

/** Discord: title 256, description 4,096, 25 fields of 256 and 1,024, footer 2,048, 6,000 characters in all. */
/** Links need the rest of the description. */
const maxListed = 2_500
const limits = { title: 256, description: 3_000, fields: 8, name: 100, value: 200, footer: 300 }

export const discord = defineKind({
  id: 'discord',
  label: 'Discord',
  summary: 'A webhook of a Discord channel.',
  note: 'Discord answers once the message is in the channel.',
  fields: [
    {
      name: 'url',
      label: 'Webhook URL',
      placeholder: 'https://discord.com/api/webhooks/…',
      help: 'In Discord: Edit channel, Integrations, Webhooks, Copy webhook URL.',
      isSecret: true,
    },
  ],
  sample: { url: 'https://discord.com/' },
  schema: z.object({ url: urlText }),
  target: ({ url }) => hostOfUrl(url),
  render: (message, { url }) => {
    const target = new URL(url)
    target.searchParams.set('wait', 'true')
    return postJson(target.href, bodyOf(message))
  },
  judge: ({ status, body }) => {
    if (status !== 429) return null
    const seconds = numberOf(jsonObjectOf(body).retry_after)
    return { outcome: 'retry', ...(seconds === undefined ? {} : { retryAfterMs: Math.ceil(seconds * 1_000) }) }
  },
})

const special = new Set('\\*_~`>|[]()<#@:-'.split(''))
/** Markdown, links and mentions read as they are. */
const escapeChar = (char: string): string => (special.has(char) ? `\\${char}` : char)
const safe = (text: string, max: number): string => escapeWithin(text, max, escapeChar)

function bodyOf(message: AlertMessage) {
  const parts = partsOf(message)
  const [main] = parts.links
  const further = parts.links.slice(1).map(({ label, url }) => `[${safe(label, 60)}](${url})`)
  const lines = [safe(parts.reason, 300), safe(parts.detail, 1_200), safe(parts.culprit, 300)]
  const listed = withItems(lines, parts, ({ title, url }) => `• [${safe(title, 200)}](${url})`, maxListed)
  return {
    username: 'Hydrant',
    // Nothing in the text pings anyone.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        // Titles have no Markdown but show escapes.
        title: lineOf(parts.title, limits.title),
        ...(main === undefined ? {} : { url: main.url }),
        color: Number.parseInt(colorOf(message).slice(1), 16),
        timestamp: new Date(message.at).toISOString(),
        description: linesWithin([...listed, further.join(' · ')], limits.description),
        fields: parts.facts.slice(0, limits.fields).map(({ label, value }) => ({
          name: safe(label, limits.name),
          value: safe(value, limits.value),
          inline: true,
        })),
        footer: {
          text: lineOf([parts.place, parts.rule?.name ?? ''].filter(Boolean).join(' · ') || 'Hydrant', limits.footer),
        },
      },
    ],
  }
}
