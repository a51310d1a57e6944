import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = { to: string; raw: string; headers: Map<string, string> }
export type Smtp = {
  url: string
  mails: ReceivedMail[]
  /** Recipients that the server rejects, with its code: 550 for good, 450 for now. */
  rejected: Map<string, number>
  /** While it is, it takes no mail: 421. */
  busy: boolean
  stop(): Promise<void>
}

/** A real SMTP server without passwords. With `isSecure` it speaks TLS from the start, with a certificate that it has signed itself. */
export async function startSmtp({ isSecure = false } = {}): Promise<Smtp> {
  const mails: ReceivedMail[] = []
  const rejected = new Map<string, number>()
  const smtp: Smtp = {
    ...{ url: '', mails, rejected, busy: false },
    stop: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
  const server = new SMTPServer({
    secure: isSecure,
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom: (_address, _session, done) =>
      done(smtp.busy ? Object.assign(new Error('try again later'), { responseCode: 421 }) : null),
    onRcptTo: ({ address }, _session, done) => {
      const code = rejected.get(address)
      done(code === undefined ? null : Object.assign(new Error('mailbox unavailable'), { responseCode: code }))
    },
    onData: (stream, session, done) => {
      text(stream).then(raw => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join(',')
        mails.push({ to, raw, headers: headersOf(raw) })
        done()
      }, done)
    },
  })
  // A client that does not trust the certificate hangs up.
  if (isSecure) server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  Object.assign(smtp, {
    url: `${isSecure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
  })
  return smtp
}

/** Names in lower case; folded lines are joined. */
function headersOf(raw: string): Map<string, string> {
  const [head = ''] = raw.split('\r\n\r\n')
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  return new Map(
    lines.map(line => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}
