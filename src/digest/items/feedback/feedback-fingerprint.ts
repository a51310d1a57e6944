import { hash } from 'node:crypto'
import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { routeOf } from '#react/route.ts'
import { readId } from '../../normalize/ids.ts'

/** Words. Many people write "broken" or "please help" about different things. */
const fewestWords = 3
/** Chars: two long messages that begin with the same five hundred are the same. */
const maxChars = 500

/**
 * What reports of one issue have in common: the same words about the same route. The crash dialog sends again what a user has changed,
 * so its reports about one error belong together. Hashed, because parts of a fingerprint may have variables.
 */
export function feedbackFingerprint(event: StoredEvent): string[] {
  const feedback = event.contexts.feedback ?? {}
  const errorId = readId(feedback.associated_event_id)
  if (feedback.source === 'user_report' && errorId !== '') return ['feedback', `error ${errorId}`]
  const words = plainWords(textOf(feedback.message))
  if (words.length < fewestWords) return ['feedback', `id ${event.event_id}`]
  return ['feedback', hash('md5', `${routeOf(event.transaction ?? '')}\n${words.join(' ')}`)]
}

/** Case, punctuation and numbers do not separate two messages. */
const plainWords = (message: string): string[] =>
  message
    .slice(0, maxChars)
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}]+|\p{N}+/gu)
    ?.map(word => (/^\p{N}/u.test(word) ? '#' : word)) ?? []
