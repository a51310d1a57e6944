import { readShown } from '#domain/channels/channel-settings.ts'
import { findKind } from '#domain/channels/kinds/list.ts'
import { renderMail } from '#domain/channels/mail/render-mail.ts'
import type { AlertMessage } from '#domain/channels/message.ts'
import { jsonObjectOf } from '#lib/json-value.ts'
import { cardDrawers } from './draw-cards.ts'
import type { Drawing } from './drawing.ts'

type Reader = {
  publicUrl: string
  now: number
  /** Of mail. */
  from: string
  to: string
}

/** The message as this channel would show it; null for a channel whose settings this version cannot read. Nothing is sent. */
export function drawMessage(
  channel: { kind: string; config: string },
  message: AlertMessage,
  { publicUrl, now, from, to }: Reader,
): Drawing | null {
  const kind = findKind(channel.kind)
  if (kind === null) return null
  if (kind.render === null) {
    const unsubscribe = `${publicUrl}/unsubscribe`
    const mail = renderMail(message, { to, unsubscribeUrl: unsubscribe, unsubscribePage: unsubscribe, publicUrl })
    return { kind: 'mail', from, to, subject: mail.subject, html: mail.html }
  }
  const shown = readShown(channel.config)
  const parsed = kind.parse({ ...kind.sample, ...shown.settings })
  if (!parsed.ok) return null
  const { method, headers, body } = kind.render(message, parsed.settings, { now, publicUrl })
  const drawCard = cardDrawers[kind.id]
  if (drawCard !== undefined) return drawCard(jsonObjectOf(body))
  return {
    kind: 'request',
    head: `${method} ${shown.target.replace(/^[A-Z]+ /, '')}`,
    // Signatures would be those of a sample secret.
    headers: Object.entries(headers)
      .filter(([name]) => !/signature|user-agent/.test(name))
      .map(([name, value]) => ({ name, value })),
    body: indent(body),
  }
}

function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
