import type { Report } from '#domain/feedback/list-reports.ts'
import { clipText } from '#lib/text.ts'
import { shorten } from '#ui/shorten.ts'

/** Who wrote a message, as they call themselves. */
export const nameWriter = ({ name, email }: Pick<Report, 'name' | 'email'>): string =>
  shorten(name || email, 80) || 'Anonymous'

/** Opens the reader's mail program with an answer to the message; null without an address. */
export function replyHref({ email, message }: Pick<Report, 'email' | 'message'>): string | null {
  if (!/^[^\s@,;<>"]{1,64}@[^\s@,;<>"]{1,250}$/.test(email)) return null
  const quoted = clipText(message, 1_000)
    .split('\n')
    .map(line => `> ${line}`)
    .join('\r\n')
  const fields = { subject: 'Your feedback', body: `\r\n\r\n${quoted}` }
  const query = Object.entries(fields).map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`)
  return `mailto:${encodeURIComponent(email.toWellFormed())}?${query.join('&')}`
}
