import type { Config } from '#config.ts'
import { openMailer } from '#lib/outbound/mailer.ts'
import { type Check, fail, ok } from './check.ts'

const timeoutMs = 10_000

/** Connects to the mail server and signs in. It sends nothing. */
export async function checkMail({ mail }: Pick<Config, 'mail'>): Promise<Check> {
  if (mail === null) return ok('mail', 'SMTP_URL is not set, so Hydrant sends no mail.')
  const mailer = openMailer({ ...mail, timeoutMs })
  try {
    const fault = await mailer.check()
    if (fault === null) return ok('mail', `${mailer.host} accepts mail from Hydrant.`)
    const reason = fault.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
    return fail(
      'mail',
      `Mail can’t be sent through ${mailer.host}: ${reason}`,
      isOfCertificate(reason)
        ? 'If the mail server has a certificate of your own authority, name its file in NODE_EXTRA_CA_CERTS.'
        : 'Check SMTP_URL, its password and the network.',
    )
  } finally {
    await mailer.close()
  }
}

const isOfCertificate = (reason: string): boolean => /certificate|self.signed|issuer/i.test(reason)
