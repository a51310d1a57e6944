import { z } from 'zod'
import type { AlertMessage } from '#domain/channels/message.ts'
import {
  escapeMarkup,
  escapeWithin,
  lineOf,
  linesWithin,
  withoutLinks,
  withoutMentions,
} from '#domain/channels/text.ts'
import { colorOf, hostOfUrl, type MessageParts, partsOf, urlText, withItems } from './fields.ts'
import { defineKind, postJson } from './kind.ts'

/** Slack: at most 50 blocks, a header of 150 characters, 3,000 per section, 10 fields of 2,000. A total near 13,200 is refused. */
const limits = { header: 150, section: 2_900, field: 500, fields: 8 }

export const slack = defineKind({
  id: 'slack',
  label: 'Slack',
  summary: 'An incoming webhook of Slack. Mattermost and Rocket.Chat take the same requests.',
  note: 'Slack answers “ok” once it has queued the message. Check that it shows up in the channel.',
  fields: [
    {
      name: 'url',
      label: 'Webhook URL',
      placeholder: 'https://hooks.slack.com/services/…',
      help: 'In Slack: Apps, Incoming Webhooks, Add to Slack.',
      isSecret: true,
    },
    {
      name: 'format',
      label: 'Service',
      value: 'slack',
      choices: [
        { value: 'slack', label: 'Slack' },
        { value: 'mattermost', label: 'Mattermost or Rocket.Chat' },
      ],
    },
  ],
  sample: { url: 'https://hooks.slack.com/' },
  schema: z.object({ url: urlText, format: z.enum(['slack', 'mattermost']).default('slack') }),
  target: ({ url }) => hostOfUrl(url),
  render: (message, { url, format }) =>
    postJson(url, format === 'slack' ? slackBody(message) : mattermostBody(message)),
  judge: ({ status, body }) =>
    status === 400 && /invalid_token|no_team|no_service|user_not_found/.test(body) ? { outcome: 'gone' } : null,
})

const mark = (text: string, max: number): string => escapeWithin(text, max, escapeMarkup)
/** `verbatim`: names and URLs in the text stay text. */
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })
const link = (text: string, url: string) => `<${mark(url, 2_000)}|${mark(text.replaceAll('|', '¦'), 200)}>`
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })

function slackBody(message: AlertMessage) {
  const parts = partsOf(message)
  const blocks = [
    { type: 'header', text: plain(lineOf(parts.title, limits.header)) },
    ...section(describe(parts)),
    ...fields(parts),
    ...section(withItems([], parts, ({ title, url }) => `• ${link(title, url)}`, limits.section)),
    ...(parts.links.length === 0
      ? []
      : [
          {
            type: 'actions',
            elements: parts.links.map(({ label, url }, index) => ({
              type: 'button',
              action_id: `link-${index}`,
              text: plain(lineOf(label, 75)),
              url,
              ...(index === 0 ? { style: 'primary' } : {}),
            })),
          },
        ]),
    { type: 'context', elements: [mrkdwn(footer(parts))] },
  ]
  return {
    // What the phone shows; there is no markup in it that could ping.
    text: mark(`${parts.title}${parts.reason === '' ? '' : `: ${parts.reason}`}`, 400),
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    attachments: [{ color: colorOf(message), blocks }],
  }
}

function describe({ reason, detail, culprit }: MessageParts): string[] {
  return [
    mark(reason, 400),
    mark(detail, 1_200),
    culprit === '' ? '' : `\`${mark(culprit.replaceAll('`', "'"), 300)}\``,
  ]
}

function section(lines: readonly string[]) {
  const text = linesWithin(lines, limits.section)
  return text === '' ? [] : [{ type: 'section', text: mrkdwn(text) }]
}

function fields({ facts }: MessageParts) {
  if (facts.length === 0) return []
  return [
    {
      type: 'section',
      fields: facts
        .slice(0, limits.fields)
        .map(({ label, value }) => mrkdwn(`*${mark(label, 80)}*\n${mark(value, limits.field)}`)),
    },
  ]
}

function footer({ place, rule }: MessageParts): string {
  const name = rule && `Rule ${rule.url === '' ? mark(rule.name, 200) : link(rule.name, rule.url)}`
  return [mark(place, 200), name].filter(Boolean).join(' · ') || 'Hydrant'
}

const maxAttachment = 7_000

/** Mattermost and Rocket.Chat know attachments only, and ping whoever the text names. */
function mattermostBody(message: AlertMessage) {
  const parts = partsOf(message)
  const safe = (text: string) =>
    withoutLinks(withoutMentions(text)).replaceAll(/[<>]/g, char => (char === '<' ? '‹' : '›'))
  return {
    username: 'Hydrant',
    attachments: [
      {
        fallback: safe(parts.title),
        color: colorOf(message),
        title: safe(parts.title),
        title_link: parts.links[0]?.url ?? '',
        text: linesWithin(
          withItems(
            [safe(parts.reason), safe(parts.detail), safe(parts.culprit)],
            parts,
            ({ title, url }) => `- [${safe(title).replaceAll(/[[\]]/g, '')}](${url})`,
            maxAttachment,
          ),
          maxAttachment,
        ),
        fields: parts.facts.map(({ label, value }) => ({ title: safe(label), value: safe(value), short: true })),
        footer: safe([parts.place, parts.rule?.name ?? ''].filter(Boolean).join(' · ')),
      },
    ],
  }
}
