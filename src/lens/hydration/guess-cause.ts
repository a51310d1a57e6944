import type { StoredEvent } from '#protocol/event.ts'
import { type ChangedText, changedText } from './changed-text.ts'
import { type CauseInput, type CauseRule, causeRules } from './hydration-causes.ts'
import { type HydrationFragments, readFragments } from './hydration-context.ts'
import { type HydrationError, readHydration } from './read-hydration.ts'

export type HydrationFinding = {
  error: HydrationError
  /** Null without the browser helper. */
  fragments: HydrationFragments | null
  text: ChangedText
  /** Null where there is nothing to go by. */
  guess: CauseRule | null
  /** Every rule, with whether it fits. Empty where there is nothing to look at. */
  checks: { rule: CauseRule; fits: boolean }[]
}

/**
 * What a hydration error tells; null for any other. React wraps errors that an app throws while it hydrates: those are
 * the app's, and the wrapping says nothing.
 */
export function guessCause(event: StoredEvent): HydrationFinding | null {
  const chain = event.exception?.values ?? []
  const errors = chain.map(({ value = '' }) => readHydration(value))
  const error = errors.at(-1)
  if (error === null || error === undefined || errors.includes(null)) return null
  const fragments = readFragments(event)
  const { server = '', client = '' } = fragments ?? {}
  const text = changedText(server, client)
  const input: CauseInput = { about: error.about, serverHtml: server, clientHtml: client, text }
  const hasEvidence = fragments !== null || error.about === 'nesting'
  const checks = hasEvidence ? causeRules.map(rule => ({ rule, fits: rule.matches(input) })) : []
  return { error, fragments, text, checks, guess: checks.find(({ fits }) => fits)?.rule ?? null }
}
