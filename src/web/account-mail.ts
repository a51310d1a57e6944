import type { Config } from '#config.ts'
import { renderNotice } from '#domain/channels/mail/render-notice.ts'
import type { Mailer, MailResult } from '#lib/outbound/mailer.ts'

type AccountMail = {
  to: string
  title: string
  lines: readonly string[]
  button: { label: string; path: string }
  note: string
}

/** A mail about an account, such as an invitation. It is sent at once: whoever waits for it asks again if it does not come. */
export function sendAccountMail(
  mailer: Mailer,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { button, ...mail }: AccountMail,
): Promise<MailResult> {
  return mailer.send(renderNotice({ ...mail, button: { label: button.label, url: publicUrl + button.path } }))
}
