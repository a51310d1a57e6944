/** Reads the markup that our requests have in it, and nothing more: each channel knows much that we never send. */
import type { Line, Span } from './drawing.ts'

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescapeEntities = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole)

const linesOf = (text: string, read: (line: string) => Line): Line[] => text.split('\n').map(read)

/** Splits at matches of the pattern; `span` makes the match a piece of its own. */
function split(text: string, pattern: RegExp, span: (match: RegExpExecArray) => Span, plain: (text: string) => string) {
  const spans: Span[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) spans.push({ text: plain(text.slice(end, match.index)) })
    spans.push(span(match))
    end = match.index + match[0].length
  }
  if (end < text.length) spans.push({ text: plain(text.slice(end)) })
  return spans
}

/** Slack's mrkdwn: `<url|text>`, `*bold*` as a whole line and `` `code` ``. */
export const readSlack = (text: string): Line[] =>
  linesOf(text, line =>
    split(
      line,
      /<([^<>|]*)\|([^<>]*)>|`([^`]*)`|^\*([^*]*)\*$/g,
      ([, url, label, code, bold]) => {
        if (code !== undefined) return { text: unescapeEntities(code), look: 'code' }
        if (bold !== undefined) return { text: unescapeEntities(bold), look: 'bold' }
        return { text: unescapeEntities(label ?? ''), href: unescapeEntities(url ?? '') }
      },
      unescapeEntities,
    ),
  )

/** The HTML of Telegram and Google Chat: `<b>`, `<code>` and `<a href>`. */
export const readHtml = (text: string): Line[] =>
  linesOf(text, line =>
    split(
      line,
      /(?:<b>)?<a href="([^"<>]*)">([^<>]*)<\/a>(?:<\/b>)?|<b>([^<>]*)<\/b>|<code>([^<>]*)<\/code>/g,
      ([whole = '', url, label, bold, code]) => {
        if (code !== undefined) return { text: unescapeEntities(code), look: 'code' }
        if (bold !== undefined) return { text: unescapeEntities(bold), look: 'bold' }
        const link = { text: unescapeEntities(label ?? ''), href: unescapeEntities(url ?? '') }
        return whole.startsWith('<b>') ? { ...link, look: 'bold' } : link
      },
      unescapeEntities,
    ),
  )

/** Markdown: `[text](url)`, and what a backslash keeps from being markup. */
export const readMarkdown = (text: string): Line[] =>
  linesOf(text, line =>
    split(
      line,
      /(?<!\\)\[((?:\\.|[^\\[\]])*)\]\((https?:[^\s()]*)\)/g,
      ([, label = '', url = '']) => ({ text: withoutEscapes(label), href: url }),
      withoutEscapes,
    ),
  )

const withoutEscapes = (text: string): string => text.replaceAll(/\\([^A-Za-z0-9\s])/g, '$1')

export const readPlain = (text: string): Line[] => linesOf(text, line => [{ text: line }])
