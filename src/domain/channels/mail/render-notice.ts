import { escapeHtml, lineOf } from '#domain/channels/text.ts'
import type { Mail } from '#lib/outbound/mailer.ts'
import { anchor, button as buttonStyle, documentOf, paragraph, quiet } from './html.ts'

type Notice = {
  to: string
  title: string
  lines: readonly string[]
  button: { label: string; url: string }
  note: string
}

const maxLine = 500

/** A mail that one person waits for: a few lines and one link. */
export function renderNotice({ to, button, ...given }: Notice): Mail {
  // Names of members and organizations are in it, which may hold anything.
  const [title, note] = [lineOf(given.title, maxLine), lineOf(given.note, maxLine)]
  const lines = given.lines.map(line => lineOf(line, maxLine))
  const heading = `<h1 style="margin:0 0 12px;font-size:20px;line-height:28px;word-break:break-word">${escapeHtml(title)}</h1>`
  const content = [
    heading,
    ...lines.map(line => paragraph(line)),
    `<p style="margin:0 0 20px">${anchor(button.url, button.label, buttonStyle)}</p>`,
    `<p style="margin:0;padding-top:12px;border-top:1px solid #e3e7ea;${quiet}">${escapeHtml(note)}</p>`,
  ]
  return {
    to,
    subject: lineOf(title, 180),
    text: [title, ...lines, `${button.label}: ${button.url}`, note].join('\n\n'),
    html: documentOf(title, '#1b6a80', content.join('\n')),
  }
}
