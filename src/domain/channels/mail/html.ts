/** Parts of HTML mails, for clients that know tables and inline styles only. */
import { escapeHtml } from '#domain/channels/text.ts'

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Arial,sans-serif"
export const quiet = 'color:#5b6770;font-size:13px;line-height:20px'
export const button =
  'display:inline-block;padding:9px 16px;border-radius:5px;background:#1b6a80;color:#ffffff;text-decoration:none;font-weight:600'

export const anchor = (url: string, label: string, style = 'color:#1b6a80'): string =>
  `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`
export const paragraph = (text: string, style = 'margin:0 0 12px'): string =>
  text === '' ? '' : `<p style="${style}">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`

/** `content` is HTML; `color` that of the bar beside it. */
export const documentOf = (title: string, color: string, content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:0;background:#ffffff;color:#1d2429;${font};font-size:15px;line-height:23px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;text-align:left"><tr><td style="border-left:4px solid ${color};padding-left:16px">
${content}
</td></tr></table></td></tr></table></body></html>`
