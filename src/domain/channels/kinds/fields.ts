/** Parts that the schemas and messages of several kinds share. */

import { z } from 'zod'
import type { AlertMessage } from '#domain/channels/message.ts'
import { lineOf, textOfLines } from '#domain/channels/text.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { readWebUrl } from '#lib/web-url.ts'

export const urlText = z
  .string()
  .trim()
  .max(2_000, 'Use at most 2,000 characters.')
  .refine(text => readWebUrl(text) !== null, 'Enter a URL that starts with https:// or http://.')

/** A URL whose path is the secret, shown by its host. */
export const hostOfUrl = (url: string): string => URL.parse(url)?.host ?? ''

/** Event text is cut at this length, everywhere. */
const maxEventChars = 200

export type MessageParts = {
  title: string
  reason: string
  body: string
  /** The body, unless the title has all of it. */
  detail: string
  culprit: string
  facts: { label: string; value: string }[]
  items: { title: string; url: string }[]
  more: number
  /** Lines that count the alerts which aren't listed. */
  rest: string[]
  links: { label: string; url: string }[]
  rule: { name: string; url: string } | null
  /** "Acme · web" */
  place: string
  subject: string
  issue: AlertMessage['issue']
}

/** The message as bounded plain text; what is left to a channel is to escape it. */
export function partsOf(message: AlertMessage): MessageParts {
  const title = lineOf(message.title, maxEventChars) || 'Alert'
  const body = textOfLines(message.body, 1_000)
  return {
    title,
    reason: lineOf(message.reason, maxEventChars),
    body,
    detail: title.includes(body) ? '' : body,
    culprit: lineOf(message.culprit, maxEventChars),
    facts: message.facts
      .slice(0, 10)
      .map(({ label, value }) => ({ label: lineOf(label, 60), value: lineOf(value, maxEventChars) }))
      .filter(({ label, value }) => label !== '' && value !== ''),
    items: message.items
      .slice(0, 20)
      .map(({ title, url }) => ({ title: lineOf(title, 120) || 'Alert', url: linkOf(url) }))
      .filter(({ url }) => url !== ''),
    more: message.more,
    rest: message.rest?.length
      ? message.rest.map(line => lineOf(line, 120))
      : message.more > 0
        ? [moreLine(message.more)]
        : [],
    links: message.links
      .slice(0, 4)
      .map(({ label, url }) => ({ label: lineOf(label, 40) || 'Open', url: linkOf(url) }))
      .filter(({ url }) => url !== ''),
    rule: message.rule && { name: lineOf(message.rule.name, 80), url: linkOf(message.rule.url) },
    subject: lineOf(message.subjectKey, 500),
    issue: message.issue && {
      ...message.issue,
      title: lineOf(message.issue.title, 500),
      level: lineOf(message.issue.level, 40),
      release: lineOf(message.issue.release, 250),
      environment: lineOf(message.issue.environment, 100),
      route: lineOf(message.issue.route, 250),
    },
    place: lineOf([message.organization.name, message.project?.slug ?? ''].filter(Boolean).join(' · '), 100),
  }
}

const linkOf = (url: string): string => readWebUrl(url) ?? ''

/** Red, amber, green and blue; the words alone are enough. */
export const colorOf = ({ action, severity }: Pick<AlertMessage, 'action' | 'severity'>): string =>
  action === 'close' ? '#2f9e63' : { critical: '#d33f2f', warning: '#d98b12', info: '#1b6a80' }[severity]

const moreLine = (more: number): string => `and ${formatWhole(more)} more`

/** The lines, then as many items as fit, then the counts of the rest, which a limit never cuts off. */
export function withItems(
  lines: readonly string[],
  { items, rest }: Pick<MessageParts, 'items' | 'rest'>,
  lineOfItem: (item: MessageParts['items'][number]) => string,
  max: number,
  sizeOf: (text: string) => number = text => text.length,
): string[] {
  const sizeOfAll = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + sizeOf(text) + 1, 0)
  let room = max - sizeOfAll(lines) - sizeOfAll(rest) - moreLine(items.length).length
  const listed: string[] = []
  for (const line of items.map(lineOfItem)) {
    room -= sizeOf(line) + 1
    if (room < 0) break
    listed.push(line)
  }
  const left = items.length - listed.length
  return [...lines, ...listed, ...(left > 0 ? [moreLine(left)] : []), ...rest]
}
