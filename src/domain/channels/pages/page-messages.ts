/** Messages about a page itself: it was acknowledged, or it is closed. They need neither rule nor project. */
import type { AlertMessage } from '#domain/channels/message.ts'
import { isObject, textOf } from '#lib/json-value.ts'

/** The outbox JSON of an end. */
export const pageEndMessage = (because: string) => ({ own: 'page-end', because })
/** The outbox JSON of an acknowledgement. */
export const pageAcknowledgedMessage = (by: string) => ({ own: 'page-acknowledged', by })

/** Null for any other message. */
export function buildPageMessage(
  base: Pick<AlertMessage, 'id' | 'at' | 'organization'>,
  message: unknown,
  page: { subject: string; title: string },
): AlertMessage | null {
  if (!isObject(message) || (message.own !== 'page-end' && message.own !== 'page-acknowledged')) return null
  const isEnd = message.own === 'page-end'
  const by = textOf(message.by)
  return {
    ...base,
    kind: 'operator',
    type: isEnd ? 'page.closed' : 'page.acknowledged',
    subjectKey: page.subject,
    action: isEnd ? 'close' : 'acknowledge',
    severity: 'info',
    title: `${isEnd ? 'Close page' : 'Acknowledge page'}: ${page.title || page.subject}`,
    reason: isEnd ? closedBecause(textOf(message.because)) : `acknowledged by ${by}`,
    project: null,
    body: '',
    culprit: '',
    facts: [],
    links: [],
    rule: null,
    issue: null,
    items: [],
    more: 0,
  }
}

/** `the rule was turned off` as a sentence. */
export const closedBecause = (because: string): string => `Closed because ${because}`
