import { colorOf, type MessageParts, partsOf } from '#domain/channels/kinds/fields.ts'
import type { AlertMessage } from '#domain/channels/message.ts'
import { escapeHtml, lineOf } from '#domain/channels/text.ts'
import type { Mail } from '#lib/outbound/mailer.ts'
import { anchor, button, documentOf, paragraph, quiet } from './html.ts'

type Envelope = {
  to: string
  /** Takes a POST without a session. */
  unsubscribeUrl: string
  /** The page that does it, for readers. */
  unsubscribePage: string
  publicUrl: string
}

/** A mail as text and HTML, written for clients that know tables and inline styles only. No remote images. */
export function renderMail(message: AlertMessage, { to, unsubscribeUrl, unsubscribePage, publicUrl }: Envelope): Mail {
  const parts = partsOf(message)
  const host = URL.parse(publicUrl)?.hostname ?? 'localhost'
  return {
    to,
    subject: subjectOf(message, parts),
    text: textOf(message, parts, unsubscribePage),
    html: htmlOf(message, parts, unsubscribePage),
    messageId: `${idOf(message.id)}@${host}`,
    threadId: `${idOf(message.subjectKey)}.${idOf(message.organization.slug)}@${host}`,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'X-Hydrant-Id': idOf(message.id),
      'X-Hydrant-Type': idOf(message.type),
      ...(message.project === null
        ? {}
        : {
            'List-Id': `<${[message.project.slug, message.organization.slug, host].map(idOf).join('.')}>`,
            'X-Hydrant-Project': idOf(message.project.slug),
          }),
    },
  }
}

/** The same for the life of an issue: Gmail joins mail to a thread only if the subjects are equal. The state is in the first line. */
function subjectOf({ project, issue, items }: AlertMessage, { title }: MessageParts): string {
  const place = project === null ? '' : `[${lineOf(project.slug, 50)}] `
  const isOne = issue !== null && items.length === 0
  return lineOf(`${place}${isOne ? `${issue.shortId} ${issue.title}` : title}`, 180)
}

/** What may stand before the @ of a message id. */
const idOf = (text: string): string => text.replaceAll(/[^A-Za-z0-9.-]+/g, '.').slice(0, 100)

const statusOf = ({ action, severity }: AlertMessage): string =>
  action === 'close' ? 'Resolved' : { critical: 'Critical', warning: 'Warning', info: 'For your information' }[severity]

const factsOf = (parts: MessageParts): { label: string; value: string }[] => [
  ...parts.facts,
  ...(parts.culprit === '' ? [] : [{ label: 'Where', value: parts.culprit }]),
  ...(parts.rule === null ? [] : [{ label: 'Rule', value: parts.rule.name }]),
]

function textOf(message: AlertMessage, parts: MessageParts, unsubscribePage: string): string {
  const block = (lines: readonly string[]): string => lines.filter(Boolean).join('\n')
  return [
    block([`${statusOf(message)} · ${parts.place}`, parts.title]),
    block([parts.reason, parts.detail]),
    block(factsOf(parts).map(({ label, value }) => `${label}: ${value}`)),
    block([...parts.items.map(({ title, url }) => `- ${title}\n  ${url}`), ...parts.rest]),
    block(parts.links.map(({ label, url }) => `${label}: ${url}`)),
    block([
      parts.rule === null || parts.rule.url === '' ? '' : `Change the rule: ${parts.rule.url}`,
      `Unsubscribe: ${unsubscribePage}`,
      `Message ${message.id}`,
    ]),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function htmlOf(message: AlertMessage, parts: MessageParts, unsubscribePage: string): string {
  const [main, ...further] = parts.links
  const rows = factsOf(parts).map(
    ({ label, value }) =>
      `<tr><td style="padding:7px 16px 7px 0;border-top:1px solid #e3e7ea;color:#5b6770;vertical-align:top;white-space:nowrap">${escapeHtml(label)}</td><td style="padding:7px 0;border-top:1px solid #e3e7ea;word-break:break-word">${escapeHtml(value)}</td></tr>`,
  )
  const items = parts.items.map(({ title, url }) => `<li style="margin:0 0 4px">${anchor(url, title)}</li>`)
  return documentOf(
    parts.title,
    colorOf(message),
    `<p style="margin:0 0 4px;${quiet};font-weight:600;color:${colorOf(message)}">${escapeHtml([statusOf(message), parts.place].filter(Boolean).join(' · '))}</p>
<h1 style="margin:0 0 12px;font-size:20px;line-height:28px;word-break:break-word">${escapeHtml(parts.title)}</h1>
${paragraph(parts.reason)}${paragraph(parts.detail)}
${rows.length === 0 ? '' : `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;font-size:14px;line-height:20px;border-bottom:1px solid #e3e7ea">${rows.join('')}</table>`}
${items.length === 0 ? '' : `<ul style="margin:0 0 16px;padding-left:20px">${items.join('')}</ul>`}${parts.rest.map(line => paragraph(line)).join('')}
${main === undefined ? '' : `<p style="margin:0 0 20px">${anchor(main.url, main.label, button)}${further.map(({ label, url }) => ` &nbsp; ${anchor(url, label)}`).join('')}</p>`}
<p style="margin:0;padding-top:12px;border-top:1px solid #e3e7ea;${quiet}">${parts.rule === null || parts.rule.url === '' ? '' : `${anchor(parts.rule.url, 'Change the rule')} · `}${anchor(unsubscribePage, 'Unsubscribe')} · id ${escapeHtml(message.id)}</p>`,
  )
}
