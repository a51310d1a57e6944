/** One attempt to send one message through one channel: for alerts, and for the test of a channel. */
import type { Kysely } from 'kysely'
import { readSettings } from '#domain/channels/channel-settings.ts'
import { readRecipients } from '#domain/channels/kinds/email.ts'
import type { ChannelKind, Settings, Verdict } from '#domain/channels/kinds/kind.ts'
import { findRecipients, rulesOf } from '#domain/channels/mail/find-recipients.ts'
import { renderMail } from '#domain/channels/mail/render-mail.ts'
import { signUnsubscribe } from '#domain/channels/mail/unsubscribe.ts'
import type { AlertMessage } from '#domain/channels/message.ts'
import { textOfLines } from '#domain/channels/text.ts'
import type { Mailer } from '#lib/outbound/mailer.ts'
import type { Outbound, OutboundFault, OutboundRequest } from '#lib/outbound/send-request.ts'
import type { ControlSchema } from '#store/control/schema.ts'

export type Senders = {
  outbound: Outbound
  /** Null without SMTP_URL. */
  mailer: Mailer | null
  installationSecret: string
  publicUrl: string
}
export type SendingChannel = {
  id: number
  organization_id: number
  kind: string
  config: string
  secret: string
}
export type Attempt = Omit<Verdict, 'outcome'> & {
  outcome: Verdict['outcome'] | 'skipped'
  /** Of HTTP or SMTP; null if there was no answer. */
  status: number | null
  latencyMs: number
  /** What the other side said, or why it was not reached. At most 2 kB. */
  response: string
  /** `POST https://hooks.slack.com/[secret]`, for the test of a channel. */
  request: string
  /** Whose failure it is, if not the channel's: the message can't be built, or one recipient can't be reached now. */
  blame?: 'message' | 'recipient'
  /** Some recipients were reached, so the channel works. */
  isPartlySent?: boolean
}
/** Mail goes to each recipient by itself; those that an earlier attempt has reached are left out. */
type MailTo = {
  recipients: readonly string[]
  reached: readonly string[]
  onReached(address: string): Promise<void>
}

const maxResponseChars = 2_000

export async function sendMessage(
  { db, now, ...senders }: Senders & { db: Kysely<ControlSchema>; now: number },
  channel: SendingChannel,
  message: AlertMessage,
  mailTo: MailTo = { recipients: [], reached: [], onReached: async () => undefined },
): Promise<Attempt> {
  const read = await readSettings(db, senders.installationSecret, channel)
  // Not `gone`: once the right secret is back, the message still goes out.
  if (!read.ok) return { ...nowhere, outcome: 'retry', response: settingsFaults[read.code] }
  const { kind, settings } = read
  if (kind.render === null) return sendMail({ db, ...senders }, channel, settings, message, mailTo)
  const request = kind.render(message, settings, { now, publicUrl: senders.publicUrl })
  const result = await senders.outbound.send(request)
  const common = { latencyMs: result.latencyMs, request: describeRequest(request, kind, settings) }
  if (!result.ok)
    return { ...common, ...judgeFault(result.code), status: null, response: faultText(result.code, result.detail) }
  const { status, body } = result.response
  return { ...common, ...kind.judge(result.response), status, response: textOfLines(body, maxResponseChars) }
}

const nowhere = { status: null, latencyMs: 0, request: '' }
const settingsFaults = {
  kind_unknown: 'This version of Hydrant does not know this kind of channel.',
  secret_unreadable:
    'The secret of this channel can’t be read. Run hydrant secrets rotate with the old HYDRANT_SECRET, or enter it again.',
  settings_invalid: 'The settings of this channel are incomplete. Save them again.',
}

async function sendMail(
  { db, mailer, installationSecret, publicUrl }: Senders & { db: Kysely<ControlSchema> },
  channel: SendingChannel,
  settings: Settings,
  message: AlertMessage,
  { recipients, reached, onReached }: MailTo,
): Promise<Attempt> {
  if (mailer === null)
    return { ...nowhere, outcome: 'rejected', response: 'Mail is not set up. The operator sets SMTP_URL.' }
  const rules = recipients.length > 0 ? rulesOf(recipients) : (readRecipients(settings.to ?? '') ?? [])
  const asked = { organizationId: channel.organization_id, channelId: channel.id, rules }
  const found = await findRecipients(db, { ...asked, message })
  const open = found.filter(({ address }) => !reached.includes(address))
  const request = `SMTP ${mailer.host}`
  if (found.length === 0)
    return { ...nowhere, outcome: 'skipped', request, response: 'Nobody to send it to: no recipient is left.' }
  const attempts: Attempt[] = []
  for (const { address, message: part } of open) {
    const token = signUnsubscribe(installationSecret, { channelId: channel.id, email: address })
    const mail = renderMail(part, {
      to: address,
      unsubscribeUrl: `${publicUrl}/api/unsubscribe/${token}`,
      unsubscribePage: `${publicUrl}/unsubscribe/${token}`,
      publicUrl,
    })
    const result = await mailer.send(mail)
    if (result.ok) await onReached(address)
    const outcome = result.ok ? 'sent' : result.isPermanent ? 'rejected' : 'retry'
    attempts.push({
      outcome,
      status: result.status,
      latencyMs: result.latencyMs,
      response: `${address}: ${result.response}`,
      request,
      ...(result.ok || !result.isAboutRecipient ? {} : { blame: 'recipient' as const }),
    })
    // The server is down: the other recipients would only wait for it, one after the other.
    if (outcome === 'retry' && !result.ok && !result.isAboutRecipient) break
  }
  return combine(attempts, reached.length > 0, request)
}

/** Retried if anybody may still be reached; rejected only if nobody was. */
function combine(attempts: readonly Attempt[], wasReached: boolean, request: string): Attempt {
  const has = (outcome: Attempt['outcome']) => attempts.some(attempt => attempt.outcome === outcome)
  const outcome = has('retry') ? 'retry' : has('sent') || wasReached ? 'sent' : 'rejected'
  const worst = attempts.find(attempt => attempt.outcome === outcome) ?? attempts[0]
  const lines = attempts.map(({ response }) => textOfLines(response, 300))
  const isServerUp = attempts.every(attempt => attempt.outcome === 'sent' || attempt.blame === 'recipient')
  return {
    outcome,
    request,
    isPartlySent: has('sent'),
    ...(isServerUp && outcome !== 'sent' ? { blame: 'recipient' as const } : {}),
    status: worst?.status ?? null,
    latencyMs: attempts.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
    response: textOfLines(lines.join('\n'), maxResponseChars),
  }
}

/** What the rules forbid stays forbidden until somebody changes the URL or the rules; the rest may pass. */
function judgeFault(code: OutboundFault): Verdict {
  const isTemporary = ['dns_failed', 'tls_failed', 'connection_failed', 'connect_timeout', 'timeout'].includes(code)
  return { outcome: isTemporary ? 'retry' : code === 'request_invalid' ? 'rejected' : 'gone' }
}

const faultTexts: Record<OutboundFault, string> = {
  url_invalid: 'The URL is not valid.',
  scheme_refused: 'Only http and https URLs can be reached.',
  credentials_refused: 'The URL must not contain a user name or password.',
  port_refused:
    'Only ports 80, 443 and 8000–9000 can be reached. The operator can allow others with HYDRANT_OUTBOUND_ALLOW.',
  address_refused: 'The address is not on the public internet. The operator can allow it with HYDRANT_OUTBOUND_ALLOW.',
  own_address: 'This is the address of Hydrant itself.',
  request_invalid: 'The request could not be made.',
  dns_failed: 'The host name could not be resolved.',
  tls_failed: 'The TLS connection failed.',
  connection_failed: 'The connection failed.',
  connect_timeout: 'No connection within 10 s.',
  timeout: 'No answer within 20 s.',
}

export const describeFault = (code: OutboundFault): string => faultTexts[code]

/** The detail of a refused request could tell something about the network behind it. */
const faultText = (code: OutboundFault, detail: string): string =>
  judgeFault(code).outcome === 'gone' || detail === '' || detail === code
    ? describeFault(code)
    : textOfLines(`${describeFault(code)} ${detail}`, 300)

function describeRequest({ method, url }: OutboundRequest, kind: ChannelKind, settings: Settings): string {
  const { origin, pathname } = new URL(url)
  const isSecret = kind.fields.some(({ name, isSecret: isHidden }) => {
    const value = settings[name] ?? ''
    return isHidden === true && value !== '' && (url.includes(value) || value.startsWith(origin))
  })
  return `${method} ${origin}${isSecret ? '/[secret]' : pathname}`
}
