/** Mail through the operator's SMTP server. */
import type { Transporter } from 'nodemailer'

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** The name before the address of the sender, if it is another than that of the installation. */
  fromName?: string
  /** Without angle brackets. */
  messageId?: string
  /** The message that starts the thread, without angle brackets. */
  threadId?: string
  headers?: Record<string, string>
}
export type MailResult = { latencyMs: number; status: number | null; response: string } & (
  | { ok: true }
  /** `isAboutRecipient`: the server works and rejects the recipient; `isPermanent`: so that another attempt is of no use. */
  | { ok: false; isPermanent: boolean; isAboutRecipient: boolean }
)
export type Mailer = {
  /** `smtp.acme.dev`, to say through which server mail goes. */
  host: string
  send(mail: Mail): Promise<MailResult>
  /** Connects and signs in, and sends nothing. Null if that works, or else what the server or the network said. */
  check(): Promise<string | null>
  close(): Promise<void>
}
export type MailerOptions = { url: string; from: string; timeoutMs?: number }

/** Connects on the first mail. */
export function openMailer({ url, from, timeoutMs = 20_000 }: MailerOptions): Mailer {
  let opened: Promise<Transporter> | undefined
  const transport = () => {
    opened ??= openTransport(url, timeoutMs)
    return opened
  }
  return {
    host: URL.parse(url)?.hostname ?? '',
    send: async mail => {
      const startedAt = performance.now()
      const latencyMs = () => Math.round(performance.now() - startedAt)
      try {
        const sent = await (await transport()).sendMail(fieldsOf(mail, from))
        const response = String(sent.response ?? '')
        return { ok: true, status: codeOf(response), response, latencyMs: latencyMs() }
      } catch (error) {
        return { ...failureOf(error), latencyMs: latencyMs() }
      }
    },
    check: async () => {
      try {
        await (await transport()).verify()
        return null
      } catch (error) {
        return failureOf(error).response
      }
    },
    close: async () => (await opened)?.close(),
  }
}

async function openTransport(url: string, timeoutMs: number): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: timeoutMs / 2,
    greetingTimeout: timeoutMs / 2,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function fieldsOf({ to, subject, text, html, fromName, messageId, threadId, headers }: Mail, from: string) {
  const sender = readAddress(from)
  return {
    from: fromName === undefined ? sender : { ...sender, name: oneLine(fromName) },
    // An object is not parsed: a comma in it cannot name a second recipient.
    to: { name: '', address: oneLine(to) },
    subject: oneLine(subject),
    text,
    html,
    ...(messageId === undefined ? {} : { messageId: `<${messageId}>` }),
    ...(threadId === undefined ? {} : { inReplyTo: `<${threadId}>`, references: `<${threadId}>` }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...headers,
    },
  }
}

/** `Hydrant <alerts@acme.dev>` or `alerts@acme.dev`. */
export function readAddress(text: string): { name: string; address: string } {
  const named = /^([^<>]*)<([^<>\s]+)>$/.exec(text.trim())
  return named ? { name: (named[1] ?? '').trim(), address: named[2] ?? '' } : { name: '', address: text.trim() }
}

/** No header can be added by a text with line ends. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

const codeOf = (response: string): number | null => {
  const code = Number(response.slice(0, 3))
  return code >= 200 && code < 600 ? code : null
}

type Failure = { ok: false; isPermanent: boolean; isAboutRecipient: boolean; status: number | null; response: string }

/** A wrong password or a refused connection is the operator's to repair, so only a rejected recipient is permanent. */
function failureOf(error: unknown): Failure {
  const { code = '', command = '', responseCode, response, message } = error as Partial<Record<string, string | number>>
  const status = typeof responseCode === 'number' ? responseCode : null
  return {
    ok: false,
    isPermanent: code === 'EENVELOPE' && status !== null && status >= 500,
    isAboutRecipient: code === 'EENVELOPE' && command === 'RCPT TO' && status !== null && status !== 421,
    status,
    response: String(response ?? message ?? code),
  }
}
